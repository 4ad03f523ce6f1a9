import type { AppendContext } from '../../domain/event-log.ts';

export interface CommandContext {
  readonly append: AppendContext;
  readonly newId: () => string;
  readonly newEventId: () => string;
  /** Resolves when every process knows that rights have changed. */
  readonly announceAccessChange: () => Promise<void>;
}

export const UNNAMED_OPERATOR = 'shell';
