import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { emptyChild } from '../../../../domain/course/course.ts';
import { splitSubmission } from '../../../../domain/intake/bfdr/bundle-splitter.ts';
import { type MappedCourse, mapCourse } from '../../../../domain/intake/bfdr/course-mapper.ts';
import type { Lane } from '../../../../domain/intake/bfdr/place-of-birth.ts';

const FOLDER = new URL('../../../fixtures/bfdr/', import.meta.url);

const mapped = (file: string, lane: Lane): MappedCourse => {
  const submission = splitSubmission(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')));
  if (submission.kind !== 'courses') throw new Error('refused');
  const [course, ...rest] = submission.courses;
  if (course === undefined || rest.length > 0) throw new Error('not one course of care');
  return mapCourse(course, lane, []);
};

const accepted = (file: string, lane: Lane) => {
  const result = mapped(file, lane);
  if (result.kind !== 'course') throw new Error(`${file}: ${JSON.stringify(result)}`);
  return result.course;
};

const answerOf = (result: MappedCourse): string | null | readonly string[] => {
  if (result.kind === 'course') return result.course.place_of_birth;
  return result.kind === 'rejected' ? result.rejections.map(({ code }) => code) : result.kind;
};

const ANSWERS: readonly (readonly [string, string, unknown, unknown])[] = [
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
    ['structure', 'structure', 'required'],
    ['structure', 'structure'],
  ],
  [
    'BirthRecordVoidMessage.json',
    'record[0]',
    ['structure', 'structure', 'required'],
    ['structure', 'structure'],
  ],
];

test('every fixture has its answer here', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  assert.equal(files.sort(), ANSWERS.map(([file]) => file).sort());
});

for (const [file, reference, native, partner] of ANSWERS) {
  test(`${file}: ${native} with a native key, ${partner} with a partner key`, () => {
    assert.equal(answerOf(mapped(file, 'native')), native);
    assert.equal(answerOf(mapped(file, 'partner')), partner);
    assert.is(mapped(file, 'native').reference, reference);
  });
}

test('BabyGQuinn is read in full', () => {
  const course = accepted('BirthRecordBabyGQuinn.json', 'native');
  const { mother } = course;
  assert.equal([mother.family_name, mother.given_names], ['Quinn', ['Jada', 'Ann']]);
  assert.equal([mother.birth_surname, mother.birth_date], ['King', '1985-01-15']);
  assert.equal([mother.age_at_delivery, mother.height_cm], [34, 170.18]);
  assert.equal(
    [mother.race, mother.ethnicity, mother.education],
    [['2106-3', '1002-5', '2028-9'], '2186-5', 'POSTG'],
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
    },
  ]);
  assert.equal([course.chart_number, course.place_of_birth], ['2019NJ15075', 'Hospital']);
  assert.equal(course.transfers, [
    { type: 'infant', direction: 'out', facility: 'East Hospital' },
    { type: 'mother', direction: 'in', facility: 'North Hospital' },
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

test('its certifier with a partner key is the author, who has no identifier but the NPI', () => {
  const result = mapped('BirthRecordBabyGQuinn.json', 'partner');
  assert.ok(result.kind === 'course');
  assert.is(result.course.attendant, null);
  assert.is(result.course.certifier, 'practitioner-vital-records-avery-jones');
  assert.equal(result.providers[0], {
    identity: 'practitioner-vital-records-avery-jones',
    npi: '76231001',
    name: 'Avery Jones',
    credentials: 'D.O., Osteopath',
    role: 'other',
  });
  assert.is(result.providers.length, 2);
});

for (const [file, grams, weeks, apgars] of [
  ['BirthRecordR.json', 539, 21, [null, 1, 4]],
  ['FetalDeathReport.json', 1530, 20, [null, null, null]],
  ['BasicFetalDeathRecord.json', 3333, null, [null, null, null]],
  ['STU1-bundle-provider-live-birth-babyg-quinn.json', 2500, 36, [5, 7, null]],
] as const) {
  test(`${file}: ${grams} g, ${weeks} weeks, Apgar ${apgars}`, () => {
    const [child] = accepted(file, 'partner').children;
    assert.equal([child?.birth_weight_grams, child?.gestational_age_weeks], [grams, weeks]);
    assert.equal(
      [child?.apgar_one_minute, child?.apgar_five_minute, child?.apgar_ten_minute],
      apgars,
    );
  });
}

test('BirthRecordR states race and ethnicity in an Observation', () => {
  const { mother } = accepted('BirthRecordR.json', 'native');
  assert.equal([mother.race, mother.ethnicity], [['2106-3'], '2135-2']);
});

test('FetalDeathReport is a fetal death, third of four, of a fetus without a name', () => {
  const course = accepted('FetalDeathReport.json', 'native');
  const [child] = course.children;
  assert.equal([child?.fetal_death, child?.living, child?.birth_order], [true, false, 3]);
  assert.equal([child?.family_name, child?.given_names, course.plurality], [null, [], 4]);
});

test('the BFDR 1.1.0 example was planned at home, and its meta.lastUpdated is its stamp', () => {
  const course = accepted('STU1-bundle-provider-live-birth-babyg-quinn.json', 'native');
  assert.is(course.planned_place_of_birth, 'Home');
  assert.is(course.stamp, '2023-07-07T02:39:35.768000000Z');
});

test.run();
