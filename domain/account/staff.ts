import type { Fold } from '../fold.ts';
import type { StaffEvent } from './staff-events.ts';

export type StaffMember =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'known' | 'removed' } & StaffEvent<'StaffAdded'>['data']);

export const unknownStaff: StaffMember = { status: 'unknown' };

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

export const staffFold: Fold<StaffMember, StaffEvent> = { initial: unknownStaff, evolve };
