import type { StaffEvent } from '../domain/account/staff/events.ts';
import { type Handlers, put, type ReadTable } from './projection.ts';

/** Row of `read.staff`. */
export interface StaffRow {
  readonly staff_id: string;
  readonly email: string;
  readonly added_at: Date;
}

const staffTable: ReadTable = {
  name: 'staff',
  columns: {
    staff_id: 'text not null',
    email: 'text not null',
    added_at: 'timestamptz not null',
  },
  key: ['staff_id'],
  indexes: [],
};

/** The service staff. */
export const staff = {
  name: 'staff',
  version: 1,
  tables: [staffTable],
  on: {
    StaffAdded: (data, { metadata }) => [
      put('staff', {
        staff_id: data.staffId,
        email: data.email,
        added_at: metadata.recordedAt,
      }),
    ],
  } satisfies Handlers<StaffEvent>,
};
