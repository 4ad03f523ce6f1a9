import type { MemberEvent, Role } from '../domain/account/member/events.ts';
import { type Handlers, patch, put, type ReadTable } from './projection.ts';

/** Row of `read.member`: who has, or had, a seat in which practice. */
export interface MemberRow {
  readonly member_id: string;
  readonly practice_id: string;
  readonly email: string;
  readonly role: Role;
  readonly added_at: Date;
  /** When the seat was lost; null while it is held. The row stays, to name who did what. */
  readonly removed_at: Date | null;
}

const member: ReadTable = {
  name: 'member',
  columns: {
    member_id: 'text not null',
    practice_id: 'text not null',
    email: 'text not null',
    role: 'text not null',
    added_at: 'timestamptz not null',
    removed_at: 'timestamptz',
  },
  // A person who leaves one practice for another is named in the history of both.
  key: ['practice_id', 'member_id'],
  // By account alone for what names its actors, and for tries to sign in.
  indexes: ['(practice_id, email)', '(member_id)'],
};

/** The members of each practice, former ones too. */
export const members = {
  name: 'members',
  version: 4,
  tables: [member],
  on: {
    MemberAdded: (data, { metadata }) => [
      put('member', {
        member_id: data.memberId,
        practice_id: data.practiceId,
        email: data.email,
        role: data.role,
        added_at: metadata.recordedAt,
        removed_at: null,
      }),
    ],
    SeatChanged: ({ memberId, practiceId, role }) => [
      patch('member', { practice_id: practiceId, member_id: memberId }, { role }),
    ],
    // Who has a seat stays who has it.
    OneTimePasswordGiven: () => [],
    MemberRemoved: ({ memberId, practiceId }, { metadata }) => [
      patch(
        'member',
        { practice_id: practiceId, member_id: memberId },
        { removed_at: metadata.recordedAt },
      ),
    ],
  } satisfies Handlers<MemberEvent>,
};

/** A member as the Admins of a practice list it. */
export interface ListedMember {
  readonly memberId: string;
  readonly email: string;
  readonly role: Role;
  /** When the seat was given, for the last time. */
  readonly since: Date;
}

/** Who has a seat in a practice, in the order of their emails. */
export type ListMembers = (practiceId: string) => Promise<readonly ListedMember[]>;
