import type { RefusalReason } from '../../domain/decision.ts';
import { formatRefusal } from './refusal-messages.ts';

/** A command was refused for a reason that the person who gave it can mend. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
  /** What the refusal is known by: its words may change. */
  readonly id: string;

  constructor(id: string, message: string) {
    super(message);
    this.id = id;
  }
}

/** The refusal of a decision. */
export const commandRefused = (why: RefusalReason): CommandRefused =>
  new CommandRefused(why.code, formatRefusal(why));
