import type { AccessEvent } from '../../domain/access-log/events.ts';
import type { MemberEvent } from '../../domain/account/member-events.ts';
import { AUDITOR_ROLES, type Role } from '../../domain/roles.ts';
import {
  type Change,
  column,
  defineTable,
  type Handlers,
  type Row,
  update,
  upsert,
} from '../projection.ts';

const member = defineTable({
  name: 'member',
  columns: {
    member_id: column.text(),
    practice_id: column.text(),
    email: column.text(),
    /** Display name; null if unset. */
    name: column.textOrNull(),
    role: column.text<Role>(),
    auditor: column.boolean(),
    added_at: column.timestamptz(),
    /** Null while the member has the seat. The row remains, so that the history can name the person. */
    removed_at: column.timestamptzOrNull(),
    signed_in_at: column.timestamptzOrNull(),
  },
  // A person who moves from one practice to another appears in the history of both.
  key: ['practice_id', 'member_id'],
  // `member_id` alone is used to name actors and to record sign-in attempts.
  indexes: ['(practice_id, email)', '(member_id)'],
});

const invitation = defineTable({
  name: 'invitation',
  columns: {
    member_id: column.text(),
    practice_id: column.text(),
    email: column.text(),
    name: column.textOrNull(),
    role: column.text<Role>(),
    invited_at: column.timestamptz(),
    ends_at: column.timestamptz(),
    /** Time it was accepted or withdrawn; null if pending. The row remains, so that the history can name the person. */
    closed_at: column.timestamptzOrNull(),
  },
  key: ['practice_id', 'member_id'],
  indexes: ['(member_id)'],
});

const buildKey = (practiceId: string | null, memberId: string): Row => ({
  practice_id: practiceId,
  member_id: memberId,
});

const closeInvitation = (memberId: string, practiceId: string, at: string): Change =>
  update('invitation', buildKey(practiceId, memberId), { closed_at: at });

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
  } satisfies Handlers<MemberEvent | AccessEvent<'AccountSignedIn'>>,
};
