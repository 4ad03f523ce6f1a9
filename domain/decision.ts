import type { Fact } from './event-log.ts';

/** A command was refused; the reason is for the person who gave it. */
export interface Refusal {
  readonly kind: 'refused';
  readonly reason: string;
}

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

/** Refuses a command. @param reason one sentence or two: what is wrong, and what to do */
export const refuse = (reason: string): Refusal => ({ kind: 'refused', reason });
