import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CourseOfCare } from '../../../../domain/course/course.ts';
import { maskForPartner } from '../../../../domain/course/mask.ts';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import { splitSubmission } from '../../../../domain/mapping/bfdr/bundle-splitter.ts';
import { type MappedCourse, mapCourse } from '../../../../domain/mapping/bfdr/course-mapper.ts';
import type { Lane } from '../../../../domain/mapping/bfdr/place-of-birth.ts';
import {
  type BirthParts,
  birthBundle,
  courseOf,
  mapBundle,
  observation,
  rejectionsOf,
} from '../../../support/bundles.ts';
import { buildTransfer } from '../../../support/transfers.ts';

const LANES: readonly Lane[] = ['native', 'partner'];
const FOLDER = new URL('../../../fixtures/reading/', import.meta.url);
const bundleIn = (file: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`${file}.json`, FOLDER), 'utf8'));
const readIn = (file: string): CourseOfCare => courseOf(bundleIn(file));
const warningsOf = ({ warnings }: CourseOfCare): readonly (readonly [string, string])[] =>
  warnings.map(({ field, id }) => [field, id]);
const entriesOf = (bundle: JsonObject): readonly JsonObject[] =>
  bundle['entry'] as readonly JsonObject[];

// One resource listed twice

test('a child that is listed twice is one child', () => {
  for (const file of ['01a-child-listed-twice', '01d-child-twice-without-fullurl'])
    for (const lane of LANES) assert.is(courseOf(bundleIn(file), lane).children.length, 1, file);
  assert.is(readIn('01a-child-listed-twice').children[0]?.birth_weight_grams, 3400);
});

test('two children that are alike and have different ids are two', () => {
  assert.is(readIn('01e-control-two-children-alike').children.length, 2);
});

const twice = (type: string, newer: JsonObject = {}): JsonObject => {
  const bundle = birthBundle();
  const again = entriesOf(bundle).filter(
    ({ resource }) => (resource as JsonObject)['resourceType'] === type,
  );
  const entry = again.map((one) => ({
    ...one,
    resource: { ...(one['resource'] as object), ...newer },
  }));
  return { ...bundle, entry: [...entriesOf(bundle), ...entry] };
};

test('a mother who is listed twice is one mother, as her newest version has her', () => {
  const profile = ['http://x.org/Patient-mother-vr'];
  const mother = (family: string, lastUpdated: string): JsonObject => ({
    resourceType: 'Patient',
    id: 'm',
    meta: { profile, lastUpdated },
    name: [{ family }],
  });
  const more = [mother('New', '2026-03-14T09:00:00Z'), mother('Old', '2026-03-13T09:00:00Z')];
  assert.is(courseOf(birthBundle({ mother: null, more })).mother.family_name, 'New');
});

test('an Encounter and a Location that are listed twice are one', () => {
  assert.is(courseOf(twice('Encounter')).place_of_birth, 'Hospital');
  const corrected = { type: [{ coding: [{ code: '91154008' }] }] };
  assert.is(courseOf(twice('Location', corrected)).place_of_birth, 'Birth center');
});

test('a whole Bundle whose entries are all listed twice is the same course of care', () => {
  const bundle = birthBundle({ children: [{}, { given: ['Sol'] }] });
  const doubled = { ...bundle, entry: [...entriesOf(bundle), ...entriesOf(bundle)] };
  assert.equal(courseOf(doubled), courseOf(bundle));
});

// A plan read as fact

for (const file of ['08a-planned-location-first', '08b-planned-encounter-first'])
  test(`the place where the birth took place wins over the planned one: ${file}`, () => {
    for (const lane of LANES) assert.is(courseOf(bundleIn(file), lane).place_of_birth, 'Hospital');
  });

const PLACES: readonly JsonObject[] = ['22232009', '408839006'].map((code) => ({
  resourceType: 'Location',
  id: code,
  type: [{ coding: [{ code }] }],
}));
const [HOSPITAL, HOME] = ['Location/22232009', 'Location/408839006'] as const;
const stay = (reference: string, rest: JsonObject = {}): JsonObject => ({
  location: { reference },
  ...rest,
});
const placeWith = (parts: Partial<BirthParts>): string | null =>
  courseOf(birthBundle({ ...parts, more: [...PLACES, ...(parts.more ?? [])] })).place_of_birth;

for (const [name, rest] of [
  ['reserved', { status: 'reserved' }],
  ['begun on a day after the birth', { period: { start: '2026-03-13' } }],
  ['begun after the time of the birth', { period: { start: '2026-03-12T04:40:00-05:00' } }],
  ['begun after it in another zone', { period: { start: '2026-03-12T09:40:00Z' } }],
] as const)
  test(`a stay at a location that is ${name} gives way to one that is a fact`, () => {
    const location = [stay(HOME, rest), stay(HOSPITAL)];
    assert.is(placeWith({ encounter: { location } }), 'Hospital');
    assert.is(placeWith({ encounter: { location: [stay(HOME, rest)] } }), 'Home', 'alone');
  });

for (const [name, period] of [
  ['ends after the birth', { start: '2026-03-12T01:00:00-05:00', end: '2026-03-15' }],
  ['begins on the day of the birth', { start: '2026-03-12' }],
  ['begins at its minute', { start: '2026-03-12T09:31:00Z' }],
  ['has no beginning', { end: '2026-03-15' }],
] as const)
  test(`a stay that ${name} is a fact`, () => {
    const location = [stay(HOME, { period }), stay(HOSPITAL)];
    assert.is(placeWith({ encounter: { location } }), 'Home');
  });

const encounter = (id: string, rest: JsonObject): JsonObject => ({
  resourceType: 'Encounter',
  id,
  status: 'finished',
  ...rest,
});
const BIRTH = { meta: { profile: ['http://x.org/Encounter-birth'] } };

test('a planned Encounter gives the place where no other has one', () => {
  const more = [encounter('p', { ...BIRTH, status: 'planned', location: [stay(HOME)] })];
  assert.is(placeWith({ encounter: null, more }), 'Home');
  const finished = encounter('f', BIRTH);
  assert.is(placeWith({ encounter: null, more: [...more, finished] }), 'Home');
});

test('the Encounter that the Composition names is that of the birth', () => {
  const more = [
    encounter('a', { ...BIRTH, location: [stay(HOME)] }),
    encounter('b', { location: [stay(HOSPITAL)] }),
    encounter('c', { status: 'planned', location: [stay(HOSPITAL)] }),
    encounter('d', { status: 'cancelled', location: [stay(HOSPITAL)] }),
    encounter('e', {}),
  ];
  const placeBy = (id: string): string | null => {
    const composition = { encounter: { reference: `Encounter/${id}` } };
    return placeWith({ composition, encounter: null, more });
  };
  assert.is(placeBy('b'), 'Hospital');
  for (const id of ['c', 'd', 'e', 'nobody']) assert.is(placeBy(id), 'Home', id);
});

const practitioner = (id: string, text = 'CNM'): JsonObject => ({
  resourceType: 'Practitioner',
  id,
  qualification: [{ code: { text } }],
});
const attended = (reference: string, rest: JsonObject = {}): JsonObject => ({
  type: [{ coding: [{ code: 'ATND' }] }],
  individual: { reference },
  ...rest,
});
const partnerCourse = (parts: BirthParts): CourseOfCare => courseOf(birthBundle(parts), 'partner');

test('a planned Encounter alone gives no attendant, no doula and no transfer', () => {
  const planned = {
    status: 'planned',
    participant: [attended('Practitioner/p'), attended('Practitioner/d')],
    hospitalization: { admitSource: { coding: [{ code: 'hosp-trans' }] } },
    type: [{ text: 'Maternal transfer' }],
  };
  const more = [practitioner('p'), practitioner('d', 'Doula')];
  const course = partnerCourse({ encounter: planned, more });
  assert.equal(
    [course.attendant, course.doula_present, course.transfers, course.place_of_birth],
    [null, null, [], 'Hospital'],
  );
});

test('who came after the birth is the attendant only where nobody else is', () => {
  const late = { period: { start: '2026-03-13T08:00:00-05:00' } };
  const attendantOf = (...participant: readonly JsonObject[]): string | null =>
    partnerCourse({
      encounter: { participant },
      more: [practitioner('late'), practitioner('there')],
    }).attendant;
  const afterwards = attended('Practitioner/late', late);
  assert.is(attendantOf(afterwards, attended('Practitioner/there')), 'there');
  assert.is(attendantOf(afterwards), 'late');
});

test('a doula who came after the birth was not there', () => {
  const doulaBy = (period: JsonObject): boolean | null =>
    partnerCourse({
      encounter: { participant: [{ individual: { reference: 'Practitioner/d' }, period }] },
      more: [practitioner('d', 'Postpartum doula')],
    }).doula_present;
  assert.is(doulaBy({ start: '2026-03-14' }), null);
  assert.is(doulaBy({ start: '2026-03-11', end: '2026-03-14' }), true);
});

// References by search or identifier

test('a Location that a search names is found', () => {
  for (const lane of LANES)
    assert.is(courseOf(bundleIn('09a-location-by-search'), lane).place_of_birth, 'Hospital');
});

test('a search that finds nothing leads nowhere', () => {
  const bundle = bundleIn('09d-control-location-nobody-has');
  assert.equal(
    rejectionsOf(bundle).map(({ id }) => id),
    ['place-of-birth-required'],
  );
});

test('a subject is found by its identifier', () => {
  const identifier = { system: 'urn:ehr:mrn', value: 'N-2' };
  const profile = ['http://x.org/Patient-child-vr'];
  const twin = { resourceType: 'Patient', id: 't', meta: { profile }, identifier: [identifier] };
  const weight = { valueQuantity: { value: 2100, code: 'g' } };
  const course = courseOf(
    birthBundle({ more: [twin, { ...observation('8339-4', weight), subject: { identifier } }] }),
  );
  assert.equal(
    course.children.map(({ birth_weight_grams }) => birth_weight_grams),
    [3400, 2100],
  );
});

test('a participant or attester that is a role leads to its practitioner', () => {
  const role = (rest: JsonObject): JsonObject => ({
    resourceType: 'PractitionerRole',
    id: 'role',
    practitioner: { reference: 'Practitioner/p' },
    ...rest,
  });
  const course = partnerCourse({
    composition: { attester: [{ party: { reference: 'PractitionerRole/role' } }] },
    encounter: { participant: [attended('PractitionerRole/role')] },
    more: [role({}), practitioner('p')],
  });
  assert.equal([course.attendant, course.certifier], ['p', 'p']);
  const contained = {
    participant: [attended('#role')],
    contained: [
      role({ practitioner: { reference: '#p' } }),
      { ...practitioner('p'), identifier: [{ value: 'EHR-p' }] },
    ],
  };
  assert.is(partnerCourse({ encounter: contained }).attendant, 'EHR-p');
  const nowhere = { participant: [attended('PractitionerRole/role')] };
  assert.is(partnerCourse({ encounter: nowhere, more: [role({})] }).attendant, null);
});

// DELETE of something else

test('an update that deletes an old Observation is an update', () => {
  for (const lane of LANES) {
    const course = courseOf(bundleIn('12b-update-that-deletes-an-observation'), lane);
    assert.is(course.children[0]?.birth_weight_grams, 3450);
    assert.equal(course.warnings[0], {
      field: 'chart_number',
      child: null,
      raw: 'Observation',
      id: 'deletion-ignored',
      reason: 'The entry with DELETE does not name this record',
    });
    assert.is(maskForPartner(course).warnings[0]?.raw, null);
  }
  assert.is(mapBundle(bundleIn('12a-first')).kind, 'course');
});

const deleting = (url: string | undefined, rest: JsonObject = {}): JsonObject => {
  const bundle = birthBundle();
  const request = { method: 'DELETE', ...(url === undefined ? {} : { url }) };
  return { ...bundle, entry: [...entriesOf(bundle), { request, ...rest }] };
};

for (const [name, bundle] of [
  ['a Bundle', deleting('Bundle/7')],
  ['Bundles', deleting('Bundle')],
  ['a Bundle whose id is in capitals', deleting('Bundle/MRN')],
  ['a Bundle at an address', deleting('https://ehr.example/fhir/Bundle/7/_history/2')],
  ['a Bundle by a search', deleting('Bundle?_id=7')],
  ['this Bundle by its number', deleting('Bundle?identifier=urn:ehr|MRN-1001')],
  ['a Composition', deleting('Composition/7')],
  ['the chart number', deleting('MRN-1001')],
  ['what has the chart number', deleting('Patient?identifier=urn:ehr%7CMRN-1001')],
  ['nothing', deleting(undefined)],
  ['a blank', deleting(' ')],
  [
    'nothing, and holds a Composition',
    deleting(undefined, { resource: { resourceType: 'Composition' } }),
  ],
] as const)
  test(`a DELETE that names ${name} retracts`, () => {
    for (const lane of LANES) {
      const { kind, chart_number } = mapBundle(bundle, lane);
      assert.equal([kind, chart_number], ['retraction', 'MRN-1001']);
    }
  });

for (const [name, bundle, raw] of [
  ['an Observation', deleting('Observation/old'), 'Observation'],
  ['Observations by a search', deleting('Observation?patient=Patient/child-1'), 'Observation'],
  ['a Patient', deleting('Patient/MRN-1001'), 'Patient'],
  [
    'a Condition at an address',
    deleting('https://ehr.example/fhir/Condition/MRN-1001'),
    'Condition',
  ],
  ['the Bundle of another number', deleting('Bundle?identifier=MRN-1002'), 'Bundle'],
  ['what is no type', deleting('old weight of Luz'), null],
  [
    'nothing, and holds an Observation',
    deleting(undefined, { resource: { resourceType: 'Observation' } }),
    'Observation',
  ],
  [
    'nothing, under the address of an Observation',
    deleting(undefined, { fullUrl: 'http://x.org/Observation/1' }),
    'Observation',
  ],
] as const)
  test(`a DELETE that names ${name} is ignored with a warning`, () => {
    const course = courseOf(bundle);
    assert.equal(
      course.warnings.map((one) => [one.field, one.id, one.raw]),
      [['chart_number', 'deletion-ignored', raw]],
    );
  });

test('what an entry with DELETE holds is not read', () => {
  const weight = observation('8339-4', { valueQuantity: { value: 2100, code: 'g' } });
  const course = courseOf(deleting('Observation/old', { resource: weight }));
  assert.is(course.children[0]?.birth_weight_grams, 3400);
});

const deletions = (...urls: readonly string[]): JsonObject => ({
  resourceType: 'Bundle',
  type: 'transaction',
  entry: urls.map((url) => ({ request: { method: 'DELETE', url } })),
});

test('DELETE Bundle?identifier=X names the chart number by itself', () => {
  const named = deletions('Bundle?identifier=urn:ehr|MRN-7', 'Bundle?identifier=MRN-7');
  const { kind, chart_number, reference } = mapBundle(named);
  assert.equal([kind, chart_number, reference], ['retraction', 'MRN-7', 'MRN-7']);
});

test('two numbers to delete in one Bundle retract neither', () => {
  const both = deletions('Bundle?identifier=MRN-7', 'Bundle?identifier=MRN-8');
  assert.equal(
    rejectionsOf(both).map(({ id }) => id),
    ['no-record-to-retract'],
  );
});

test('a Bundle that only deletes something else retracts nothing', () => {
  const bundle = { ...deletions('Patient/1'), identifier: { value: 'MRN-7' } };
  assert.is(rejectionsOf(bundle)[0]?.id, 'no-mother');
});

const mapOuter = (resource: JsonObject, request: JsonObject): readonly MappedCourse[] => {
  const submission = splitSubmission({ entry: [{ resource, request }] });
  if (submission.kind === 'refused') throw new Error('refused');
  return submission.courses.map((course) => mapCourse(course, 'native', []));
};
const message = (resource: JsonObject): JsonObject => ({
  resourceType: 'Bundle',
  type: 'message',
  entry: [{ resource }],
});

for (const [name, url, kind] of [
  ['a Bundle', 'Bundle/7', 'retraction'],
  ['its number', 'Bundle?identifier=MRN-1001', 'retraction'],
  ['another number', 'Bundle?identifier=MRN-1002', 'course'],
  ['an Observation', 'Observation/7', 'course'],
] as const)
  test(`in a batch, a DELETE of the outer entry that names ${name} gives a ${kind}`, () => {
    for (const resource of [birthBundle(), message(birthBundle())]) {
      const [mapped] = mapOuter(resource, { method: 'DELETE', url });
      assert.is(mapped?.kind, kind);
      if (mapped?.kind === 'course')
        assert.equal(warningsOf(mapped.course), [['chart_number', 'deletion-ignored']]);
    }
  });

test('in a batch, the outer entry can name the number that its Bundle has not', () => {
  const [mapped] = mapOuter(birthBundle({ chartNumber: null }), {
    method: 'DELETE',
    url: 'Bundle?identifier=MRN-7',
  });
  assert.equal([mapped?.kind, mapped?.chart_number], ['retraction', 'MRN-7']);
});

// Another Composition in error

test("the document's own Composition decides, the first", () => {
  assert.is(mapBundle(bundleIn('21b-another-note-was-in-error')).kind, 'course');
  const note = { resourceType: 'Composition', id: 'note', status: 'final' };
  const composition = { status: 'entered-in-error' };
  assert.is(mapBundle(birthBundle({ composition, more: [note] })).kind, 'retraction');
  const more = [{ ...note, status: 'entered-in-error' }];
  for (const status of ['final', 'amended', 'preliminary'])
    assert.is(mapBundle(birthBundle({ composition: { status }, more })).kind, 'course', status);
});

// A value of another day or person

test('the weight of day three is no birth weight', () => {
  const course = readIn('22a-weight-of-day-three');
  assert.is(course.children[0]?.birth_weight_grams, 3400);
  assert.equal(warningsOf(course), [['children.birth_weight_grams', 'not-at-birth']]);
});

test('the week of a visit is not the gestational age at birth', () => {
  const course = readIn('22b-gestational-age-at-a-visit');
  assert.is(course.children[0]?.gestational_age_weeks, 39);
  assert.equal(warningsOf(course), [['children.gestational_age_weeks', 'not-at-birth']]);
});

test('a general weight without a time is the birth weight', () => {
  const course = readIn('22d-control-general-weight-alone');
  assert.is(course.children[0]?.birth_weight_grams, 3150);
  assert.equal(course.warnings, []);
});

const bare = { weight: null, weeks: null, apgarFive: null };
const grams = (value: number, rest: JsonObject = {}, code = '29463-7'): JsonObject => ({
  ...observation(code, { valueQuantity: { value, code: 'g' } }),
  ...rest,
});
const weightOf = (...more: readonly JsonObject[]): number | null | undefined =>
  courseOf(birthBundle({ children: [bare], more })).children[0]?.birth_weight_grams;

for (const [name, rest, expected] of [
  ['an hour after the birth', { effectiveDateTime: '2026-03-12T05:31:00-05:00' }, 3000],
  ['within 24 hours in another zone', { effectiveInstant: '2026-03-13T09:30:00Z' }, 3000],
  ['25 hours after the birth', { effectiveDateTime: '2026-03-13T05:32:00-05:00' }, null],
  ['on the day of the birth', { effectiveDateTime: '2026-03-12' }, 3000],
  ['two days after it', { effectiveDateTime: '2026-03-14' }, null],
  ['in a period that ends days after it', { effectivePeriod: { end: '2026-03-16' } }, null],
  ['in its month', { effectiveDateTime: '2026-03' }, 3000],
] as const)
  test(`a general weight taken ${name} ${expected === null ? 'is left out' : 'counts'}`, () => {
    assert.is(weightOf(grams(3000, rest)), expected);
  });

test('a code of the birth weight alone outranks a general one, wherever they stand', () => {
  const [own, general] = [grams(3400, {}, '8339-4'), grams(3000)];
  for (const more of [
    [own, general],
    [general, own],
    [
      { ...own, status: 'preliminary' },
      { ...general, status: 'final' },
    ],
  ])
    assert.is(weightOf(...more), 3400);
});

test('of the general weights of the first day the first is the birth weight', () => {
  const first = grams(3400, { effectiveDateTime: '2026-03-12T05:00:00-05:00' });
  const later = grams(3300, { effectiveDateTime: '2026-03-12T20:00:00-05:00' });
  for (const more of [
    [first, later],
    [later, first],
  ])
    assert.is(weightOf(...more), 3400);
});

test('11884-4 outranks the other gestational ages', () => {
  const weeks = (code: string, value: number): JsonObject =>
    observation(code, { valueQuantity: { value, code: 'wk' } });
  for (const code of ['18185-9', '57714-8', '76516-4']) {
    const more = [weeks('11884-4', 39), weeks(code, 38)];
    const [child] = courseOf(birthBundle({ children: [bare], more })).children;
    assert.is(child?.gestational_age_weeks, 39, code);
  }
});

const PEOPLE: readonly JsonObject[] = [
  { resourceType: 'Patient', id: 'brother', birthDate: '2023-01-01' },
  { resourceType: 'RelatedPerson', id: 'father' },
];

for (const subject of ['Patient/brother', 'RelatedPerson/father'])
  test(`a value of ${subject}, who is neither mother nor child, is left out with a warning`, () => {
    const values = [
      grams(4100, { subject: { reference: subject } }, '8339-4'),
      observation('8302-2', { valueQuantity: { value: 183, code: 'cm' } }, subject),
      observation('68493-6', { valueInteger: 4 }, subject),
    ];
    const course = courseOf(birthBundle({ children: [bare], more: [...PEOPLE, ...values] }));
    assert.equal(
      [course.children[0]?.birth_weight_grams, course.mother.height_cm, course.prenatal_visits],
      [null, null, null],
    );
    assert.equal(warningsOf(course), [
      ['children.birth_weight_grams', 'subject-unrelated'],
      ['mother.height_cm', 'subject-unrelated'],
      ['prenatal_visits', 'subject-unrelated'],
    ]);
  });

test('a value of somebody who is not in the Bundle gives way to one of the child', () => {
  const absent = grams(4100, { subject: { reference: 'Patient/brother' } }, '8339-4');
  const own = grams(3400, {}, '8339-4');
  for (const more of [
    [absent, own],
    [own, absent],
    [absent, grams(3400)],
  ]) {
    const course = courseOf(birthBundle({ children: [bare], more }));
    assert.is(course.children[0]?.birth_weight_grams, 3400);
    assert.equal(warningsOf(course), [['children.birth_weight_grams', 'subject-unrelated']]);
  }
  assert.is(weightOf(absent), 4100, 'the only child, where there is no other');
});

test('a height of somebody who is not in the Bundle gives way to one of the mother', () => {
  const height = (value: number, subject: string): JsonObject =>
    observation('8302-2', { valueQuantity: { value, code: 'cm' } }, subject);
  const more = [height(165, 'Patient/mother'), height(183, 'Patient/father')];
  assert.is(courseOf(birthBundle({ more })).mother.height_cm, 165);
});

// Unknown modifier extensions

const MODIFIED = { modifierExtension: [{ url: 'http://x.org/not', valueBoolean: true }] };

for (const [name, parts, readers, field] of [
  [
    'a stay at a location',
    { encounter: { location: [stay(HOME, MODIFIED), stay(HOSPITAL)] }, more: PLACES },
    (course: CourseOfCare) => course.place_of_birth === 'Hospital',
    'place_of_birth',
  ],
  [
    'an Encounter',
    { more: [...PLACES, encounter('x', { ...BIRTH, ...MODIFIED, location: [stay(HOME)] })] },
    (course: CourseOfCare) => course.place_of_birth === 'Hospital',
    'place_of_birth',
  ],
  [
    'a participant',
    {
      encounter: { participant: [attended('Practitioner/p', MODIFIED)] },
      more: [practitioner('p')],
    },
    (course: CourseOfCare) => course.attendant === null,
    'attendant',
  ],
  [
    'a hospitalization',
    {
      encounter: {
        hospitalization: { ...MODIFIED, admitSource: { coding: [{ code: 'hosp-trans' }] } },
      },
    },
    (course: CourseOfCare) => course.transfers.length === 0,
    'transfers.facility',
  ],
  [
    'an Observation',
    { children: [bare], more: [grams(3400, MODIFIED, '8339-4')] },
    (course: CourseOfCare) => course.children[0]?.birth_weight_grams === null,
    'children.birth_weight_grams',
  ],
  [
    'the value of an Observation',
    {
      children: [bare],
      more: [grams(0, { valueQuantity: { value: 3400, code: 'g', ...MODIFIED } }, '8339-4')],
    },
    (course: CourseOfCare) => course.children[0]?.birth_weight_grams === null,
    'children.birth_weight_grams',
  ],
  [
    'the ounces of a weight',
    {
      children: [bare],
      more: [
        observation('8339-4', {
          valueQuantity: { value: 7, code: '[lb_av]' },
          component: [{ valueQuantity: { value: 8, code: '[oz_av]' }, ...MODIFIED }],
        }),
      ],
    },
    (course: CourseOfCare) => course.children[0]?.birth_weight_grams === null,
    'children.birth_weight_grams',
  ],
  [
    'a component of a panel',
    {
      children: [bare],
      more: [
        observation('panel', {
          component: [
            { code: { coding: [{ code: '9274-2' }] }, valueInteger: 9, ...MODIFIED },
            { code: { coding: [{ code: '9272-6' }] }, valueInteger: 8 },
          ],
        }),
      ],
    },
    ({ children: [child] }: CourseOfCare) =>
      child?.apgar_five_minute === null && child.apgar_one_minute === 8,
    'children.apgar_five_minute',
  ],
  [
    'a Consent',
    { more: [{ resourceType: 'Consent', status: 'active', ...MODIFIED }] },
    (course: CourseOfCare) => !course.consent.granted,
    'consent.status',
  ],
  [
    'a provision of a Consent',
    {
      more: [
        { resourceType: 'Consent', status: 'active', provision: { type: 'deny', ...MODIFIED } },
      ],
    },
    (course: CourseOfCare) => !course.consent.granted,
    'consent.status',
  ],
  [
    'a Composition',
    {
      composition: {
        ...MODIFIED,
        status: 'entered-in-error',
        author: [{ reference: 'Practitioner/p' }],
      },
      more: [practitioner('p')],
    },
    (course: CourseOfCare) => course.certifier === null,
    'certifier',
  ],
] as const)
  test(`${name} with an unknown modifier extension is left out with a warning`, () => {
    const course = partnerCourse(parts);
    assert.ok(readers(course));
    assert.equal(warningsOf(course), [[field, 'modifier-unknown']]);
  });

const modifiedPatient = (id: string, rest: JsonObject): JsonObject => {
  const bundle = birthBundle();
  const entry = entriesOf(bundle).map((one) => {
    const resource = one['resource'] as JsonObject;
    return resource['id'] === id ? { ...one, resource: { ...resource, ...rest } } : one;
  });
  return { ...bundle, entry };
};

test('a name with an unknown modifier extension is left out with a warning', () => {
  const name = [{ family: 'Wrong', ...MODIFIED }, { family: 'Marin' }];
  const mother = courseOf(modifiedPatient('mother', { name }));
  assert.is(mother.mother.family_name, 'Marin');
  assert.equal(warningsOf(mother), [['mother.family_name', 'modifier-unknown']]);
  const child = courseOf(modifiedPatient('child-1', { name }));
  assert.equal(
    child.warnings.map((one) => [one.field, one.child]),
    [['children.family_name', 0]],
  );
});

test('a Patient with an unknown modifier extension stays in its role, without its content', () => {
  const course = courseOf(modifiedPatient('mother', MODIFIED));
  assert.equal([course.mother.family_name, course.mother.birth_date], [null, null]);
  assert.equal(warningsOf(course), [['mother.family_name', 'modifier-unknown']]);
  const { children } = courseOf(modifiedPatient('child-1', MODIFIED));
  assert.equal([children.length, children[0]?.birth_weight_grams], [1, 3400]);
});

test('a native record is not warned of providers, which it never has', () => {
  const encounterWith = { participant: [attended('Practitioner/p', MODIFIED)] };
  assert.equal(courseOf(birthBundle({ encounter: encounterWith })).warnings, []);
});

// Roles of the guide, and places that it has and the registry refuses

const SNOMED = 'http://snomed.info/sct';
const LOCAL = 'http://hl7.org/fhir/us/bfdr/CodeSystem/CodeSystem-local-bfdr-codes';
const coded = (system: string, code: string): JsonObject => ({ coding: [{ system, code }] });
const inRole = (physicalType: JsonObject | null, more: JsonObject = {}): BirthParts => ({
  place: null,
  location: { type: [coded(LOCAL, 'loc_birth')], ...more },
  stay: physicalType === null ? {} : { physicalType },
});

test('loc_birth beside a vehicle is En route, in both lanes', () => {
  const vehicle = coded('http://x.org', 've');
  for (const lane of LANES) {
    for (const parts of [inRole(null, { physicalType: vehicle }), inRole(vehicle)])
      assert.is(courseOf(birthBundle(parts), lane).place_of_birth, 'En route');
  }
});

test('loc_birth decides nothing: the place is missing without another code', () => {
  const bundle = birthBundle(inRole(null));
  assert.equal(
    rejectionsOf(bundle).map(({ id }) => id),
    ['place-of-birth-required'],
  );
  assert.is(courseOf(bundle, 'partner').place_of_birth, null);
});

test('loc_birth leaves no warning beside a place', () => {
  const location = { type: [coded(LOCAL, 'loc_birth'), coded(SNOMED, '91154008')] };
  const course = courseOf(birthBundle({ place: null, location }));
  assert.equal([course.place_of_birth, course.warnings], ['Birth center', []]);
});

for (const [name, parts] of [
  ['loc_birth', inRole(coded(SNOMED, '264362003'))],
  [
    'HOSP',
    {
      ...inRole(coded(SNOMED, '264362003')),
      location: { type: [coded('http://terminology.hl7.org/CodeSystem/v3-RoleCode', 'HOSP')] },
    },
  ],
] as const)
  test(`a refused code of a place is named as what was refused, beside ${name}`, () => {
    for (const lane of LANES) {
      const [rejection, ...others] = rejectionsOf(birthBundle(parts), lane);
      assert.is(others.length, 0);
      assert.equal(
        [rejection?.id, rejection?.named, rejection?.code],
        ['place-of-birth-code', '264362003', 'code value'],
      );
      assert.match(
        rejection?.diagnostics ?? '',
        /Encounter\.location\.physicalType code 264362003: use .*408838003 or unknownplannedhomebirth\./,
      );
    }
  });

test('a refused code of a place is named without any Location.type', () => {
  const physicalType = coded(SNOMED, '264362003');
  const bundle = birthBundle({ place: null, stay: { physicalType } });
  assert.is(rejectionsOf(bundle)[0]?.named, '264362003');
  const course = courseOf(bundle, 'partner');
  assert.is(course.place_of_birth, null);
  assert.equal(warningsOf(course), [['place_of_birth', 'place-of-birth-unknown']]);
});

/** A birth of which only the guide's element names the place. */
const inGuide = (system: string, code: string) => inRole(coded(system, code));
const UNKNOWN_FLAVOR = 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor';
const answered = (value: JsonObject): BirthParts => ({
  more: [observation('73765-0', value, 'Patient/mother')],
});
const typedHome = { location: { type: [coded(SNOMED, '408839006')] } };
const PLAN_DIFFERS = [['planned_home_birth', 'planned-home-contradicted']];

for (const [name, parts, place, plan, planned, warnings] of [
  ['a planned home birth', inGuide(SNOMED, '408839006'), 'Home', 'yes', null, []],
  ['an unplanned home birth', inGuide(SNOMED, '408838003'), 'Home', 'no', null, []],
  ['under any system', inGuide('urn:x', '408838003'), 'Home', 'no', null, []],
  [
    'a home birth of unknown plan',
    inGuide(LOCAL, 'unknownplannedhomebirth'),
    'Home',
    'unknown',
    null,
    [],
  ],
  ['a clinic', inGuide(SNOMED, '67190003'), 'Clinic', null, null, []],
  ['a clinic by the other code', inGuide(SNOMED, '39350007'), 'Clinic', null, null, []],
  ['another place', inGuide(UNKNOWN_FLAVOR, 'OTH'), 'Other', null, null, []],
  [
    'the plan beside a Location.type that says Home',
    { ...inGuide(SNOMED, '408838003'), ...typedHome },
    'Home',
    'no',
    null,
    [],
  ],
  [
    'no plan beside a Location.type of another place',
    { ...inGuide(SNOMED, '408838003'), location: { type: [coded(SNOMED, '22232009')] } },
    'Hospital',
    null,
    null,
    [],
  ],
  [
    'the place by Location.type, where the table knows it',
    { ...inGuide(SNOMED, '67190003'), location: { type: [coded(SNOMED, '67190003')] } },
    'Home',
    null,
    null,
    [],
  ],
  ['no plan from Location.type', { place: '408839006' }, 'Home', null, null, []],
  [
    'the answer yes',
    { ...typedHome, ...answered({ valueBoolean: true }) },
    'Home',
    'yes',
    'Home',
    [],
  ],
  ['the answer no', { ...typedHome, ...answered({ valueBoolean: false }) }, 'Home', 'no', null, []],
  [
    'the answer no as a code',
    { ...typedHome, ...answered({ valueCodeableConcept: coded('urn:x', 'N') }) },
    'Home',
    'no',
    null,
    [],
  ],
  [
    'the answer unknown',
    { ...typedHome, ...answered({ valueCodeableConcept: coded(UNKNOWN_FLAVOR, 'UNK') }) },
    'Home',
    'unknown',
    null,
    [],
  ],
  [
    'the place before an answer that differs',
    { ...inGuide(SNOMED, '408838003'), ...answered({ valueBoolean: true }) },
    'Home',
    'no',
    'Home',
    PLAN_DIFFERS,
  ],
  [
    'the place beside the same answer',
    { ...inGuide(SNOMED, '408839006'), ...answered({ valueBoolean: true }) },
    'Home',
    'yes',
    'Home',
    [],
  ],
] as const)
  test(`a home birth, and whether it was planned: ${name}`, () => {
    const course = courseOf(birthBundle(parts));
    assert.equal(
      [course.place_of_birth, course.planned_home_birth, course.planned_place_of_birth],
      [place, plan, planned],
    );
    assert.equal(warningsOf(course), warnings);
  });

test('UNK is no place, also beside loc_birth', () => {
  const bundle = birthBundle(inGuide(UNKNOWN_FLAVOR, 'UNK'));
  assert.equal(
    rejectionsOf(bundle).map(({ id, code }) => [id, code]),
    [['place-of-birth-required', 'required']],
  );
  assert.is(courseOf(bundle, 'partner').place_of_birth, null);
});

test('a room or an unknown place is no refused code', () => {
  for (const physicalType of [
    coded('http://terminology.hl7.org/CodeSystem/location-physical-type', 'ro'),
    coded('http://terminology.hl7.org/CodeSystem/v3-NullFlavor', 'UNK'),
  ])
    assert.is(
      rejectionsOf(birthBundle({ place: null, stay: { physicalType } }))[0]?.id,
      'place-of-birth-required',
    );
});

// Transfers

test('a transfer from a place that is said to be unknown is none', () => {
  const course = readIn('cdc-07-transfer-unknown');
  assert.equal(course.transfers, []);
  assert.equal(warningsOf(course), [['transfers.facility', 'facility-unknown']]);
});

test('the facilities of transfers are found by the type of their Location', () => {
  assert.equal(readIn('cdc-08-transfer-facilities-by-type').transfers, [
    buildTransfer({ type: 'infant', direction: 'out', facility: 'East Hospital' }),
    buildTransfer({ type: 'mother', direction: 'in', facility: 'North Hospital' }),
  ]);
});

const ADMITTED = { admitSource: { coding: [{ code: 'hosp-trans' }] } };
const transferredFrom = (name: string | null, rest: JsonObject = {}): JsonObject => ({
  resourceType: 'Location',
  id: `from-${name}`,
  ...(name === null ? {} : { name }),
  type: [coded(LOCAL, 'loc_transfer-from')],
  ...rest,
});
const transfersWith = (hospitalization: JsonObject, ...more: readonly JsonObject[]) =>
  courseOf(birthBundle({ encounter: { hospitalization }, more })).transfers.map(
    ({ direction, facility }) => [direction, facility],
  );

test('a facility by type counts where exactly one Location has it', () => {
  const [north, east] = [transferredFrom('North'), transferredFrom('East')];
  assert.equal(transfersWith(ADMITTED, north), [['in', 'North']]);
  assert.equal(transfersWith(ADMITTED, north, east), [['in', null]]);
  assert.equal(transfersWith(ADMITTED), [['in', null]]);
});

test('a stated facility comes before one by type', () => {
  const origin = { reference: 'Location/from-East' };
  const east = { ...transferredFrom('East'), type: [] };
  assert.equal(transfersWith({ ...ADMITTED, origin }, transferredFrom('North'), east), [
    ['in', 'East'],
  ]);
  assert.equal(
    transfersWith({ ...ADMITTED, origin: { display: 'West' } }, transferredFrom('North')),
    [['in', 'West']],
  );
});

for (const [name, stated, more] of [
  ['by type', ADMITTED, [transferredFrom('Unknown')]],
  ['in a display', { ...ADMITTED, origin: { display: 'UNK' } }, []],
  ['in words', { ...ADMITTED, origin: { display: 'Unknown facility' } }, []],
  [
    'by data-absent-reason',
    ADMITTED,
    [
      transferredFrom(null, {
        _name: {
          extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason' }],
        },
      }),
    ],
  ],
  [
    'as the destination',
    {
      dischargeDisposition: { coding: [{ code: 'other-hcf' }] },
      destination: { display: 'unknown' },
    },
    [],
  ],
] as const)
  test(`no transfer is recorded where the place is unknown ${name}`, () => {
    assert.equal(transfersWith(stated, ...more), []);
  });

test('a hospital whose name only begins like it is a facility', () => {
  const origin = { display: 'Unknown Soldier Memorial Hospital' };
  assert.equal(transfersWith({ ...ADMITTED, origin }), [
    ['in', 'Unknown Soldier Memorial Hospital'],
  ]);
});

test.run();
