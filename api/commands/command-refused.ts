import type { RefusalReason } from '../../domain/decision.ts';
import { formatRefusal } from './refusal-messages.ts';

/** Refusal of a command for a reason that its user can fix. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
  /** Stable id of the refusal; the message may change. */
  readonly id: string;

  constructor(id: string, message: string) {
    super(message);
    this.id = id;
  }
}

export const commandRefused = (why: RefusalReason): CommandRefused =>
  new CommandRefused(why.code, formatRefusal(why));
