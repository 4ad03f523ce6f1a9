import type { AppendContext } from '../../domain/event-log.ts';

/** What every command is given: who gave it, new ids, and how to make its effect known. */
export interface CommandContext {
  readonly append: AppendContext;
  /** Id of a practice or the like. */
  readonly newId: () => string;
  readonly newEventId: () => string;
  /** Returns when every process knows that rights have changed. */
  readonly announceAccessChange: () => Promise<void>;
}

/** What the log says of a command of the shell that nobody put a name to. */
export const UNNAMED_OPERATOR = 'shell';
