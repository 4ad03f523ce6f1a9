import type { AppendContext } from '../../domain/event-log.ts';

/** Context of every command: its actor, new ids, and announcement of its effect. */
export interface CommandContext {
  readonly append: AppendContext;
  /** For a practice and other entities. */
  readonly newId: () => string;
  readonly newEventId: () => string;
  /** Resolves when every process knows that rights have changed. */
  readonly announceAccessChange: () => Promise<void>;
}

/** Actor in the log for shell commands without an operator's name. */
export const UNNAMED_OPERATOR = 'shell';
