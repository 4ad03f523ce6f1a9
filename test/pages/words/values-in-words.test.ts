import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  buildPathLabel,
  type CourseContext,
  formatChanges,
  formatValueAt,
} from '../../../api/pages/text/course-values.ts';
import {
  formatDate,
  formatDateAndTime,
  formatMonth,
} from '../../../api/pages/text/format-dates.ts';
import { DEFAULT_TIME_FORMAT } from '../../../api/pages/text/format-times.ts';
import { formatTransfer } from '../../../api/pages/text/format-values.ts';
import { type CourseOfCare, emptyChild } from '../../../domain/course/course.ts';
import { FIELDS } from '../../../domain/course/fields.ts';
import { courseOfInes } from '../../support/birth-records.ts';
import { buildTransfer } from '../../support/transfers.ts';

const table = suite('values as people write them');

const words: CourseContext = {
  timeZone: 'America/New_York',
  clock: '12',
  providerName: (id) => (id === 'p-1' ? 'Dr. Noor van Dijk, MD' : null),
  customFields: new Map([['f-1', { label: 'Visit', type: 'date' }]]),
};

const course: CourseOfCare = {
  ...courseOfInes,
  mother: {
    ...courseOfInes.mother,
    given_names: ['Ana', 'Inês'],
    race: ['2106-3', '2028-9'],
    height_cm: 165.1,
    prepregnancy_weight_kg: 68,
    age_at_delivery: 1,
  },
  children: [
    {
      ...emptyChild(),
      birth_weight_grams: 3_400,
      birth_time: '2026-05-12T14:03:27-07:00',
      gestational_age_weeks: 39,
      gestational_age_days: 4,
      sex: 'female',
      nicu_admission: false,
    },
    { ...emptyChild(), birth_time: '2026-05-12T18:03:00Z', gestational_age_weeks: 36 },
  ],
  delivery_method: '11466000',
  attendant: 'p-1',
  certifier: 'p-2',
  custom: { 'f-1': '2026-05-13', gone: 4_000 },
};

const rows: Readonly<Record<string, string | null>> = {
  'mother.given_names': 'Ana Inês',
  'mother.race': 'White, Asian',
  'mother.height_cm': '165.1 cm (5 ft 5 in)',
  'mother.prepregnancy_weight_kg': '68 kg (150 lb)',
  'mother.age_at_delivery': '1 year',
  'mother.family_name': null,
  'children.0.birth_weight_grams': '3,400 g (7 lb 8 oz)',
  'children.0.birth_time': 'May 12, 2026, 2:03 PM',
  'children.1.birth_time': 'May 12, 2026, 2:03 PM',
  'children.0.gestational_age_weeks': '39 weeks 4 days',
  'children.1.gestational_age_weeks': '36 weeks',
  'children.0.sex': 'Female',
  'children.0.nicu_admission': 'No',
  'children.7.sex': null,
  delivery_method: 'Cesarean',
  attendant: 'Dr. Noor van Dijk, MD',
  certifier: 'Unnamed provider',
  'consent.granted': 'Not granted',
  'custom.f-1': 'May 13, 2026',
  'custom.gone': '4,000',
  nonsense: null,
};

for (const [path, expect] of Object.entries(rows))
  table(`${path} reads ${expect ?? 'as not stated'}`, () => {
    assert.is(formatValueAt(course, path, words), expect);
  });

table('a change tells days with weeks, once, and the place in words', () => {
  const [first, second] = course.children;
  if (first === undefined || second === undefined) throw new Error('Two children are needed.');
  const after = {
    ...course,
    children: [{ ...first, gestational_age_weeks: 40, gestational_age_days: 0 }, second],
  };
  assert.equal(formatChanges(course, after, words), [
    {
      path: 'children.0.gestational_age_weeks',
      label: 'Child 1: gestational age',
      from: '39 weeks 4 days',
      to: '40 weeks',
    },
  ]);
});

table('labels stand alone and inside a sentence', () => {
  assert.is(buildPathLabel('mother.address.postal_code', 1, words), 'Mother: ZIP code');
  assert.is(buildPathLabel('children.0.apgar_five_minute', 1, words), 'Child: Apgar at 5 minutes');
  assert.is(buildPathLabel('transfers.1.facility', 1, words), 'Transfer 2: other facility');
  assert.is(buildPathLabel('custom.f-1', 1, words), 'Visit');
  assert.is(buildPathLabel('custom.gone', 1, words), 'A field of your practice');
  for (const { label } of FIELDS) assert.not.match(label, /FHIR|stream|projection|JSON|_/);
});

table('dates that are partial stay partial', () => {
  assert.is(formatDate('2026'), '2026');
  assert.is(formatDate('2026-05'), 'May 2026');
  assert.is(formatMonth('2026-02'), 'February 2026');
  assert.is(formatDateAndTime('2026-05-12', DEFAULT_TIME_FORMAT), 'May 12, 2026');
  assert.is(
    formatDateAndTime('2026-05-12T00:05:00', DEFAULT_TIME_FORMAT),
    'May 12, 2026, 12:05 AM',
  );
  assert.is(
    formatDateAndTime('2026-05-12T12:05:00', DEFAULT_TIME_FORMAT),
    'May 12, 2026, 12:05 PM',
  );
  assert.is(
    formatDateAndTime('2026-05-12T09:05:00', { timeZone: 'Asia/Tokyo', clock: '24' }),
    'May 12, 2026, 09:05',
  );
});

table('a transfer is one sentence', () => {
  const transfer = buildTransfer({ type: 'infant', direction: 'out', facility: 'East Hospital' });
  assert.is(formatTransfer(transfer), 'Infant transferred out to East Hospital');
  assert.is(
    formatTransfer(buildTransfer({ type: null, direction: 'in', facility: null })),
    'Transferred in from another facility',
  );
  for (const [stated, words] of [
    [
      { hours_after_birth: 1, timing: 'after birth', urgency: 'emergency' },
      'Infant transferred out to East Hospital, 1 hour after birth, emergency',
    ],
    [
      { place: 'hospital', child_birth_order: 2, hours_after_birth: 30 },
      'Infant with birth order 2 transferred out to East Hospital (a hospital), 30 hours after birth',
    ],
    [
      {
        type: 'mother',
        direction: 'in',
        place: 'home',
        facility: null,
        timing: 'during labor',
        reason: 'Slow progress',
      },
      'Mother transferred in from home, during labor, reason: Slow progress',
    ],
    [
      { direction: null, facility: null, place: 'birth center' },
      'Infant transferred, a birth center',
    ],
  ] as const)
    assert.is(formatTransfer({ ...transfer, ...stated }), words);
});

for (const [text, words, timeZone = 'America/New_York'] of [
  ['2026-11-01T01:30:00-04:00', 'Nov 1, 2026, 01:30 EDT'],
  ['2026-11-01T01:30:00-05:00', 'Nov 1, 2026, 01:30 EST'],
  ['2026-11-01T06:30:00Z', 'Nov 1, 2026, 01:30 EST'],
  ['2026-11-01T00:10:00-04:00', 'Nov 1, 2026, 00:10 EDT'],
  ['2026-10-31T23:50:00-04:00', 'Oct 31, 2026, 23:50 EDT'],
  ['2026-11-01T03:10:00-05:00', 'Nov 1, 2026, 03:10 EST'],
  ['2026-11-01T14:00:00-05:00', 'Nov 1, 2026, 14:00'],
  ['2026-10-31T14:00:00-04:00', 'Oct 31, 2026, 14:00'],
  ['2026-11-02T01:30:00-05:00', 'Nov 2, 2026, 01:30'],
  ['2026-11-01T01:30:00', 'Nov 1, 2026, 01:30 EDT or EST'],
  ['2026-11-01T00:30:00', 'Nov 1, 2026, 00:30 EDT'],
  ['2026-03-08T02:30:00', 'Mar 8, 2026, 02:30 (skipped by the clocks)'],
  ['2026-03-08T03:30:00-04:00', 'Mar 8, 2026, 03:30 EDT'],
  ['2026-11-01T01:30:00-06:00', 'Nov 1, 2026, 01:30 GMT-6'],
  ['2026-11-01T01:30:00-07:00', 'Nov 1, 2026, 01:30', 'America/Phoenix'],
  ['2026-11-01T01:30:00-10:00', 'Nov 1, 2026, 01:30', 'Pacific/Honolulu'],
  ['2026-11-01T01:30:00', 'Nov 1, 2026, 01:30', 'Pacific/Guam'],
  ['2026-04-05T01:45:00+10:30', 'Apr 5, 2026, 01:45 GMT+10:30', 'Australia/Lord_Howe'],
  ['9999-12-31T23:59:00-14:00', 'Dec 31, 9999, 23:59'],
  ['0001-01-01T00:00:00+14:00', 'Jan 1, 0001, 00:00'],
] as const)
  table(`${text} in ${timeZone} is ${words}`, () => {
    assert.is(formatDateAndTime(text, { timeZone, clock: '24' }), words);
  });

table.run();
