import type { Fold } from '../fold.ts';
import { AUDITOR_ROLES, type Role } from '../roles.ts';
import type { MemberAdded, MemberEvent, MemberInvited } from './member-events.ts';

/** An invitation that nobody has accepted or taken back. It may have ended. */
export type OpenInvitation = MemberInvited['data'];

/** The owner of an email, as the events of their seats tell it. */
export type Member = {
  /** By practice: each may ask a person in, the person chooses. */
  readonly invitations: Readonly<Record<string, OpenInvitation>>;
} & (
  | { readonly status: 'unknown' }
  | ({
      readonly status: 'seated' | 'removed';
      /** Whether the seat opens the logs of its practice too. */
      readonly isAuditor: boolean;
    } & MemberAdded['data'])
);

/** A member before its first event. */
export const unknownMember: Member = { status: 'unknown', invitations: {} };

/** The member after one more event. */
export const evolve = (state: Member, event: MemberEvent): Member => {
  switch (event.type) {
    case 'MemberAdded':
      return {
        status: 'seated',
        isAuditor: false,
        ...event.data,
        invitations: without(state.invitations, event.data.practiceId),
      };
    case 'MemberInvited':
      return {
        ...state,
        invitations: { ...state.invitations, [event.data.practiceId]: event.data },
      };
    case 'InvitationWithdrawn':
      return { ...state, invitations: without(state.invitations, event.data.practiceId) };
    case 'SeatChanged':
      return state.status === 'unknown' ? state : withRole(state, event.data.role);
    case 'AuditorPermissionSet':
      return state.status === 'unknown' ? state : { ...state, isAuditor: event.data.granted };
    case 'MemberNamed':
      return state.status === 'unknown' ? state : { ...state, name: event.data.name };
    case 'MemberRemoved':
      return state.status === 'unknown' ? state : { ...state, status: 'removed' };
    case 'OneTimePasswordGiven':
      return state;
  }
};

const withRole = (state: Exclude<Member, { status: 'unknown' }>, role: Role): Member => ({
  ...state,
  role,
  isAuditor: state.isAuditor && AUDITOR_ROLES.includes(role),
});

const without = (invitations: Member['invitations'], practiceId: string): Member['invitations'] =>
  Object.fromEntries(Object.entries(invitations).filter(([id]) => id !== practiceId));

/** The name that a person has, or had, at a practice; undefined: none that is known. */
export const findEarlierName = (practiceId: string, member: Member): string | undefined =>
  member.status !== 'unknown' && member.practiceId === practiceId ? member.name : undefined;

/** How a stream of a member is read. */
export const memberFold: Fold<Member, MemberEvent> = { initial: unknownMember, evolve };
