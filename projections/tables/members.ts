import type { AccountSignedIn } from '../../domain/access-log/events.ts';
import type { MemberEvent } from '../../domain/account/member-events.ts';
import { AUDITOR_ROLES, type Role } from '../../domain/roles.ts';
import {
  type Change,
  type Handlers,
  type ReadTable,
  type Row,
  update,
  upsert,
} from '../projection.ts';

/** Row of `read.member`: a current or former seat in a practice. */
export interface MemberRow {
  readonly member_id: string;
  readonly practice_id: string;
  readonly email: string;
  /** Display name; null if unset. */
  readonly name: string | null;
  readonly role: Role;
  /** True if the seat may also view the logs of the practice. */
  readonly auditor: boolean;
  readonly added_at: Date;
  /** Null while the member has the seat. The row remains, so that the history can name the person. */
  readonly removed_at: Date | null;
  readonly signed_in_at: Date | null;
}

/** Row of `read.invitation`: an invitation to a practice. */
export interface InvitationRow {
  readonly member_id: string;
  readonly practice_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly invited_at: Date;
  readonly ends_at: Date;
  /** Time it was accepted or withdrawn; null if pending. The row remains, so that the history can name the person. */
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
  // A person who moves from one practice to another appears in the history of both.
  key: ['practice_id', 'member_id'],
  // `member_id` alone is used to name actors and to record sign-in attempts.
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

const buildKey = (practiceId: string | null, memberId: string): Row => ({
  practice_id: practiceId,
  member_id: memberId,
});

const closeInvitation = (memberId: string, practiceId: string, at: string): Change =>
  update('invitation', buildKey(practiceId, memberId), { closed_at: at });

/** Current and former members of each practice, and its invitations. */
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
      closeInvitation(data.memberId, data.practiceId, metadata.recordedAt),
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
      closeInvitation(memberId, practiceId, metadata.recordedAt),
    ],
    SeatChanged: ({ memberId, practiceId, role }) => [
      update(
        'member',
        buildKey(practiceId, memberId),
        AUDITOR_ROLES.includes(role) ? { role } : { role, auditor: false },
      ),
    ],
    AuditorPermissionSet: ({ memberId, practiceId, granted }) => [
      update('member', buildKey(practiceId, memberId), { auditor: granted }),
    ],
    MemberNamed: ({ memberId, practiceId, name }) => [
      update('member', buildKey(practiceId, memberId), { name }),
    ],
    // Does not change the seats.
    OneTimePasswordGiven: () => [],
    MemberRemoved: ({ memberId, practiceId }, { metadata }) => [
      update('member', buildKey(practiceId, memberId), { removed_at: metadata.recordedAt }),
    ],
    AccountSignedIn: ({ at, practiceId }, { metadata: { actor } }) =>
      actor.kind === 'member'
        ? [update('member', buildKey(practiceId, actor.id), { signed_in_at: at })]
        : [],
  } satisfies Handlers<MemberEvent | AccountSignedIn>,
};
