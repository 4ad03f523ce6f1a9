import type { Fact } from './event-log.ts';
import type { RefusalReason } from './refusal-reason.ts';

/** A command was refused. Its words are those of `refusalInWords`. */
export type Refusal = RefusalReason & { readonly kind: 'refused' };

/** A command was accepted: with these events, or without any where nothing changes. */
export interface Accepted<E extends Fact> {
  readonly kind: 'accepted';
  readonly events: readonly E[];
}

/** What a command leads to, or why it was not done. */
export type Decision<E extends Fact, Not = Refusal> = Accepted<E> | Not;

/** Accepts a command with these events; with none, it was done before. */
export const accept = <E extends Fact>(...events: readonly E[]): Accepted<E> => ({
  kind: 'accepted',
  events,
});

/** Refuses a command. */
export const refuse = (why: RefusalReason): Refusal => ({ kind: 'refused', ...why });
