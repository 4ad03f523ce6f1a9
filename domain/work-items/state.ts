import type { Fold } from '../fold.ts';
import type { WorkEvent } from './events.ts';

/** What people have said about one thing to do. */
export interface WorkState {
  /** Who takes care of it, and since when; null: nobody. */
  readonly taken: { readonly memberId: string; readonly at: string } | null;
  /** What it consisted of when it was dismissed; null: it is not dismissed. */
  readonly dismissed: readonly string[] | null;
}

/** Nobody has said anything yet. */
export const initialWork: WorkState = { taken: null, dismissed: null };

/** The state after one more event. */
export const evolve = (state: WorkState, event: WorkEvent): WorkState => {
  switch (event.type) {
    case 'WorkTaken':
      return { ...state, taken: { memberId: event.data.memberId, at: event.data.at } };
    case 'WorkReleased':
      return { ...state, taken: null };
    case 'WorkDismissed':
      return { ...state, dismissed: event.data.parts };
    case 'WorkReopened':
      return { ...state, dismissed: null };
  }
};

/** How a stream of a thing to do is read. */
export const workFold: Fold<WorkState, WorkEvent> = { initial: initialWork, evolve };

/**
 * Whether it was dismissed, and nothing was added since.
 * @param parts what it consists of now
 */
export const isDismissed = (parts: readonly string[], { dismissed }: WorkState): boolean =>
  dismissed !== null && parts.every((part) => dismissed.includes(part));

/**
 * Who takes care of it.
 * @param since when it came up: who took it before that took care of something else. Null: it is always
 *   the same
 */
export const assigneeOf = (since: Date | null, { taken }: WorkState): string | null =>
  taken === null || (since !== null && Date.parse(taken.at) < since.getTime())
    ? null
    : taken.memberId;
