import type { Fact } from './event-log.ts';

/** A command was refused; the reason is for the person who gave it. */
export interface Refusal {
  readonly kind: 'refused';
  readonly reason: string;
}

/** What a command leads to: events (none: it was done before), or a refusal. */
export type CommandDecision<E extends Fact> =
  | { readonly kind: 'accepted'; readonly events: readonly E[] }
  | Refusal;

/** Accepts a command with these events; with none, it was done before. */
export const accept = <E extends Fact>(
  ...events: readonly E[]
): { readonly kind: 'accepted'; readonly events: readonly E[] } => ({ kind: 'accepted', events });

/** Refuses a command. @param reason one sentence or two: what is wrong, and what to do */
export const refuse = (reason: string): Refusal => ({ kind: 'refused', reason });
