import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EVENT_SCHEMAS } from '../../adapters/event-log/schemas/event-schemas.ts';
import {
  compareVersions,
  READ_MODEL_VERSION,
  type TablesVersion,
} from '../../adapters/postgres/projector/tables-version.ts';
import { STREAM_PREFIXES } from '../../domain/stream-names.ts';
import { ingestionReceipts } from '../../projections/tables/ingestion-receipts.ts';

const versions = suite('versions of read tables');

const OWN = 'receipts:6 records:10';

const CASES: readonly {
  readonly name: string;
  readonly tables: string;
  readonly is: TablesVersion;
}[] = [
  { name: 'the same parts', tables: OWN, is: 'same' },
  { name: 'an added part', tables: `${OWN} weeks:1`, is: 'newer' },
  { name: 'a higher part', tables: 'receipts:7 records:10', is: 'newer' },
  {
    name: 'a higher and an added part, in any order',
    tables: 'weeks:1 records:11 receipts:6',
    is: 'newer',
  },
  { name: 'a lower part', tables: 'receipts:5 records:10', is: 'other' },
  { name: 'a lower part beside a higher one', tables: 'receipts:7 records:9', is: 'other' },
  { name: 'a missing part', tables: 'receipts:6', is: 'other' },
  { name: 'a missing part beside an added one', tables: 'receipts:6 weeks:1', is: 'other' },
  { name: 'a part that was renamed', tables: 'receipts:6 births:11', is: 'other' },
  {
    name: 'the same parts as no version of ours writes them',
    tables: 'records:10 receipts:6',
    is: 'other',
  },
  { name: 'a part twice', tables: `${OWN} records:11`, is: 'other' },
  { name: 'nothing', tables: '', is: 'other' },
  { name: 'a word', tables: 'another', is: 'other' },
  { name: 'a part without a version', tables: `${OWN} weeks`, is: 'other' },
  { name: 'a part without a number', tables: `${OWN} weeks:new`, is: 'other' },
  { name: 'a version that no part has', tables: `${OWN} weeks:0`, is: 'other' },
  { name: 'two spaces', tables: `${OWN}  weeks:1`, is: 'other' },
];
for (const { name, tables, is } of CASES)
  versions(`${name}: ${is}`, () => {
    assert.is(compareVersions(tables, OWN), is);
  });

/** As stored by a service of this release. */
const VERSION_OF_0_2_0 =
  'checkpoint:2 ingestion_receipts:6 birth_records:10 duplicate_pairs:2 overruled_voids:2 record_questions:4 record_gaps:3 refused_records:3 work_answers:2 statistics_facts:4 practices:4 custom_fields:1 api_keys:5 partners:1 members:7 staff:3 providers:1 career_entries:2 audit_entries:6 access_entries:6 record_exports:1 log_tree:1 record_listing:6 statistics_exclusion:2 look_alike:1 open_duplicate_pair:2 overruled_void:1 open_question:1 replaced_attribution:1';

versions('tables of 0.2.0 are rebuilt', () => {
  assert.is(compareVersions(VERSION_OF_0_2_0), 'other');
});

// A part that is removed or renamed would let an earlier version replace the tables of a later one.
versions('no part of an earlier release is missing or lower', () => {
  assert.is(compareVersions(READ_MODEL_VERSION, VERSION_OF_0_2_0), 'newer');
});

versions('no two parts have one name', () => {
  const names = READ_MODEL_VERSION.split(' ').map((part) => part.split(':')[0]);
  assert.is(new Set(names).size, names.length);
});

versions('a new type of event, newer data of one, or a new kind of stream makes it newer', () => {
  const parts = new Map(
    READ_MODEL_VERSION.split(' ').map((part) => part.split(':')) as [string, string][],
  );
  for (const [type, { version }] of Object.entries(EVENT_SCHEMAS))
    assert.is(parts.get(type), String(version), type);
  assert.is(parts.get('streams'), String(STREAM_PREFIXES.length));
  assert.is(compareVersions(`${READ_MODEL_VERSION} BirthSealed:1`), 'newer');
});

const COLUMNS_OF_RECEIPTS = {
  ingestion: {
    ingestion_id: 'text not null',
    practice_id: 'text not null',
    source: 'text not null',
    status: 'text not null',
    revision: 'bigint not null',
    received_at: 'timestamptz not null',
    error: 'text',
    exception: 'text',
    correlation_id: 'text not null',
    completed_at: 'text',
  },
  ingestion_outcome: {
    ingestion_id: 'text not null',
    chunk: 'integer not null',
    accepted: 'json not null',
    rejected: 'json not null',
  },
};

// Processes of an earlier version read them while those of a later one take over.
versions('the columns of receipts are what they were', () => {
  const columns: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
    ingestionReceipts.tables.map((table) => [table.name, table.columns]),
  );
  for (const [table, types] of Object.entries(COLUMNS_OF_RECEIPTS))
    for (const [column, type] of Object.entries(types))
      assert.is(columns[table]?.[column], type, `${table}.${column}`);
});

versions.run();
