import { buildApiReference } from './api-reference.ts';
import { buildEventReference } from './event-reference.ts';
import { buildFieldReference } from './field-reference.ts';
import { fillInParts } from './generated-parts.ts';
import { listCommands } from './list-commands.ts';
import { listMetrics } from './list-metrics.ts';
import { listSettings } from './list-settings.ts';

type Build = (document: string) => string | Promise<string>;

export const REFERENCES: Readonly<Record<string, Build>> = {
  'docs/operate/configure.md': (document) => fillInParts(document, { settings: listSettings() }),
  'docs/operate/commands.md': (document) => fillInParts(document, { commands: listCommands() }),
  'docs/operate/monitor.md': async (document) =>
    fillInParts(document, { metrics: await listMetrics() }),
  'docs/reference/api.md': buildApiReference,
  'docs/reference/fields.md': buildFieldReference,
  'docs/reference/events.md': buildEventReference,
};
