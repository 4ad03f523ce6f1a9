import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { applyChanges } from '../../adapters/postgres/projector/apply-changes.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { createRecordReads } from '../../adapters/postgres/read-model/record-search.ts';
import { createPairReads } from '../../adapters/postgres/read-model/suspected-pairs.ts';
import { parseSearch } from '../../projections/lists/records.ts';
import { upsert } from '../../projections/projection.ts';
import { encodeCourse } from '../../projections/tables/course-codec.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { courseOfInes } from '../support/birth-records.ts';

/** Pages ask for open pairs all the time: they must not read a whole practice, nor every pair. */

const pairs = databaseSuite('open pairs among many records');

const PRACTICE = 'cedar';
const RECORDS = 5_000;
/** So many records of one birth make 1,770 pairs. */
const ALIKE = 60;

const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** The last records are of one birth, each flagged for the first of them. */
const rowsOf = (n: number) => {
  const oldest = RECORDS - ALIKE;
  const isFlagged = n > oldest;
  const at = new Date(1_780_000_000_000 + n * 1_000).toISOString();
  const flag = { submission_uuid: uuidOf(n), duplicate_of: uuidOf(oldest) };
  return [
    upsert('birth_record', {
      submission_uuid: uuidOf(n),
      practice_id: PRACTICE,
      chart_number: `C-${n}`,
      status: 'live',
      version: 1,
      source: 'fhir_push',
      key_kind: 'native',
      changed_at: at,
      stream: `record-${n}`,
      revision: '0',
      stamp: null,
      was_flagged: isFlagged,
      duplicate_of: isFlagged ? flag.duplicate_of : null,
      voided_at: null,
      fingerprints: [`2:birth-${Math.min(n, oldest)}`],
      providers: [],
      attendant: null,
      certifier: null,
      is_prefilled: false,
      fetal_deaths: 0,
      recorded_position: String(n),
      changed_position: String(n),
      partner_key: null,
      recorded_at: at,
      actor_kind: 'key',
      actor_id: 'test',
      course: encodeCourse(courseOfInes, null),
      chart_folded: `c-${n}`,
      mother_name: 'Ines',
      child_names: null,
      born: null,
      children: 1,
      place: 'Home',
      words: `'ines'`,
    }),
    ...(isFlagged
      ? [
          upsert('duplicate_pair', {
            ...flag,
            practice_id: PRACTICE,
            is_dismissed: false,
            since: at,
            actor_kind: 'key',
            actor_id: 'test',
          }),
        ]
      : []),
  ];
};

pairs.before(async ({ db }) => {
  await ensureReadSchema(db, 'registry');
  await applyChanges(db, 'read', Array.from({ length: RECORDS }, (_, n) => rowsOf(n)).flat());
  await sql`vacuum analyze`.execute(db);
});

pairs(
  'each newer record is listed once, with the oldest that it may be the same as',
  async ({ db }) => {
    const listed = await createPairReads(db).listSuspected(PRACTICE);
    // One for each newer record, and not one for each two of them.
    assert.is(listed.length, ALIKE - 1);
    assert.is(new Set(listed.map(({ newer }) => newer)).size, ALIKE - 1);
    assert.equal([...new Set(listed.map(({ older }) => older))], [uuidOf(RECORDS - ALIKE)]);
    assert.equal([...new Set(listed.map(({ recordsAlike }) => recordsAlike))], [ALIKE - 1]);
  },
);

pairs('the list of records shows each that is the newer one of a pair', async ({ db }) => {
  const search = { ...parseSearch(''), status: null, source: null, onlyDuplicates: true };
  const { found, records } = await createRecordReads(db).findRecords(PRACTICE, search, {
    skip: 0,
    most: 5,
  });
  assert.is(found, ALIKE - 1);
  assert.equal([...new Set(records.map((one) => one.isSuspectedDuplicate))], [true]);
});

pairs.run();
