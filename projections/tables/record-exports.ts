import type { AccessEvent } from '../../domain/access-log/events.ts';
import { column, defineTable, type Handlers, upsert } from '../projection.ts';

/** Last version of a record that was exported in full. */
const recordExport = defineTable({
  name: 'record_export',
  columns: {
    exported_at: column.timestamptz(),
    record_id: column.uuid(),
    version: column.integer(),
  },
  key: ['record_id'],
  indexes: [],
});

export const recordExports = {
  name: 'record_exports',
  version: 1,
  tables: [recordExport],
  on: {
    // Without versions the export contained only names of records.
    RecordsExported: ({ at, recordIds, versions = [] }) =>
      versions.map((version, index) =>
        upsert('record_export', { exported_at: at, record_id: recordIds[index], version }),
      ),
  } satisfies Handlers<AccessEvent<'RecordsExported'>>,
};
