import type { Fold } from '../fold.ts';
import type { WorkEvent } from './events.ts';

export interface WorkState {
  /** Assignee, and the time of the claim; `null` if unassigned. */
  readonly taken: { readonly memberId: string; readonly at: string } | null;
  /** Its parts when it was dismissed, or `null` if it is not dismissed. */
  readonly dismissed: readonly string[] | null;
}

export const initialWork: WorkState = { taken: null, dismissed: null };

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

export const workFold: Fold<WorkState, WorkEvent> = { initial: initialWork, evolve };

export const isDismissed = (parts: readonly string[], { dismissed }: WorkState): boolean =>
  dismissed !== null && parts.every((part) => dismissed.includes(part));

/**
 * `null` if unassigned.
 * @param since an earlier claim was for an earlier occurrence; `null` if it never recurs
 */
export const getAssignee = (since: Date | null, { taken }: WorkState): string | null =>
  taken === null || (since !== null && Date.parse(taken.at) < since.getTime())
    ? null
    : taken.memberId;
