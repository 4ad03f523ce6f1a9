import type { Fold } from '../../fold.ts';
import type { MemberAdded, MemberEvent } from './events.ts';

/** A member of a practice as its events tell it. */
export type Member =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'seated' | 'removed' } & MemberAdded['data']);

/** A member before its first event. */
export const unknownMember: Member = { status: 'unknown' };

/** The member after one more event. */
export const evolve = (state: Member, event: MemberEvent): Member => {
  switch (event.type) {
    case 'MemberAdded':
      return { status: 'seated', ...event.data };
    case 'SeatChanged':
      return state.status === 'unknown' ? state : { ...state, role: event.data.role };
    case 'MemberRemoved':
      return state.status === 'unknown' ? state : { ...state, status: 'removed' };
    case 'OneTimePasswordGiven':
      return state;
  }
};

/** How a stream of a member is read. */
export const memberFold: Fold<Member, MemberEvent> = { initial: unknownMember, evolve };
