import type { MemberEvent, Role } from '../domain/member/events.ts';
import { type Handlers, put, type ReadTable } from './projection.ts';

/** Row of `read.member`: who has a seat in which practice. */
export interface MemberRow {
  readonly member_id: string;
  readonly practice_id: string;
  readonly email: string;
  readonly role: Role;
  readonly added_at: Date;
}

const member: ReadTable = {
  name: 'member',
  columns: {
    member_id: 'text not null',
    practice_id: 'text not null',
    email: 'text not null',
    role: 'text not null',
    added_at: 'timestamptz not null',
  },
  key: ['member_id'],
  indexes: ['(practice_id, email)'],
};

/** The members of each practice. */
export const members = {
  name: 'members',
  version: 1,
  tables: [member],
  on: {
    MemberAdded: (data, { metadata }) => [
      put('member', {
        member_id: data.memberId,
        practice_id: data.practiceId,
        email: data.email,
        role: data.role,
        added_at: metadata.recordedAt,
      }),
    ],
  } satisfies Handlers<MemberEvent>,
};
