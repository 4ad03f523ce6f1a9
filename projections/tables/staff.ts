import type { AccessEvent } from '../../domain/access-log/events.ts';
import type { StaffEvent } from '../../domain/account/staff-events.ts';
import { column, defineTable, type Handlers, update, upsert } from '../projection.ts';

const staffTable = defineTable({
  name: 'staff',
  columns: {
    staff_id: column.text(),
    email: column.text(),
    /** Display name; null if unset. */
    name: column.textOrNull(),
    added_at: column.timestamptz(),
    /** Null while the account is open. The row remains, so that the history can name the person. */
    removed_at: column.timestamptzOrNull(),
    signed_in_at: column.timestamptzOrNull(),
  },
  key: ['staff_id'],
  indexes: [],
});

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
  } satisfies Handlers<StaffEvent | AccessEvent<'AccountSignedIn'>>,
};
