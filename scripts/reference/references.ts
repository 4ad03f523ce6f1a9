import type { Parts } from './generated-parts.ts';
import { listCommands } from './list-commands.ts';
import { listMetrics } from './list-metrics.ts';
import { listSettings } from './list-settings.ts';

/** Documents with generated parts. */
export const REFERENCES: Readonly<Record<string, () => Promise<Parts>>> = {
  'docs/operate/configure.md': async () => ({ settings: listSettings() }),
  'docs/operate/commands.md': async () => ({ commands: listCommands() }),
  'docs/operate/monitor.md': async () => ({ metrics: await listMetrics() }),
};
