import type { Fold } from '../fold.ts';
import type { WorkEvent } from './events.ts';

/** State of a work item. */
export interface WorkState {
  /** Assignee, and the time of the claim; null if unassigned. */
  readonly taken: { readonly memberId: string; readonly at: string } | null;
  /** Its parts when it was dismissed, or null if it is not dismissed. */
  readonly dismissed: readonly string[] | null;
}

/** A work item without events. */
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

/** Fold of a work item's stream. */
export const workFold: Fold<WorkState, WorkEvent> = { initial: initialWork, evolve };

/**
 * True if the item was dismissed and no part was added since.
 * @param parts current parts of the item
 */
export const isDismissed = (parts: readonly string[], { dismissed }: WorkState): boolean =>
  dismissed !== null && parts.every((part) => dismissed.includes(part));

/**
 * Returns the assignee of a work item.
 * @param since when it came up: who took it before that took care of something else. Null: it is always
 *   the same
 */
export const assigneeOf = (since: Date | null, { taken }: WorkState): string | null =>
  taken === null || (since !== null && Date.parse(taken.at) < since.getTime())
    ? null
    : taken.memberId;
