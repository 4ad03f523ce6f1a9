import type { Fold } from '../fold.ts';
import { AUDITOR_ROLES, type Role } from '../roles.ts';
import type { MemberEvent } from './member-events.ts';

/** May have expired. */
export type OpenInvitation = MemberEvent<'MemberInvited'>['data'];

export type Member = {
  /** By practice: several practices can invite a person, who chooses one. */
  readonly invitations: Readonly<Record<string, OpenInvitation>>;
} & (
  | { readonly status: 'unknown' }
  | ({
      readonly status: 'seated' | 'removed';
      readonly isAuditor: boolean;
    } & MemberEvent<'MemberAdded'>['data'])
);

export const unknownMember: Member = { status: 'unknown', invitations: {} };

export const evolve = (state: Member, event: MemberEvent): Member => {
  switch (event.type) {
    case 'MemberAdded':
      return {
        status: 'seated',
        isAuditor: false,
        ...event.data,
        invitations: removeInvitation(state.invitations, event.data.practiceId),
      };
    case 'MemberInvited':
      return {
        ...state,
        invitations: { ...state.invitations, [event.data.practiceId]: event.data },
      };
    case 'InvitationWithdrawn':
      return { ...state, invitations: removeInvitation(state.invitations, event.data.practiceId) };
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

const removeInvitation = (
  invitations: Member['invitations'],
  practiceId: string,
): Member['invitations'] =>
  Object.fromEntries(Object.entries(invitations).filter(([id]) => id !== practiceId));

export const findEarlierName = (practiceId: string, member: Member): string | undefined =>
  member.status !== 'unknown' && member.practiceId === practiceId ? member.name : undefined;

export const memberFold: Fold<Member, MemberEvent> = { initial: unknownMember, evolve };
