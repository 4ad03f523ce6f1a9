import type { AccountSignedIn } from '../../domain/access-log/events.ts';
import type { MemberEvent } from '../../domain/account/member-events.ts';
import { AUDITOR_ROLES, type Role } from '../../domain/roles.ts';
import { type Change, type Handlers, type ReadTable, update, upsert } from '../projection.ts';

/** Row of `read.member`: who has, or had, a seat in which practice. */
export interface MemberRow {
  readonly member_id: string;
  readonly practice_id: string;
  readonly email: string;
  /** Display name; null: none. */
  readonly name: string | null;
  readonly role: Role;
  /** Whether the seat opens the logs of the practice too. */
  readonly auditor: boolean;
  readonly added_at: Date;
  /** When the seat was lost; null while it is held. The row stays, to name who did what. */
  readonly removed_at: Date | null;
  readonly signed_in_at: Date | null;
}

/** Row of `read.invitation`: who was asked into which practice. */
export interface InvitationRow {
  readonly member_id: string;
  readonly practice_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly invited_at: Date;
  readonly ends_at: Date;
  /** When it was accepted or withdrawn; null: neither. The row stays, to name who was asked. */
  readonly closed_at: Date | null;
}

const member: ReadTable = {
  name: 'member',
  columns: {
    member_id: 'text not null',
    practice_id: 'text not null',
    email: 'text not null',
    name: 'text',
    role: 'text not null',
    auditor: 'boolean not null',
    added_at: 'timestamptz not null',
    removed_at: 'timestamptz',
    signed_in_at: 'timestamptz',
  },
  // A person who leaves one practice for another is named in the history of both.
  key: ['practice_id', 'member_id'],
  // By account alone for what names its actors, and for tries to sign in.
  indexes: ['(practice_id, email)', '(member_id)'],
};

const invitation: ReadTable = {
  name: 'invitation',
  columns: {
    member_id: 'text not null',
    practice_id: 'text not null',
    email: 'text not null',
    name: 'text',
    role: 'text not null',
    invited_at: 'timestamptz not null',
    ends_at: 'timestamptz not null',
    closed_at: 'timestamptz',
  },
  key: ['practice_id', 'member_id'],
  indexes: ['(member_id)'],
};

const closed = (memberId: string, practiceId: string, at: string): Change =>
  update('invitation', { practice_id: practiceId, member_id: memberId }, { closed_at: at });

/** The members of each practice, former ones too, and who was invited. */
export const members = {
  name: 'members',
  version: 7,
  tables: [member, invitation],
  on: {
    MemberAdded: (data, { metadata }) => [
      upsert('member', {
        member_id: data.memberId,
        practice_id: data.practiceId,
        email: data.email,
        name: data.name ?? null,
        role: data.role,
        auditor: false,
        added_at: metadata.recordedAt,
        removed_at: null,
        signed_in_at: null,
      }),
      closed(data.memberId, data.practiceId, metadata.recordedAt),
    ],
    MemberInvited: (data, { metadata }) => [
      upsert('invitation', {
        member_id: data.memberId,
        practice_id: data.practiceId,
        email: data.email,
        name: data.name ?? null,
        role: data.role,
        invited_at: metadata.recordedAt,
        ends_at: data.endsAt,
        closed_at: null,
      }),
    ],
    InvitationWithdrawn: ({ memberId, practiceId }, { metadata }) => [
      closed(memberId, practiceId, metadata.recordedAt),
    ],
    SeatChanged: ({ memberId, practiceId, role }) => [
      update(
        'member',
        { practice_id: practiceId, member_id: memberId },
        AUDITOR_ROLES.includes(role) ? { role } : { role, auditor: false },
      ),
    ],
    AuditorPermissionSet: ({ memberId, practiceId, granted }) => [
      update('member', { practice_id: practiceId, member_id: memberId }, { auditor: granted }),
    ],
    MemberNamed: ({ memberId, practiceId, name }) => [
      update('member', { practice_id: practiceId, member_id: memberId }, { name }),
    ],
    // Who has a seat stays who has it.
    OneTimePasswordGiven: () => [],
    MemberRemoved: ({ memberId, practiceId }, { metadata }) => [
      update(
        'member',
        { practice_id: practiceId, member_id: memberId },
        { removed_at: metadata.recordedAt },
      ),
    ],
    AccountSignedIn: ({ at, practiceId }, { metadata: { actor } }) =>
      actor.kind === 'member'
        ? [update('member', { practice_id: practiceId, member_id: actor.id }, { signed_in_at: at })]
        : [],
  } satisfies Handlers<MemberEvent | AccountSignedIn>,
};
