import type { RefusalReason } from '../../domain/decision.ts';
import { formatRefusal } from './refusal-messages.ts';

export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
  /** Stable, unlike the message. */
  readonly id: string;

  constructor(id: string, message: string) {
    super(message);
    this.id = id;
  }
}

export const commandRefused = (why: RefusalReason): CommandRefused =>
  new CommandRefused(why.code, formatRefusal(why));
