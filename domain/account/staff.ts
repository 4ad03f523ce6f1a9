import type { Fold } from '../fold.ts';
import type { StaffAdded, StaffEvent } from './staff-events.ts';

/** A person of the service staff as its events tell it. */
export type StaffMember =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'known' | 'removed' } & StaffAdded['data']);

/** A person of the staff before the first event. */
export const unknownStaff: StaffMember = { status: 'unknown' };

/** The person of the staff after one more event. */
export const evolve = (state: StaffMember, event: StaffEvent): StaffMember => {
  switch (event.type) {
    case 'StaffAdded':
      return { status: 'known', ...event.data };
    case 'StaffNamed':
      return state.status === 'unknown' ? state : { ...state, name: event.data.name };
    case 'StaffRemoved':
      return state.status === 'unknown' ? state : { ...state, status: 'removed' };
    case 'StaffPasswordGiven':
    case 'StaffAccessReviewed':
      return state;
  }
};

/** How a stream of service staff is read. */
export const staffFold: Fold<StaffMember, StaffEvent> = { initial: unknownStaff, evolve };
