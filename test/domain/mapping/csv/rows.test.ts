import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listExportedCells } from '../../../../api/export/export-files.ts';
import { createOffsetAt } from '../../../../api/practice-time/practice-clock.ts';
import {
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
  type Mother,
} from '../../../../domain/course/course.ts';
import type { OffsetAt } from '../../../../domain/course/local-times.ts';
import { type ImportColumn, normalizeHeader } from '../../../../domain/mapping/csv/column-names.ts';
import { readHeader } from '../../../../domain/mapping/csv/header.ts';
import { findClearedColumns, readRow } from '../../../../domain/mapping/csv/row.ts';
import { parseCourse } from '../../../../domain/mapping/form/parse-course.ts';
import { buildResultRows, listFilledRows } from '../../../../domain/submission/import-result.ts';

const rows = suite('rows of a file');

const read = (
  headers: readonly string[],
  cells: readonly string[],
  offsetAt: OffsetAt = () => null,
  mappings: readonly ImportColumn[] = [],
) => {
  const header = readHeader(headers, [], mappings);
  if (header.kind === 'refused') throw new Error(header.problem);
  return readRow({ row: 2, cells }, header.columns, (values) =>
    parseCourse(values, {
      today: '2026-06-01',
      offsetAt,
      customFields: [],
      existing: null,
      unitIsNamed: true,
    }),
  );
};

const HEADERS = [
  'chart_number',
  'place_of_birth',
  'child1_birth_date',
  'child1_birth_weight_grams',
];

rows('a row is a course of care', () => {
  const reading = read(HEADERS, [' C-1 ', 'home', '5/12/2026', '3400']);
  assert.is(reading.kind, 'course');
  if (reading.kind !== 'course') return;
  assert.is(reading.course.chart_number, 'C-1');
  assert.is(reading.course.place_of_birth, 'Home');
  assert.is(reading.course.children[0]?.birth_date, '2026-05-12');
  assert.is(reading.course.children[0]?.birth_weight_grams, 3400);
});

for (const [heading, cell, grams] of [
  ['Weight (lb)', '7.5', 3401.942775],
  ['Weight in kg', '3,4', 3400],
  ['Weight [oz]', '120', 3401.942775],
  ['Weight (lb)', '3400 g', 3400],
  ['Weight', '3400', 3400],
] as const)
  rows(`numbers are in the unit that their heading names: ${cell} of ${heading}`, () => {
    const path = 'children.0.birth_weight_grams';
    const mapping = { heading: normalizeHeader(heading), label: heading, path };
    const headers = ['chart_number', 'place_of_birth', 'child1_birth_date', heading];
    const reading = read(headers, ['C-1', 'home', '5/12/2026', cell], () => null, [mapping]);
    assert.ok(reading.kind === 'course');
    assert.is(reading.course.children[0]?.birth_weight_grams, grams);
  });

for (const [cells, race, reason] of [
  [['Declined', ''], [], 'declined'],
  [['Patient refused', ''], [], 'declined'],
  [['Unknown', ''], [], 'unknown'],
  [['', 'prefer not to say'], [], 'declined'],
  [['', 'UNK'], [], 'unknown'],
  [['Declined', 'asked but unknown'], [], 'asked but unknown'],
  [['White', ''], ['2106-3'], null],
  [['', ''], [], null],
] as const)
  rows(`a race, and why none is given: ${cells.join(' and ') || 'neither'}`, () => {
    const reading = read(
      ['place_of_birth', 'child1_birth_date', 'mother_race', 'mother_race_absent_reason'],
      ['home', '5/12/2026', ...cells],
    );
    if (reading.kind === 'refused') throw new Error(reading.errors[0]?.message);
    assert.equal(reading.course.mother.race, race);
    assert.is(reading.course.mother.race_absent_reason, reason);
  });

for (const [cells, expected] of [
  [{ hispanic_origins: 'Puerto Rican' }, { ethnicity: '2135-2', hispanic_origins: ['2180-8'] }],
  [
    { hispanic_origins: 'Yes, Mexican, Mexican American, Chicana; Yes, Cuban' },
    { ethnicity: '2135-2', hispanic_origins: ['2148-5', '2182-4'] },
  ],
  [
    { other_hispanic_origin: 'Salvadoran' },
    {
      ethnicity: '2135-2',
      hispanic_origins: ['other-hispanic'],
      other_hispanic_origin: 'Salvadoran',
    },
  ],
  [{ other_hispanic_origin: 'unknown' }, {}],
  [{ hispanic_origins: 'No, not Spanish/Hispanic/Latina' }, { ethnicity: '2186-5' }],
  [{ hispanic_origins: 'Declined' }, { ethnicity_absent_reason: 'declined' }],
  [{ ethnicity: 'Patient refused' }, { ethnicity_absent_reason: 'declined' }],
  [
    { ethnicity_absent_reason: 'asked but unknown' },
    { ethnicity_absent_reason: 'asked but unknown' },
  ],
  [
    { ethnicity: 'Not Hispanic', hispanic_origins: 'Cuban' },
    { ethnicity: '2186-5', hispanic_origins: ['2182-4'] },
  ],
  [
    { tribes: 'Navajo; Confederated Tribes of Coos, Lower Umpqua' },
    { race: ['1002-5'], tribes: ['Navajo', 'Confederated Tribes of Coos, Lower Umpqua'] },
  ],
  [
    { race: 'White; Chinese', other_asian_races: 'Hmong' },
    { race: ['2106-3', '2034-7', 'other-asian'], other_asian_races: ['Hmong'] },
  ],
  [{ other_races: 'Garifuna; n/a' }, { race: ['2131-1'], other_races: ['Garifuna'] }],
] as readonly (readonly [Readonly<Record<string, string>>, Partial<Mother>])[])
  rows(`a column of origins: ${Object.entries(cells).flat().join(' ')}`, () => {
    const names = Object.keys(cells).map((name) => `mother_${name}`);
    const reading = read(
      ['place_of_birth', 'child1_birth_date', ...names],
      ['home', '5/12/2026', ...Object.values(cells)],
    );
    if (reading.kind === 'refused') throw new Error(reading.errors[0]?.message);
    assert.equal(reading.course.mother, { ...emptyMother(), ...expected });
  });

for (const [name, cell, id] of [
  ['hispanic_origins', 'Cuban; Salvadoran', 'answer-unknown'],
  ['tribes', 'Navajo; Hopi; Zuni', 'names-too-long'],
] as const)
  rows(`a column of origins that does not fit: ${name} ${cell}`, () => {
    const reading = read(
      ['place_of_birth', 'child1_birth_date', `mother_${name}`],
      ['home', '5/12/2026', cell],
    );
    assert.equal(reading.kind === 'refused' && reading.errors.map((one) => one.id), [id]);
  });

const TIMED = ['place_of_birth', 'child1_birth_date', 'child1_birth_time'];

for (const [date, time, said] of [
  ['11/2/2025', '1:30 AM', 'child1_birth_time time-twice'],
  ['11/2/2025', '2025-11-02 01:30', 'child1_birth_time time-twice'],
  ['3/8/2026', '2:30 AM', 'child1_birth_time time-skipped'],
  ['11/2/2025', '1:30 AM EST', '2025-11-02T01:30:00-05:00'],
  ['11/2/2025', '1:30 AM first', '2025-11-02T01:30:00-04:00'],
  ['11/2/2025', '2025-11-02T01:30:00-05:00', '2025-11-02T01:30:00-05:00'],
] as const)
  rows(`a row of ${date} at ${time} says ${said}`, () => {
    const newYork = createOffsetAt('America/New_York');
    const reading = read(TIMED, ['Home', date, time], newYork);
    const birthTime = reading.kind === 'course' ? reading.course.children[0]?.birth_time : null;
    const errors = reading.kind === 'refused' ? reading.errors : [];
    assert.is(birthTime ?? errors.map(({ column, id }) => `${column} ${id}`).join(), said);
    if (reading.kind !== 'course') return;
    // As it leaves, it comes back.
    const header = readHeader(TIMED, []);
    const columns = header.kind === 'refused' ? [] : header.columns.filter((one) => one !== null);
    const again = read(TIMED, listExportedCells(reading.course, columns), newYork);
    assert.equal(again.kind === 'course' && again.course.children, reading.course.children);
  });

rows('twins stand in one row', () => {
  const reading = read(
    [...HEADERS, 'child2_birth_date', 'child2_sex'],
    ['C-1', 'Home', '5/12/2026', '2400', '5/12/2026', 'male'],
  );
  assert.is(reading.kind === 'course' && reading.course.children.length, 2);
});

rows('errors are told by the names of the template, and what is missing too', () => {
  const reading = read(['chart_number', 'Child 1 Birth Date'], ['C-1', '31.12.2026']);
  assert.is(reading.kind, 'refused');
  if (reading.kind !== 'refused') return;
  assert.equal(reading.errors.map(({ column }) => column).sort(), [
    'child1_birth_date',
    'place_of_birth',
  ]);
});

rows('a row with cells beyond the last column is refused', () => {
  const reading = read(HEADERS, ['C-1', 'Home', '5/12/2026', '3400', '', 'more']);
  assert.match(
    reading.kind === 'refused' ? (reading.errors[0]?.message ?? '') : '',
    /more cells than there are columns/,
  );
});

rows('a cell of more than 5,000 characters is refused', () => {
  const reading = read(HEADERS, ['C-1', 'x'.repeat(5_001), '', '']);
  assert.equal(reading.kind === 'refused' && reading.errors.map(({ column }) => column), [
    'place_of_birth',
  ]);
});

rows('what an amendment takes away is told by column', () => {
  const held = {
    ...emptyCourseOfCare(),
    wic: true,
    place_of_birth: 'Home' as const,
    custom: { f: 'x' },
    children: [{ ...emptyChild(), apgar_five_minute: 9, sex: 'female' as const }],
  };
  const sent = {
    ...emptyCourseOfCare(),
    place_of_birth: 'Hospital' as const,
    children: [{ ...emptyChild(), sex: 'male' as const }],
  };
  assert.equal(findClearedColumns(held, sent), ['wic', 'child1_apgar_five_minute']);
});

rows('the filled rows are numbered around the empty ones', () => {
  assert.equal([...listFilledRows(4, [2, 4, 5])], [3, 6, 7, 8]);
});

rows('outcomes of a chunk are lines in the order of the file', () => {
  const rowOf = [...listFilledRows(53, [3])];
  const lines = buildResultRows(
    {
      chunk: 1,
      accepted: [
        { reference: 'C-50', submission_uuid: 'u-50', amended: true, version: 3 },
        { reference: 'record[52]', submission_uuid: 'u-52', suspected_duplicate: true },
      ],
      rejected: [
        {
          reference: 'record[51]',
          rejections: [
            {
              id: 'neither-yes-nor-no',
              code: 'value',
              diagnostics: 'Mend it.',
              expression: ['wic'],
            },
          ],
        },
      ],
      rejectedAt: [51],
    },
    rowOf,
  );
  assert.equal(lines, [
    {
      row: 53,
      chartNumber: 'C-50',
      outcome: 'amended',
      version: 3,
      isSuspectedDuplicate: false,
      reasons: [],
      submissionUuid: 'u-50',
    },
    {
      row: 54,
      chartNumber: null,
      outcome: 'refused',
      version: null,
      isSuspectedDuplicate: false,
      reasons: ['wic: Mend it.'],
      submissionUuid: null,
    },
    {
      row: 55,
      chartNumber: null,
      outcome: 'recorded',
      version: null,
      isSuspectedDuplicate: true,
      reasons: [],
      submissionUuid: 'u-52',
    },
  ]);
});

for (const column of ['prenatal_visits', 'previous_births_living'] as const)
  rows(`99 in the column ${column} is not known, and the preview says so`, () => {
    const reading = read([...HEADERS, column], ['C-1', 'Home', '11/4/2025', '', '99']);
    if (reading.kind !== 'course') throw new Error('refused');
    assert.is(reading.course[column], null);
    assert.equal(
      reading.course.warnings.map(({ field, id }) => [field, id]),
      [[column, 'code-for-unknown']],
    );
    assert.ok(reading.notices.some((one) => one.column === column && one.id === 'count-unknown'));
  });

rows('9999 grams and 99 weeks are refused as before', () => {
  const columns = [...HEADERS, 'child1_gestational_age_weeks'];
  for (const [grams, weeks] of [
    ['9999', ''],
    ['', '99'],
  ] as const)
    assert.is(read(columns, ['C-1', 'Home', '11/4/2025', grams, weeks]).kind, 'refused');
});

rows('a date of 9999 is refused, a state by its name is read', () => {
  const columns = [...HEADERS, 'mother_birth_date', 'mother_address_state'];
  assert.is(read(columns, ['C-1', 'Home', '11/4/2025', '', '12/31/9999', '']).kind, 'refused');
  const reading = read(columns, ['C-1', 'Home', '11/4/2025', '', '6/2/1994', 'Alabama']);
  assert.is(reading.kind === 'course' && reading.course.mother.address.state, 'AL');
});

rows.run();
