import type { RecordsExported } from '../../domain/access-log/events.ts';
import { type Handlers, type ReadTable, upsert } from '../projection.ts';

/** Row of `read.record_export`: last version of a record that was exported in full. */
export interface RecordExportRow {
  readonly exported_at: Date;
  readonly record_id: string;
  readonly version: number;
}

const recordExport: ReadTable = {
  name: 'record_export',
  columns: {
    exported_at: 'timestamptz not null',
    record_id: 'uuid not null',
    version: 'integer not null',
  },
  key: ['record_id'],
  indexes: [],
};

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
  } satisfies Handlers<RecordsExported>,
};
