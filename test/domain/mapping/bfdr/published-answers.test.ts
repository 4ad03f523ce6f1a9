import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { emptyChild, emptyMother } from '../../../../domain/course/course.ts';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import { splitSubmission } from '../../../../domain/mapping/bfdr/bundle-splitter.ts';
import { type MappedCourse, mapCourse } from '../../../../domain/mapping/bfdr/course-mapper.ts';
import type { Lane } from '../../../../domain/mapping/bfdr/place-of-birth.ts';
import { birthBundle, observation } from '../../../support/bundles.ts';
import { buildCompleteBundle } from '../../../support/complete-bundle.ts';
import { listPublished, readPublished, testPublished } from '../../../support/published-bundles.ts';
import { buildTransfer } from '../../../support/transfers.ts';

/** Answers to Bundles in the shapes that others publish, of our own, and to those themselves. */

const mapOnly = (bundle: JsonObject, lane: Lane): MappedCourse => {
  const submission = splitSubmission(bundle);
  if (submission.kind !== 'courses') throw new Error('refused');
  const [course, ...rest] = submission.courses;
  if (course === undefined || rest.length > 0) throw new Error('not one course of care');
  return mapCourse(course, lane, []);
};

const accept = (bundle: JsonObject, lane: Lane) => {
  const result = mapOnly(bundle, lane);
  if (result.kind !== 'course') throw new Error(JSON.stringify(result));
  return result.course;
};

const answerOf = (result: MappedCourse): string | null | readonly string[] => {
  if (result.kind === 'course') return result.course.place_of_birth;
  return result.kind === 'rejected' ? result.rejections.map(({ code }) => code) : result.kind;
};

type Answer = readonly [reference: string | null, native: unknown, partner: unknown];

const NO_PERSONS = ['structure', 'structure'];

const checkAnswer = (bundle: JsonObject, [reference, native, partner]: Answer): void => {
  assert.equal(answerOf(mapOnly(bundle, 'native')), native);
  assert.equal(answerOf(mapOnly(bundle, 'partner')), partner);
  assert.is(mapOnly(bundle, 'native').reference, reference);
};

const BFDR = 'http://hl7.org/fhir/us/bfdr/StructureDefinition';
const COMMON = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';
const hospital = { coding: [{ system: 'http://snomed.info/sct', code: '22232009' }] };
const HEADER = { resource: { resourceType: 'MessageHeader', id: 'header' } };
const withoutEncounter = birthBundle({ encounter: null });

const stillborn = birthBundle({
  children: [],
  encounter: {
    meta: { profile: [`${BFDR}/Encounter-maternity`] },
    subject: { reference: 'Patient/mother' },
  },
  more: [
    {
      resourceType: 'Patient',
      id: 'fetus',
      meta: { profile: [`${BFDR}/Patient-decedent-fetus`] },
      deceasedBoolean: true,
      _deceasedBoolean: {
        extension: [{ url: `${COMMON}/Extension-patient-fetal-death-vr`, valueBoolean: true }],
      },
      multipleBirthInteger: 3,
      _multipleBirthInteger: {
        extension: [
          {
            url: 'http://hl7.org/fhir/StructureDefinition/patient-multipleBirthTotal',
            valuePositiveInt: 4,
          },
        ],
      },
    },
  ],
});

const OWN: readonly (readonly [shape: string, JsonObject, ...Answer])[] = [
  ['a document with all elements', buildCompleteBundle(), 'C-25-1', 'Hospital', 'Hospital'],
  [
    'a birth Encounter with a kind of place, but no Location',
    birthBundle({ encounter: { location: [{ physicalType: hospital }] } }),
    'MRN-1001',
    'Hospital',
    'Hospital',
  ],
  ['a fetal death with a maternity Encounter only', stillborn, 'MRN-1001', 'Hospital', 'Hospital'],
  ['a birth without an Encounter', withoutEncounter, 'MRN-1001', ['required'], null],
  [
    'a message with a Bundle in it',
    {
      resourceType: 'Bundle',
      type: 'message',
      entry: [HEADER, { resource: withoutEncounter }],
    },
    'MRN-1001',
    ['required'],
    null,
  ],
  [
    'coded content without persons',
    {
      resourceType: 'Bundle',
      type: 'document',
      identifier: { value: 'MRN-1001' },
      entry: [{ resource: observation('86188-0', { valueString: 'Retail trade' }) }],
    },
    'MRN-1001',
    [...NO_PERSONS, 'required'],
    NO_PERSONS,
  ],
  [
    'a message that voids by its parameters',
    {
      resourceType: 'Bundle',
      type: 'message',
      entry: [HEADER, { resource: { resourceType: 'Parameters', id: 'parameters' } }],
    },
    'record[0]',
    [...NO_PERSONS, 'required'],
    NO_PERSONS,
  ],
];

for (const [shape, bundle, ...answer] of OWN)
  test(`${shape}: ${answer[1]} with a native key, ${answer[2]} with a partner key`, () =>
    checkAnswer(bundle, answer));

test('a Bundle with all elements is read in full', () => {
  const { mother, children, warnings, ...course } = accept(buildCompleteBundle(), 'native');
  assert.equal(mother, {
    ...emptyMother(),
    family_name: 'Gamboa',
    given_names: ['Angelita', 'Princess'],
    suffix: null,
    birth_surname: 'Salazar',
    birth_date: '2005-03-29',
    age_at_delivery: 20,
    race: ['2106-3'],
    race_absent_reason: null,
    ethnicity: '2135-2',
    address: {
      line: '3520 W Jefferson Street, Apt 19',
      city: 'Lake Creminhaven',
      county: 'Ebert',
      state: 'OR',
      postal_code: '97491',
      country: 'US',
    },
    phone: '+1-541-555-0182',
    medical_record_number: '18970585',
    height_cm: 160.02,
    prepregnancy_weight_kg: 67.13167076,
    delivery_weight_kg: 75.74992579,
    education: 'HS',
  });
  assert.equal(children, [
    {
      ...emptyChild(),
      family_name: 'Gamboa',
      given_names: ['Maximiliano', 'Sergio'],
      birth_date: '2025-06-09',
      birth_time: '2025-06-09T23:05:00-07:00',
      sex: 'male',
      birth_order: 1,
      medical_record_number: '32142345',
      fetal_death: false,
      living: true,
      birth_weight_grams: 2900,
      gestational_age_weeks: 38,
      gestational_age_days: 6,
      apgar_one_minute: 5,
      apgar_five_minute: 5,
      apgar_ten_minute: 9,
      presentation: '70028003',
      nicu_admission: true,
      breastfed_at_discharge: true,
      transfer_within_day: true,
    },
  ]);
  assert.equal(course.transfers, [
    buildTransfer({
      type: 'mother',
      direction: 'in',
      place: 'hospital',
      facility: 'South Weststad Regional Medical Center',
      timing: 'during labor',
      urgency: 'emergency',
      reason: 'Prolonged rupture of membranes',
    }),
    buildTransfer({
      type: 'infant',
      direction: 'out',
      place: 'hospital',
      facility: 'OR Women and Infants',
      timing: 'after birth',
      hours_after_birth: 5,
      urgency: 'urgent',
      reason: 'Respiratory distress',
    }),
  ]);
  assert.equal(
    [course.place_of_birth, course.planned_place_of_birth, course.planned_home_birth],
    ['Hospital', 'Home', 'yes'],
  );
  assert.equal(
    [course.delivery_method, course.trial_of_labor, course.plurality],
    ['11466000', true, 1],
  );
  assert.equal(
    [course.prenatal_visits, course.first_prenatal_visit, course.last_menstrual_period, course.wic],
    [15, '2024-11-26', '2024-09-07', true],
  );
  assert.equal(
    [
      course.cigarettes_before,
      course.cigarettes_first_trimester,
      course.cigarettes_second_trimester,
      course.cigarettes_third_trimester,
    ],
    [20, 0, 0, 0],
  );
  assert.equal(
    [
      course.previous_births_living,
      course.previous_births_dead,
      course.previous_cesareans,
      course.other_outcomes,
    ],
    [1, 1, 1, 1],
  );
  assert.equal(warnings, []);
  assert.not.match(
    JSON.stringify({ mother, children, course }),
    /"000\d{6}"/,
    'no social security number',
  );
});

test('its attendant and certifier with a partner key are its Practitioners', () => {
  const result = mapOnly(buildCompleteBundle(), 'partner');
  assert.ok(result.kind === 'course');
  assert.equal(
    [result.course.attendant, result.course.certifier],
    ['prv-3edc8606', 'prv-f8b788fe'],
  );
  assert.equal(
    result.providers.map(({ name, role, npi }) => [name, role, npi]),
    [
      ['Thiều Ly Đoàn', 'physician', '9560418510'],
      ['Sofia Razo', 'nurse', '9600934171'],
    ],
  );
});

test('a certifier without an identifier but an NPI is known by the id of its resource', () => {
  const bundle = birthBundle({
    composition: { author: [{ reference: 'Practitioner/avery' }] },
    more: [
      {
        resourceType: 'Practitioner',
        id: 'avery',
        identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '9501422119' }],
        name: [{ family: 'Moreau', given: ['Avery'], suffix: ['D.O.'] }],
        qualification: [
          {
            code: { coding: [{ code: '76231001', display: 'Osteopath' }] },
          },
        ],
      },
    ],
  });
  const result = mapOnly(bundle, 'partner');
  assert.ok(result.kind === 'course');
  assert.equal([result.course.attendant, result.course.certifier], [null, 'avery']);
  assert.equal(result.providers, [
    {
      identity: 'avery',
      npi: '9501422119',
      name: 'Avery Moreau',
      credentials: 'D.O., Osteopath',
      role: 'other',
    },
  ]);
});

test('a fetal death, third of four, of a fetus without a name', () => {
  const course = accept(stillborn, 'native');
  const [child] = course.children;
  assert.equal([child?.fetal_death, child?.living, child?.birth_order], [true, false, 3]);
  assert.equal([child?.family_name, child?.given_names, course.plurality], [null, [], 4]);
});

// What others published

const ANSWERS: Readonly<
  Record<'fixtures/bfdr' | 'fixtures/published', readonly (readonly [string, ...Answer])[]>
> = {
  'fixtures/bfdr': [
    ['BirthRecordBabyGQuinn.json', '2019NJ15075', 'Hospital', 'Hospital'],
    ['BasicBirthRecord.json', '2019NJ15075', 'Hospital', 'Hospital'],
    ['Derived-BabyGQuinn-SnomedHospital.json', '2019NJ15075', 'Hospital', 'Hospital'],
    [
      'STU1-bundle-provider-live-birth-babyg-quinn.json',
      'urn:uuid:18825bb1-1acb-48c4-9b45-baa612640ba5',
      'Hospital',
      'Hospital',
    ],
    ['BirthRecordR.json', '2024XX099991', 'Hospital', 'Hospital'],
    ['FetalDeathReport.json', '2019NJ009876', 'Hospital', 'Hospital'],
    ['BirthRecordFakeWithRace.json', '2023XX000100', ['required'], null],
    ['BasicFetalDeathRecord.json', '2020NY087366', ['required'], null],
    ['BirthRecordSubmissionMessage.json', '2019UT48858', ['required'], null],
    ['FetalDeathUpdateMessage.json', '2020NY087366', ['required'], null],
    [
      'BirthRecordIndustryAndOccupationCodedContent.json',
      '2019NJ15075',
      [...NO_PERSONS, 'required'],
      NO_PERSONS,
    ],
    ['BirthRecordVoidMessage.json', 'record[0]', [...NO_PERSONS, 'required'], NO_PERSONS],
  ],
  'fixtures/published': [
    ['BasicBirthRecord2.json', '2023TT000100', ['required'], null],
    ['BasicFetalDeathRecord2.json', '2025TS149737', ['required'], null],
    ['BasicFetalDeathRecordSubmissionMessage.json', '2025XX453723', ['required'], null],
    ['BirthRecordBabyGQuinnJurisdiction.json', '2019NJ15075', 'Hospital', 'Hospital'],
    ['BirthRecordBabyGQuinnWithEditFlags.json', '2019NJ15075', 'Hospital', 'Hospital'],
    ['BirthRecordFakeNoRace.json', '2023XX000100', ['required'], null],
    ['BirthRecordUpdateMessage.json', '2019UT48858', ['required'], null],
    ['BirthRecordZ.json', '2024XX009999', 'Hospital', 'Hospital'],
    [
      'Bundle-bundle-coded-race-and-ethnicity-baby-g-quinn.json',
      '2019NJ15075',
      [...NO_PERSONS, 'required'],
      NO_PERSONS,
    ],
    ['Derived-BabyGQuinnJurisdiction-SnomedHospital.json', '2019NJ15075', 'Hospital', 'Hospital'],
    ['Derived-EnRoute.json', 'CHART-ENROUTE-1', 'En route', 'En route'],
    ['Derived-Retract-Delete-Stale.json', '2019NJ15075', 'retraction', 'retraction'],
    ['Derived-Retract-EnteredInError.json', '2019NJ15075', 'retraction', 'retraction'],
    ['Derived-TwinsHome.json', 'CHART-TWINS-001', 'Home', 'Home'],
    // A code of the guide for the Encounter, in the type of the Location.
    [
      'Derived-UnplannedHome-RejectedCode.json',
      'CHART-UNPLANNED-1',
      ['code value'],
      ['code value'],
    ],
    ['FetalDeathVoidMessage.json', 'record[0]', [...NO_PERSONS, 'required'], NO_PERSONS],
    ['RaceEthnicityCaseRecord.json', '0000XX000000', ['structure', 'required'], ['structure']],
    ['RaceEthnicityCaseRecord2.json', '0000XX000000', ['structure', 'required'], ['structure']],
    [
      'STU1-bundle-jurisdiction-live-birth-babyg-quinn.json',
      'urn:uuid:101bec42-b799-4f3d-9188-b9cb376cc094',
      'Hospital',
      'Hospital',
    ],
    [
      'STU1-bundle-provider-fetal-death-not-named.json',
      'urn:uuid:93bdc9cf-0d97-4b6f-9f11-876d8ea115eb',
      'Hospital',
      'Hospital',
    ],
  ],
};
const BATCH = 'Derived-Batch.json';

for (const folder of ['fixtures/bfdr', 'fixtures/published'] as const) {
  testPublished(test, folder, `every Bundle of ${folder} has its answer here`, () => {
    const known = ANSWERS[folder].map(([file]) => file);
    assert.equal(
      listPublished(folder).filter((file) => file !== BATCH),
      known.sort(),
    );
  });
  for (const [file, ...answer] of ANSWERS[folder])
    testPublished(
      test,
      folder,
      `${file}: ${answer[1]} with a native key, ${answer[2]} with a partner key`,
      () => checkAnswer(readPublished(folder, file), answer),
    );
}

testPublished(test, 'fixtures/published', `${BATCH} is answered course by course`, () => {
  const submission = splitSubmission(readPublished('fixtures/published', BATCH));
  assert.ok(submission.kind === 'courses');
  assert.equal(
    submission.courses.map((course) => {
      const mapped = mapCourse(course, 'native', []);
      return [mapped.reference, answerOf(mapped)];
    }),
    [
      ['CHART-B0', 'Clinic'],
      ['CHART-B1', ['structure']],
      ['record[2]', ['structure']],
      ['record[3]', 'Other'],
    ],
  );
});

const BABY_G_QUINN = 'BirthRecordBabyGQuinn.json';

testPublished(test, 'fixtures/bfdr', `${BABY_G_QUINN} is read in full`, () => {
  const course = accept(readPublished('fixtures/bfdr', BABY_G_QUINN), 'native');
  const { mother } = course;
  assert.equal([mother.family_name, mother.given_names], ['Quinn', ['Jada', 'Ann']]);
  assert.equal([mother.birth_surname, mother.birth_date], ['King', '1985-01-15']);
  assert.equal([mother.age_at_delivery, mother.height_cm], [34, 170.18]);
  assert.equal(
    [mother.race, mother.ethnicity, mother.education],
    [['2106-3', '1002-5', 'other-asian'], '2186-5', 'POSTG'],
  );
  assert.equal(mother.address, {
    line: '1875 West Morton Avenue',
    city: 'Salt Lake City',
    county: 'Salt Lake',
    state: 'UT',
    postal_code: '84116',
    country: 'US',
  });
  assert.equal([mother.phone, mother.medical_record_number], ['1-(404)555-1212', '1032702']);
  assert.equal(course.children, [
    {
      ...emptyChild(),
      family_name: 'Quinn',
      given_names: ['Baby', 'G'],
      birth_date: '2019-02-12',
      birth_time: '2019-02-12T13:00:00-07:00',
      sex: 'female',
      birth_order: 1,
      medical_record_number: '9932702',
      fetal_death: false,
      living: true,
      birth_weight_grams: 2500,
      gestational_age_weeks: 36,
      gestational_age_days: 0,
      apgar_one_minute: 5,
      apgar_five_minute: 7,
      presentation: '6096002',
      breastfed_at_discharge: true,
      transfer_within_day: true,
    },
  ]);
  assert.equal([course.chart_number, course.place_of_birth], ['2019NJ15075', 'Hospital']);
  assert.equal(course.transfers, [
    buildTransfer({
      type: 'infant',
      direction: 'out',
      facility: 'East Hospital',
      hours_after_birth: 69,
    }),
    buildTransfer({ type: 'mother', direction: 'in', facility: 'North Hospital' }),
  ]);
  assert.equal(
    [course.prenatal_visits, course.last_menstrual_period, course.wic, course.trial_of_labor],
    [8, '2018-06-05', true, true],
  );
  assert.equal(
    [
      course.cigarettes_before,
      course.cigarettes_first_trimester,
      course.cigarettes_third_trimester,
    ],
    [20, 3, 0],
  );
  // It counts the live births alone.
  assert.equal(
    course.warnings.map(({ field, id }) => [field, id]),
    [
      ['children.given_names', 'placeholder-name'],
      ['plurality', 'plurality-incomplete'],
    ],
  );
  assert.not(JSON.stringify(course).includes('132225986'), 'no social security number');
});

for (const [file, grams, weeks, apgars] of [
  ['BirthRecordR.json', 539, 21, [null, 1, 4]],
  ['FetalDeathReport.json', 1530, 20, [null, null, null]],
  ['BasicFetalDeathRecord.json', 3333, null, [null, null, null]],
  ['STU1-bundle-provider-live-birth-babyg-quinn.json', 2500, 36, [5, 7, null]],
] as const) {
  testPublished(
    test,
    'fixtures/bfdr',
    `${file}: ${grams} g, ${weeks} weeks, Apgar ${apgars}`,
    () => {
      const [child] = accept(readPublished('fixtures/bfdr', file), 'partner').children;
      assert.equal([child?.birth_weight_grams, child?.gestational_age_weeks], [grams, weeks]);
      assert.equal(
        [child?.apgar_one_minute, child?.apgar_five_minute, child?.apgar_ten_minute],
        apgars,
      );
    },
  );
}

testPublished(
  test,
  'fixtures/bfdr',
  'BirthRecordR states race and ethnicity in an Observation',
  () => {
    const { mother } = accept(readPublished('fixtures/bfdr', 'BirthRecordR.json'), 'native');
    assert.equal([mother.race, mother.ethnicity], [['2106-3'], '2135-2']);
  },
);

testPublished(
  test,
  'fixtures/bfdr',
  'FetalDeathReport is a fetal death, third of four, of a fetus without a name',
  () => {
    const course = accept(readPublished('fixtures/bfdr', 'FetalDeathReport.json'), 'native');
    const [child] = course.children;
    assert.equal([child?.fetal_death, child?.living, child?.birth_order], [true, false, 3]);
    assert.equal([child?.family_name, child?.given_names, course.plurality], [null, [], 4]);
  },
);

testPublished(
  test,
  'fixtures/bfdr',
  'the BFDR 1.1.0 example was planned at home, and its meta.lastUpdated is its stamp',
  () => {
    const course = accept(
      readPublished('fixtures/bfdr', 'STU1-bundle-provider-live-birth-babyg-quinn.json'),
      'native',
    );
    assert.is(course.planned_place_of_birth, 'Home');
    assert.is(course.stamp, '2023-07-07T02:39:35.768000000Z');
  },
);

test.run();
