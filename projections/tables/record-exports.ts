import type { RecordsExported } from '../../domain/access-log/events.ts';
import { type Handlers, type ReadTable, upsert } from '../projection.ts';

/** Row of `read.record_export`: a record left the registry whole, last in this version. */
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

/** Which version of a record was exported last. */
export const recordExports = {
  name: 'record_exports',
  version: 1,
  tables: [recordExport],
  on: {
    // Without versions the records were only named in a file.
    RecordsExported: ({ at, recordIds, versions = [] }) =>
      versions.map((version, index) =>
        upsert('record_export', { exported_at: at, record_id: recordIds[index], version }),
      ),
  } satisfies Handlers<RecordsExported>,
};
