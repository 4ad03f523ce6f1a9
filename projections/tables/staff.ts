import type { AccountSignedIn } from '../../domain/access-log/events.ts';
import type { StaffEvent } from '../../domain/account/staff-events.ts';
import { type Handlers, type ReadTable, update, upsert } from '../projection.ts';

/** Row of `read.staff`. */
export interface StaffRow {
  readonly staff_id: string;
  readonly email: string;
  /** Display name; null if unset. */
  readonly name: string | null;
  readonly added_at: Date;
  /** Null while the account is open. The row remains, so that the history can name the person. */
  readonly removed_at: Date | null;
  readonly signed_in_at: Date | null;
}

const staffTable: ReadTable = {
  name: 'staff',
  columns: {
    staff_id: 'text not null',
    email: 'text not null',
    name: 'text',
    added_at: 'timestamptz not null',
    removed_at: 'timestamptz',
    signed_in_at: 'timestamptz',
  },
  key: ['staff_id'],
  indexes: [],
};

/** Current and former service staff. */
export const staff = {
  name: 'staff',
  version: 3,
  tables: [staffTable],
  on: {
    StaffAdded: (data, { metadata }) => [
      upsert('staff', {
        staff_id: data.staffId,
        email: data.email,
        name: data.name ?? null,
        added_at: metadata.recordedAt,
        removed_at: null,
        signed_in_at: null,
      }),
    ],
    StaffNamed: ({ staffId, name }) => [update('staff', { staff_id: staffId }, { name })],
    StaffRemoved: ({ staffId }, { metadata }) => [
      update('staff', { staff_id: staffId }, { removed_at: metadata.recordedAt }),
    ],
    // Does not change the staff.
    StaffPasswordGiven: () => [],
    // Listed in the audit trail.
    StaffAccessReviewed: () => [],
    AccountSignedIn: ({ at }, { metadata: { actor } }) =>
      actor.kind === 'staff' ? [update('staff', { staff_id: actor.id }, { signed_in_at: at })] : [],
  } satisfies Handlers<StaffEvent | AccountSignedIn>,
};
