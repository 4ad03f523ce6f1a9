import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { applyChanges } from '../../adapters/postgres/projector/apply-changes.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { createRecordReads } from '../../adapters/postgres/read-model/record-search.ts';
import { emptyChild } from '../../domain/course/course.ts';
import { foldForSearch, listSearchableWords } from '../../domain/course/search-words.ts';
import { isDate } from '../../domain/fhir/dates.ts';
import type { RecordSearch } from '../../projections/lists/records.ts';
import { parseSearch } from '../../projections/lists/records.ts';
import { type Change, upsert } from '../../projections/projection.ts';
import { toBirthDayWord } from '../../projections/tables/birth-records.ts';
import { encodeCourse } from '../../projections/tables/course-codec.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { courseOfInes } from '../support/birth-records.ts';

const table = databaseSuite('finding records');

interface Birth {
  readonly chart: string;
  readonly mother: string;
  readonly practice?: string;
  readonly born?: string | null;
  readonly status?: string;
  readonly firstSource?: string;
  readonly id?: string;
  /** Dates of birth beside that of the first child. */
  readonly days?: readonly string[];
  readonly fetalDeaths?: number;
}

const ASTROM = '3f2a9c01-7b1d-5e2f-8a3b-0c1d2e3f4a5b';

const BIRTHS: readonly Birth[] = [
  { chart: 'MRN-1001', mother: 'Rosa Marín', born: '2026-03-12', days: ['1994-08-30'] },
  { chart: 'MRN-2001', mother: 'Ana Åström', born: '2026-04-02', id: ASTROM, fetalDeaths: 1 },
  { chart: '50%_off', mother: 'Eva Lund', born: '2026', status: 'live' },
  { chart: 'C-7', mother: 'Marta Lund', born: '2025-12-31', status: 'voided' },
  { chart: 'EHR-1', mother: 'Pia Ross', born: '2026-05-01', firstSource: 'ehr_pull' },
  { chart: 'C-9', mother: "Mio D'Łund", born: null },
  { chart: 'MRN-1001', mother: 'Rosa Marín', practice: 'other', born: '2026-03-12' },
  { chart: '4-2-2026', mother: 'Ida Falk', born: null, status: 'voided' },
];

const changesOf = (birth: Birth, index: number): readonly Change[] => {
  const id = birth.id ?? randomUUID();
  const practice = birth.practice ?? 'cedar';
  const at = new Date(Date.UTC(2026, 4, 1) - index * 60_000).toISOString();
  const source = birth.firstSource ?? 'fhir_push';
  return [
    upsert('birth_record', {
      submission_uuid: id,
      practice_id: practice,
      chart_number: birth.chart,
      status: birth.status ?? 'live',
      version: 1,
      source,
      key_kind: null,
      changed_at: at,
      stream: `record-${id}`,
      revision: '0',
      stamp: null,
      duplicate_of: null,
      was_flagged: false,
      fingerprints: [],
      providers: [],
      attendant: null,
      certifier: null,
      recorded_position: '1',
      changed_position: '1',
      partner_key: null,
      recorded_at: at,
      voided_at: null,
      actor_kind: 'operator',
      actor_id: 'test',
      is_prefilled: source === 'ehr_pull',
      course: encodeCourse(
        {
          ...courseOfInes,
          children: [
            { ...emptyChild(), birth_weight_grams: 2_400 },
            { ...emptyChild(), birth_weight_grams: null },
          ],
        },
        null,
      ),
      chart_folded: foldForSearch(birth.chart),
      mother_name: birth.mother,
      child_names: null,
      born: birth.born,
      children: 2,
      fetal_deaths: birth.fetalDeaths ?? 0,
      place: 'Home',
      words: [
        ...listSearchableWords(birth.mother),
        ...[birth.born ?? '', ...(birth.days ?? [])].filter(isDate).map(toBirthDayWord),
      ]
        .map((word) => `'${word}'`)
        .join(' '),
    }),
  ];
};

table.before(async ({ db }) => {
  await ensureReadSchema(db, 'registry');
  await applyChanges(db, 'read', BIRTHS.flatMap(changesOf));
});

const ALL: RecordSearch = { ...parseSearch(''), status: null, source: null, onlyDuplicates: false };
const slice = { skip: 0, most: 50 };

const found: readonly (readonly [typed: string, mothers: readonly string[]])[] = [
  [
    '',
    ['Rosa Marín', 'Ana Åström', 'Eva Lund', 'Marta Lund', 'Pia Ross', "Mio D'Łund", 'Ida Falk'],
  ],
  ['mar', ['Rosa Marín', 'Marta Lund']],
  ['ROS', ['Rosa Marín', 'Pia Ross']],
  ['astrom', ['Ana Åström']],
  ['dlund', ["Mio D'Łund"]],
  ['D’Lund', ["Mio D'Łund"]],
  ['lund mar', ['Marta Lund']],
  ['mrn', ['Rosa Marín', 'Ana Åström']],
  ['1001', ['Rosa Marín']],
  ['001', ['Rosa Marín', 'Ana Åström']],
  ['rosa 001', ['Rosa Marín']],
  ['MRN-10', ['Rosa Marín']],
  ['50%_', ['Eva Lund']],
  ['%', []],
  ['_', []],
  ["'", []],
  ['\\', []],
  ['arín', []],
  ['3/12/2026', ['Rosa Marín']],
  ['Aug 30, 1994', ['Rosa Marín']],
  ['mar 1994-08-30', ['Rosa Marín']],
  ['lund 1994-08-30', []],
  ['1994', []],
  ['4/2/2026', ['Ana Åström']],
  // A chart number may look like a date.
  ['4-2-2026', ['Ana Åström', 'Ida Falk']],
  ['falk 4-2-2026', ['Ida Falk']],
  [ASTROM, ['Ana Åström']],
  ['3F2A9C01', ['Ana Åström']],
  ['3f2a9c01-7b1', ['Ana Åström']],
  ['3f2a9c01-7b2', []],
];

for (const [typed, mothers] of found)
  table(`“${typed}” finds ${mothers.length}, the latest change first`, async ({ db }) => {
    const search = { ...ALL, ...parseSearch(typed) };
    const { records, ...count } = await createRecordReads(db).findRecords('cedar', search, slice);
    assert.equal(
      records.map(({ motherName }) => motherName),
      mothers,
    );
    assert.equal(count, { found: mothers.length, isMore: false });
  });

table('filters and pages go with a search', async ({ db }) => {
  const find = createRecordReads(db).findRecords;
  const voided = await find('cedar', { ...ALL, ...parseSearch('lund'), status: 'voided' }, slice);
  assert.equal(
    voided.records.map(({ chartNumber }) => chartNumber),
    ['C-7'],
  );
  const second = await find('cedar', { ...ALL, ...parseSearch('lund') }, { skip: 1, most: 1 });
  assert.equal([second.found, second.records.map(({ chartNumber }) => chartNumber)], [3, ['C-7']]);
  const pulled = await find('cedar', { ...ALL, source: 'ehr_pull' }, slice);
  assert.is(pulled.found, 1);
});

table(
  'live records by birth date, without those whose first source is an EHR launch',
  async ({ db }) => {
    const {
      births,
      found: count,
      years,
    } = await createRecordReads(db).findBirths('cedar', null, slice);
    assert.equal(
      births.map(({ born }) => born),
      ['2026-04-02', '2026-03-12', '2026', null],
    );
    assert.equal(births[0]?.weights, [2_400, null]);
    assert.equal([births[0]?.fetalDeaths, births[1]?.fetalDeaths], [1, 0]);
    assert.equal([count, years], [4, { first: 2026, last: 2026 }]);
    const ofYear = await createRecordReads(db).findBirths('cedar', 2026, slice);
    assert.is(ofYear.found, 3);
  },
);

table.run();
