import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import * as codes from '../../../domain/course/codes.ts';
import {
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  WARNING_REASONS,
} from '../../../domain/course/course.ts';
import { EDIT_FLAGS } from '../../../domain/course/edit-flags.ts';
import { FIELDS } from '../../../domain/course/fields.ts';
import { maskForPartner } from '../../../domain/course/mask.ts';
import type { JsonObject } from '../../../domain/fhir/json.ts';
import { splitSubmission } from '../../../domain/mapping/bfdr/bundle-splitter.ts';
import { mapCourse } from '../../../domain/mapping/bfdr/course-mapper.ts';
import { READ_TYPES } from '../../../domain/mapping/bfdr/unread-elements.ts';
import { explainMask } from '../../../scripts/offline/mask-notes.ts';
import { birthBundle, courseOf, twinsBundle } from '../../support/bundles.ts';
import { buildCompleteBundle, removeNarratives } from '../../support/complete-bundle.ts';
import { readAllPublished, testPublished } from '../../support/published-bundles.ts';
import { runs } from '../../support/runs.ts';

const full: CourseOfCare = {
  chart_number: 'MRN-1001',
  stamp: '2026-03-14T10:00:00.000000000Z',
  ig_version: '2.0.0',
  mother: {
    family_name: 'Marin',
    given_names: ['Rosa'],
    suffix: 'Sr',
    birth_surname: 'Vega',
    birth_date: '1994-06-02',
    age_at_delivery: 31,
    race: ['2106-3', 'Basque'],
    tribes: ['Navajo'],
    other_asian_races: ['Hmong'],
    other_pacific_races: ['Tongan'],
    other_races: ['Garifuna'],
    race_absent_reason: 'asked but unknown',
    ethnicity: '2135-2',
    hispanic_origins: ['2182-4', 'other-hispanic', 'Tejana'],
    other_hispanic_origin: 'Salvadoran',
    ethnicity_absent_reason: 'declined',
    address: {
      line: '12 Elm',
      city: 'Mesa',
      county: 'Pinal',
      state: 'az',
      postal_code: '85001',
      country: 'US',
    },
    phone: '555-0101',
    medical_record_number: '77',
    height_cm: 170.18,
    prepregnancy_weight_kg: 65.5,
    delivery_weight_kg: 78,
    education: 'BD',
  },
  children: [
    {
      ...emptyChild(),
      family_name: 'Marin',
      given_names: ['Luz'],
      suffix: 'III',
      birth_date: '2026-03-12',
      birth_time: '2026-03-12T04:31:00-05:00',
      sex: 'female',
      birth_order: 1,
      medical_record_number: '78',
      birth_weight_grams: 3400,
      apgar_five_minute: 9,
      presentation: 'Face first',
    },
  ],
  plurality: 1,
  last_menstrual_period: '2025-06-05',
  first_prenatal_visit: '2025-07-20',
  prenatal_visits: 8,
  prenatal_care_site: 'Main Street Clinic',
  wic: false,
  cigarettes_before: 0,
  cigarettes_first_trimester: 0,
  cigarettes_second_trimester: 0,
  cigarettes_third_trimester: 0,
  previous_births_living: 1,
  previous_births_dead: 0,
  last_live_birth: '2021-03',
  previous_cesareans: 0,
  other_outcomes: 1,
  last_other_outcome: '2019-11-30',
  place_of_birth: 'Hospital',
  planned_place_of_birth: 'Home',
  delivery_method: '700000006',
  trial_of_labor: true,
  birth_position: 'On the stairs',
  induction: true,
  induction_indication: 'post-term',
  induction_agents: ['oxytocin', 'a herbal tea'],
  augmentation: false,
  augmentation_agents: [],
  stat_cesarean: false,
  doula_present: true,
  delayed_cord_clamping: true,
  planned_home_birth: 'no',
  attendant: 'EHR-7',
  certifier: 'EHR-8',
  attendant_name: 'Maya Lindqvist',
  attendant_title: 'cnm-cm',
  mother_transfer: false,
  transfers: [
    {
      type: 'infant',
      child_birth_order: 1,
      direction: 'out',
      place: 'hospital',
      facility: 'East Hospital',
      timing: 'after birth',
      hours_after_birth: 6,
      urgency: 'urgent',
      reason: 'Respiratory distress',
    },
  ],
  consent: { granted: true, status: 'active', date_time: '2026-03-01' },
  sources: [{ field: 'mother.family_name', subject: 'mother', child: null, source: 'ehr_pull' }],
  warnings: [
    {
      field: 'children.apgar_one_minute',
      child: 0,
      raw: 14,
      id: 'out-of-range',
      reason: 'The number is outside the possible range',
    },
  ],
  edit_flags: [
    { field: 'mother.birth_date', child: null, flag: '1' },
    { field: 'prenatal_visits', child: null, flag: '2' },
    { field: 'children.birth_weight_grams', child: 0, flag: '7' },
  ],
  custom: { insurer: 'Acme' },
};

test('the mask keeps the spine and nothing else', () => {
  const empty = emptyCourseOfCare();
  assert.equal(maskForPartner(full), {
    ...full,
    mother: {
      ...empty.mother,
      age_at_delivery: 31,
      race: ['2106-3'],
      race_absent_reason: 'asked but unknown',
      ethnicity: '2135-2',
      hispanic_origins: ['2182-4', 'other-hispanic'],
      ethnicity_absent_reason: 'declined',
      address: { ...empty.mother.address, state: 'AZ' },
      height_cm: 170.18,
      prepregnancy_weight_kg: 65.5,
      delivery_weight_kg: 78,
      education: 'BD',
    },
    children: [
      {
        ...emptyChild(),
        birth_date: '2026',
        sex: 'female',
        birth_order: 1,
        birth_weight_grams: 3400,
        apgar_five_minute: 9,
      },
    ],
    last_live_birth: '2021',
    last_other_outcome: '2019',
    last_menstrual_period: null,
    first_prenatal_visit: null,
    prenatal_care_site: null,
    birth_position: null,
    induction_agents: ['oxytocin'],
    attendant_name: null,
    attendant_title: null,
    transfers: [
      {
        type: 'infant',
        child_birth_order: 1,
        direction: 'out',
        place: 'hospital',
        facility: null,
        timing: 'after birth',
        hours_after_birth: 6,
        urgency: 'urgent',
        reason: null,
      },
    ],
    sources: [],
    edit_flags: [{ field: 'prenatal_visits', child: null, flag: '2' }],
    warnings: [
      {
        field: 'children.apgar_one_minute',
        child: 0,
        raw: null,
        id: 'out-of-range',
        reason: 'The number is outside the possible range',
      },
    ],
    custom: {},
  });
});

test('masking twice is masking once', () => {
  assert.equal(maskForPartner(maskForPartner(full)), maskForPartner(full));
});

for (const [name, state, expected] of [
  ['a USPS code', 'UT', 'UT'],
  ['in any case', 'ut', 'UT'],
  ['no name of a state', 'Utah', null],
  ['nothing else', 'XX', null],
] as const) {
  test(`address.state: ${name} is ${expected === null ? 'dropped' : 'kept'}`, () => {
    const { mother } = full;
    const masked = maskForPartner({
      ...full,
      mother: { ...mother, address: { ...mother.address, state } },
    });
    assert.is(masked.mother.address.state, expected);
  });
}

for (const [name, stamp, isKept] of [
  ['as the registry writes it', '2026-03-14T10:00:00.000000000Z', true],
  ['with the offset of a place', '2026-03-14T05:00:00-05:00', false],
] as const)
  test(`stamp: one ${name} is ${isKept ? 'kept' : 'dropped'}`, () => {
    assert.is(maskForPartner({ ...full, stamp }).stamp, isKept ? stamp : null);
  });

test('a text in the place of a number, or a word that no choice knows, is dropped', () => {
  const odd = {
    ...full,
    plurality: 'Rosa',
    place_of_birth: 'Rosa',
    wic: 'Rosa',
    stamp: 'Rosa',
    ig_version: 'Rosa',
  };
  const masked = maskForPartner(odd as unknown as CourseOfCare);
  assert.not(JSON.stringify(masked).includes('Rosa'));
});

test('a warning is known by its id: one of an unknown field or id is dropped, and no words are kept', () => {
  const warnings = [
    { field: 'Rosa', child: null, raw: null, id: 'unit-unknown', reason: 'The unit is unknown' },
    { field: 'plurality', child: null, raw: null, id: 'Rosa', reason: 'The unit is unknown' },
    { field: 'plurality', child: 'Rosa', raw: 'Rosa', id: 'unit-unknown', reason: 'Rosa' },
  ];
  const masked = maskForPartner({ ...full, warnings } as unknown as CourseOfCare);
  assert.equal(masked.warnings, [
    {
      field: 'plurality',
      child: null,
      raw: null,
      id: 'unit-unknown',
      reason: 'The unit is unknown',
    },
  ]);
});

test('a code of an origin says Hispanic if the ethnicity was a text', () => {
  const mother = { ...full.mother, ethnicity: 'Tejana' };
  assert.is(maskForPartner({ ...full, mother }).mother.ethnicity, '2135-2');
});

test('fields that the table does not name are gone', () => {
  const more = { ...full, rosa: 1, mother: { ...full.mother, rosa: 1 } };
  assert.not(JSON.stringify(maskForPartner(more as CourseOfCare)).includes('rosa'));
});

// What ● marks in the documented record, written out once more on purpose.
const KEPT = `chart_number stamp ig_version mother.age_at_delivery mother.race
mother.race_absent_reason mother.ethnicity mother.hispanic_origins mother.ethnicity_absent_reason mother.address.state mother.height_cm mother.prepregnancy_weight_kg mother.delivery_weight_kg
mother.education children.birth_date children.sex children.birth_order children.fetal_death
children.living children.birth_weight_grams children.gestational_age_weeks
children.gestational_age_days children.apgar_one_minute children.apgar_five_minute
children.apgar_ten_minute children.presentation children.nicu_admission
children.breastfed_at_discharge children.transfer_within_day plurality prenatal_visits wic cigarettes_before
cigarettes_first_trimester cigarettes_second_trimester cigarettes_third_trimester
previous_births_living previous_births_dead last_live_birth previous_cesareans other_outcomes last_other_outcome place_of_birth
planned_place_of_birth planned_home_birth delivery_method trial_of_labor birth_position
induction induction_indication induction_agents augmentation augmentation_agents stat_cesarean doula_present
delayed_cord_clamping attendant certifier mother_transfer transfers.type
transfers.child_birth_order transfers.direction transfers.place transfers.timing transfers.hours_after_birth transfers.urgency
consent.granted consent.status consent.date_time
warnings edit_flags`.split(/\s+/);

test('the allow-list is the documented one', () => {
  const kept = FIELDS.filter(({ mask }) => mask !== 'dropped').map(({ path }) => path);
  assert.equal(kept, KEPT);
});

test('the table of fields holds every field of a course of care', () => {
  const names = new Set(FIELDS.map(({ path }) => path.split('.')[0]));
  assert.equal([...names].sort(), Object.keys(emptyCourseOfCare()).sort());
  const ofChild = FIELDS.filter(({ parent }) => parent === 'children').map(({ name }) => name);
  assert.equal(ofChild, Object.keys(emptyChild()));
});

test('the mask is explained field by field', () => {
  const notes = new Map(explainMask(full).map((note) => [note.field, note]));
  const outcome = (field: string) => notes.get(field)?.outcome;
  assert.is(outcome('mother.family_name'), 'dropped');
  assert.is(outcome('mother.race'), 'reduced');
  assert.is(outcome('mother.address.state'), 'reduced');
  assert.is(outcome('children.birth_date'), 'reduced');
  assert.is(outcome('children.birth_weight_grams'), 'kept');
  assert.is(outcome('children.presentation'), 'dropped');
  assert.is(outcome('children.apgar_ten_minute'), 'empty');
  assert.is(outcome('transfers.facility'), 'dropped');
  assert.is(outcome('warnings'), 'reduced');
  assert.equal(notes.get('children.birth_date'), {
    field: 'children.birth_date',
    index: 0,
    outcome: 'reduced',
    why: 'Only the year is on the allow-list',
  });
  assert.is(notes.size, FIELDS.length);
});

test('the explanation agrees with the mask and holds no value', () => {
  const course = courseOf(birthBundle(), 'partner');
  const text = JSON.stringify(explainMask(course));
  for (const value of ['Marin', 'Rosa', 'Luz', '1994-06-02', 'MRN-1001'])
    assert.not(text.includes(value));
});

const OWN: readonly JsonObject[] = [
  removeNarratives(buildCompleteBundle()),
  birthBundle(),
  twinsBundle(2_450, '2026-03-14T10:00:00Z'),
];
const PUBLISHED = readAllPublished('fixtures/bfdr').map(removeNarratives);

const stringsIn = (json: unknown): readonly string[] => {
  if (typeof json === 'string') return [json];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(stringsIn) : [];
};

const maskedOf = (bundle: JsonObject): readonly CourseOfCare[] => {
  const submission = splitSubmission(bundle);
  if (submission.kind !== 'courses') return [];
  return submission.courses
    .map((course) => mapCourse(course, 'partner', []))
    .flatMap((mapped) => (mapped.kind === 'course' ? [maskForPartner(mapped.course)] : []));
};

const KNOWN_WORDS: ReadonlySet<string> = new Set([
  ...Object.values(codes).flatMap((table) =>
    table instanceof Map || table instanceof Set ? [...table.keys()].map(String) : [],
  ),
  ...codes.PLACES_OF_BIRTH,
  ...FIELDS.flatMap(({ path, values = [] }) => [path, ...values]),
  ...Object.entries(WARNING_REASONS).flat(),
  ...EDIT_FLAGS.flatMap(({ codes: known }) => known.map(({ digit }) => digit)),
]);

/** Paths of what the registry does not read: no name of a sender's. */
const UNREAD_PATHS: ReadonlySet<string> = new Set([
  ...READ_TYPES.flatMap((type) => [type, `${type}.extension`]),
  'Observation.code',
]);

const isAllowed = (text: string, course: CourseOfCare): boolean =>
  UNREAD_PATHS.has(text) ||
  KNOWN_WORDS.has(text) ||
  [course.chart_number, course.attendant, course.certifier].includes(text) ||
  /^\d{4}$/.test(text) ||
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{9}Z$/.test(text) ||
  text === course.ig_version ||
  text === course.consent.date_time;

const checkStrings = (bundles: readonly JsonObject[]): number => {
  const courses = bundles.flatMap(maskedOf);
  for (const course of courses)
    for (const text of stringsIn(course)) assert.ok(isAllowed(text, course), text);
  return courses.length;
};

test('no submitted string passes the mask outside the allow-list', () => {
  assert.is(checkStrings(OWN), OWN.length);
});

testPublished(
  test,
  'fixtures/bfdr',
  'no submitted string of a published Bundle passes the mask outside the allow-list',
  () => assert.is(checkStrings(PUBLISHED), 10),
);

type Place = { readonly holder: Record<string, unknown>; readonly key: string };

const stringPlacesIn = (json: unknown): readonly Place[] => {
  if (typeof json !== 'object' || json === null) return [];
  const holder = json as Record<string, unknown>;
  return Object.entries(holder).flatMap(([key, value]) =>
    typeof value === 'string' ? [{ holder, key }] : stringPlacesIn(value),
  );
};

const checkMarked = (bundles: readonly JsonObject[]): void => {
  const marked = fc.record({
    bundle: fc.constantFrom(...bundles),
    index: fc.nat(),
    mark: fc.stringMatching(/^QX[a-z]{6}$/),
  });
  const places = new Map(bundles.map((bundle) => [bundle, stringPlacesIn(bundle)]));
  fc.assert(
    fc.property(marked, ({ bundle, index, mark }) => {
      const candidates = places.get(bundle) ?? [];
      const place = candidates[index % candidates.length];
      if (place === undefined) return;
      const before = place.holder[place.key];
      place.holder[place.key] = mark;
      try {
        for (const course of maskedOf(bundle)) {
          const { chart_number: _, attendant: __, certifier: ___, ...rest } = course;
          assert.not(JSON.stringify(rest).includes(mark));
        }
      } finally {
        place.holder[place.key] = before;
      }
    }),
    runs(2_500),
  );
};

test('a marked string passes the mask nowhere but as chart number or provider identity', () =>
  checkMarked(OWN));

testPublished(
  test,
  'fixtures/bfdr',
  'a marked string of a published Bundle passes the mask nowhere else, either',
  () => checkMarked(PUBLISHED),
);

test.run();
