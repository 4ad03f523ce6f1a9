import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findOpenQuestions } from '../../../domain/birth-record/unusual-values.ts';
import { EDITS } from '../../../domain/course/edits/edits.ts';
import { formatColumnName } from '../../../domain/mapping/csv/column-names.ts';
import { readHeader } from '../../../domain/mapping/csv/header.ts';
import { readRow } from '../../../domain/mapping/csv/row.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import { enter, ines } from '../../support/birth-records.ts';
import { exportedRecord, readAsPushed, sentBundle } from '../../support/exported-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const TWIN = { plurality: '2', 'children.1.birth_date': '5/12/2026' };
const AT_HOSPITAL = { place_of_birth: 'Hospital' };
const MOTHER_IN = { 'transfers.0.type': 'mother', 'transfers.0.direction': 'in' };
const INFANT_OUT = { 'transfers.0.type': 'infant', 'transfers.0.direction': 'out' };

/** What is typed beside Ines's birth, which draws the question; and what is close to it and draws none. */
const ROWS: readonly (readonly [id: string, asks: FormValues, asksNot: FormValues])[] = [
  [
    'mother-age-unlikely',
    { 'mother.birth_date': '5/13/2014' },
    { 'mother.birth_date': '5/12/2014' },
  ],
  [
    'mother-age-unlikely',
    { 'mother.birth_date': '5/12/1975' },
    { 'mother.birth_date': '5/13/1975' },
  ],
  [
    'race-contradicted',
    { 'mother.race': 'White', 'mother.race_absent_reason': 'declined' },
    { 'mother.race_absent_reason': 'declined' },
  ],
  [
    'hispanic-origin-contradicted',
    { 'mother.hispanic_origins': 'Cuban', 'mother.ethnicity': '2186-5' },
    { 'mother.hispanic_origins': 'Cuban', 'mother.ethnicity': '' },
  ],
  [
    'ethnicity-contradicted',
    { 'mother.ethnicity': '2186-5', 'mother.ethnicity_absent_reason': 'declined' },
    { 'mother.ethnicity': '', 'mother.ethnicity_absent_reason': 'declined' },
  ],
  [
    'education-against-age',
    { 'mother.birth_date': '5/13/2007', 'mother.education': 'PHC1453' },
    { 'mother.birth_date': '5/12/2007', 'mother.education': 'PHC1453' },
  ],
  ['height-unlikely', { 'mother.height_cm': '6 ft 7 in' }, { 'mother.height_cm': '6 ft 6 in' }],
  ['height-unlikely', { 'mother.height_cm': '2 ft 5 in' }, { 'mother.height_cm': '2 ft 6 in' }],
  [
    'prepregnancy-weight-unlikely',
    { 'mother.prepregnancy_weight_kg': '376 lb' },
    { 'mother.prepregnancy_weight_kg': '375 lb' },
  ],
  [
    'prepregnancy-weight-unlikely',
    { 'mother.prepregnancy_weight_kg': '74 lb' },
    { 'mother.prepregnancy_weight_kg': '75 lb' },
  ],
  [
    'delivery-weight-unlikely',
    { 'mother.delivery_weight_kg': '401 lb' },
    { 'mother.delivery_weight_kg': '400 lb' },
  ],
  [
    'delivery-weight-unlikely',
    { 'mother.delivery_weight_kg': '99 lb' },
    { 'mother.delivery_weight_kg': '100 lb' },
  ],
  [
    'weight-gain-unlikely',
    { 'mother.prepregnancy_weight_kg': '130 lb', 'mother.delivery_weight_kg': '129 lb' },
    { 'mother.prepregnancy_weight_kg': '130 lb', 'mother.delivery_weight_kg': '130 lb' },
  ],
  [
    'weight-gain-unlikely',
    { 'mother.prepregnancy_weight_kg': '130 lb', 'mother.delivery_weight_kg': '229 lb' },
    { 'mother.prepregnancy_weight_kg': '130 lb', 'mother.delivery_weight_kg': '228 lb' },
  ],
  [
    'body-mass-unlikely',
    { 'mother.prepregnancy_weight_kg': '37 kg', 'mother.height_cm': '170 cm' },
    { 'mother.prepregnancy_weight_kg': '38 kg', 'mother.height_cm': '170 cm' },
  ],
  [
    'birth-weight-unlikely',
    { 'children.0.birth_weight_grams': '226 g', 'children.0.gestational_age_weeks': '' },
    { 'children.0.birth_weight_grams': '227 g', 'children.0.gestational_age_weeks': '' },
  ],
  [
    'birth-weight-unlikely',
    { 'children.0.birth_weight_grams': '8166 g', 'children.0.gestational_age_weeks': '' },
    { 'children.0.birth_weight_grams': '8165 g', 'children.0.gestational_age_weeks': '' },
  ],
  [
    'weight-unlikely',
    { 'children.0.birth_weight_grams': '4000 g', 'children.0.gestational_age_weeks': '34w0d' },
    { 'children.0.birth_weight_grams': '3000 g', 'children.0.gestational_age_weeks': '34w0d' },
  ],
  [
    'weeks-unlikely',
    { 'children.0.gestational_age_weeks': '16w6d', 'children.0.birth_weight_grams': '' },
    { 'children.0.gestational_age_weeks': '17w0d', 'children.0.birth_weight_grams': '' },
  ],
  [
    'weeks-against-last-period',
    { last_menstrual_period: '9/1/2025' },
    { last_menstrual_period: '8/12/2025' },
  ],
  [
    'last-period-unlikely',
    { last_menstrual_period: '1/14/2026', 'children.0.gestational_age_weeks': '' },
    { last_menstrual_period: '1/13/2026', 'children.0.gestational_age_weeks': '' },
  ],
  [
    'last-period-unlikely',
    { last_menstrual_period: '6/10/2025', 'children.0.gestational_age_weeks': '' },
    { last_menstrual_period: '6/11/2025', 'children.0.gestational_age_weeks': '' },
  ],
  [
    'last-period-after-birth',
    { last_menstrual_period: '5/13/2026', 'children.0.gestational_age_weeks': '' },
    {},
  ],
  [
    'visit-after-birth',
    { first_prenatal_visit: '5/13/2026' },
    { first_prenatal_visit: '5/12/2026' },
  ],
  [
    'visit-before-last-period',
    { last_menstrual_period: '8/10/2025', first_prenatal_visit: '8/9/2025' },
    { last_menstrual_period: '8/10/2025', first_prenatal_visit: '8/10/2025' },
  ],
  [
    'visit-long-before-birth',
    { first_prenatal_visit: '7/5/2025' },
    { first_prenatal_visit: '7/6/2025' },
  ],
  [
    'visits-contradicted',
    { prenatal_visits: '0', first_prenatal_visit: '10/1/2025' },
    { prenatal_visits: '0' },
  ],
  ['visits-unlikely', { prenatal_visits: '50' }, { prenatal_visits: '49' }],
  [
    'visits-against-days',
    { prenatal_visits: '12', first_prenatal_visit: '5/2/2026' },
    { prenatal_visits: '11', first_prenatal_visit: '5/2/2026' },
  ],
  [
    'cesareans-at-first-birth',
    { previous_births_living: '0', previous_births_dead: '0', previous_cesareans: '1' },
    { previous_births_living: '1', previous_births_dead: '0', previous_cesareans: '1' },
  ],
  [
    'cesareans-above-births',
    { previous_births_living: '1', previous_births_dead: '1', previous_cesareans: '3' },
    { previous_births_living: '1', previous_births_dead: '1', previous_cesareans: '2' },
  ],
  [
    'previous-births-unlikely',
    { previous_births_living: '14', previous_births_dead: '1' },
    { previous_births_living: '14', previous_births_dead: '0' },
  ],
  [
    'previous-births-against-age',
    {
      'mother.birth_date': '5/1/2011',
      previous_births_living: '4',
      previous_births_dead: '0',
    },
    {
      'mother.birth_date': '5/1/2011',
      previous_births_living: '3',
      previous_births_dead: '0',
    },
  ],
  [
    'sibling-counted-before',
    { ...TWIN, 'children.0.fetal_death': 'yes', other_outcomes: '1' },
    { ...TWIN, 'children.0.fetal_death': 'yes', other_outcomes: '0' },
  ],
  [
    'last-outcome-after-birth',
    { previous_births_living: '1', last_live_birth: '6/2026' },
    { previous_births_living: '1', last_live_birth: '2026' },
  ],
  [
    'last-outcome-too-close',
    { previous_births_living: '1', last_live_birth: '12/2025' },
    { previous_births_living: '1', last_live_birth: '2025' },
  ],
  [
    'last-outcome-too-early',
    { other_outcomes: '1', last_other_outcome: '5/2004' },
    { other_outcomes: '1', last_other_outcome: '2004' },
  ],
  [
    'last-outcome-contradicted',
    { previous_births_living: '0', previous_births_dead: '0', last_live_birth: '2020' },
    { previous_births_living: '0', previous_births_dead: '1', last_live_birth: '2020' },
  ],
  ['cigarettes-unlikely', { cigarettes_before: '5 packs' }, { cigarettes_before: '98' }],
  ['plurality-below-children', { ...TWIN, plurality: '1' }, TWIN],
  ['plurality-above-children', { plurality: '2' }, { plurality: '1' }],
  ['plurality-unlikely', { plurality: '4' }, { plurality: '3' }],
  [
    'order-above-plurality',
    { plurality: '1', 'children.0.birth_order': '2' },
    { plurality: '2', 'children.0.birth_order': '2' },
  ],
  [
    'order-twice',
    { ...TWIN, 'children.0.birth_order': '1', 'children.1.birth_order': '1' },
    { ...TWIN, 'children.0.birth_order': '1', 'children.1.birth_order': '2' },
  ],
  [
    'order-against-times',
    {
      ...TWIN,
      'children.0.birth_order': '2',
      'children.1.birth_order': '1',
      'children.1.birth_time': '2:06 pm',
    },
    {
      ...TWIN,
      'children.0.birth_order': '2',
      'children.1.birth_order': '1',
      'children.1.birth_time': '2:05 pm',
    },
  ],
  [
    'ten-minute-score-unneeded',
    { 'children.0.apgar_five_minute': '6', 'children.0.apgar_ten_minute': '9' },
    { 'children.0.apgar_five_minute': '5', 'children.0.apgar_ten_minute': '9' },
  ],
  [
    'living-without-score',
    { 'children.0.apgar_five_minute': '0', 'children.0.living': 'yes' },
    { 'children.0.apgar_five_minute': '0', 'children.0.living': 'no' },
  ],
  [
    'vaginal-delivery-contradicted',
    { delivery_method: 'Vaginal, forceps', trial_of_labor: 'yes', ...AT_HOSPITAL },
    { delivery_method: 'Cesarean', trial_of_labor: 'yes', ...AT_HOSPITAL },
  ],
  [
    'method-against-place',
    { delivery_method: 'Vaginal, vacuum' },
    { delivery_method: 'Vaginal, spontaneous' },
  ],
  [
    'cesarean-by-midwife',
    { delivery_method: 'Cesarean', attendant_title: 'CNM/CM', ...AT_HOSPITAL },
    { delivery_method: 'Cesarean', attendant_title: 'MD', ...AT_HOSPITAL },
  ],
  [
    'nicu-without-transfer',
    { 'children.0.nicu_admission': 'yes' },
    { 'children.0.nicu_admission': 'yes', ...AT_HOSPITAL },
  ],
  [
    'breastfed-not-living',
    { 'children.0.breastfed_at_discharge': 'yes', 'children.0.living': 'no' },
    { 'children.0.breastfed_at_discharge': 'yes', 'children.0.living': 'yes' },
  ],
  [
    'fetal-death-contradicted',
    { 'children.0.fetal_death': 'yes', 'children.0.nicu_admission': 'yes' },
    { 'children.0.fetal_death': 'yes', 'children.0.nicu_admission': 'no' },
  ],
  [
    'score-of-fetal-death',
    { 'children.0.fetal_death': 'yes', 'children.0.apgar_one_minute': '1' },
    { 'children.0.fetal_death': 'yes', 'children.0.apgar_one_minute': '0' },
  ],
  [
    'fetal-death-report',
    {
      'children.0.fetal_death': 'yes',
      'children.0.gestational_age_weeks': '20w0d',
      'children.0.birth_weight_grams': '',
    },
    {
      'children.0.fetal_death': 'yes',
      'children.0.gestational_age_weeks': '19w6d',
      'children.0.birth_weight_grams': '349 g',
    },
  ],
  [
    'fetal-death-report',
    {
      'children.0.fetal_death': 'yes',
      'children.0.gestational_age_weeks': '',
      'children.0.birth_weight_grams': '350 g',
    },
    { 'children.0.birth_weight_grams': '350 g', 'children.0.gestational_age_weeks': '' },
  ],
  [
    'moved-without-transfer',
    { planned_place_of_birth: 'Home', ...AT_HOSPITAL },
    {
      planned_place_of_birth: 'Home',
      ...AT_HOSPITAL,
      'transfers.0.type': 'mother',
      'transfers.0.direction': 'in',
    },
  ],
  [
    'transfer-contradicted',
    { mother_transfer: 'yes', ...MOTHER_IN, 'transfers.0.place': 'home' },
    { mother_transfer: 'no', ...MOTHER_IN, 'transfers.0.place': 'home' },
  ],
  [
    'transfer-contradicted',
    { mother_transfer: 'no', ...MOTHER_IN, 'transfers.0.place': 'birth center' },
    { mother_transfer: 'no', ...MOTHER_IN },
  ],
  [
    'transfer-contradicted',
    {
      'children.0.transfer_within_day': 'yes',
      ...INFANT_OUT,
      'transfers.0.hours_after_birth': '25',
    },
    {
      'children.0.transfer_within_day': 'yes',
      ...INFANT_OUT,
      'transfers.0.hours_after_birth': '24',
    },
  ],
  [
    'transfer-contradicted',
    {
      'children.0.transfer_within_day': 'no',
      ...INFANT_OUT,
      'transfers.0.hours_after_birth': '24',
    },
    {
      'children.0.transfer_within_day': 'no',
      ...INFANT_OUT,
      'transfers.0.hours_after_birth': '24',
      'transfers.0.place': 'home',
    },
  ],
  [
    'transfer-before-birth',
    { ...INFANT_OUT, 'transfers.0.timing': 'during labor' },
    { ...INFANT_OUT, 'transfers.0.timing': 'after birth' },
  ],
  [
    'transfer-before-birth',
    { ...MOTHER_IN, 'transfers.0.timing': 'before labor', 'transfers.0.hours_after_birth': '2' },
    { ...MOTHER_IN, 'transfers.0.timing': 'before labor' },
  ],
  [
    'transfer-of-unknown-child',
    { ...INFANT_OUT, 'transfers.0.child_birth_order': '2' },
    { ...INFANT_OUT, 'transfers.0.child_birth_order': '1' },
  ],
  [
    'transfer-of-unknown-child',
    { ...MOTHER_IN, 'transfers.0.child_birth_order': '1' },
    { ...MOTHER_IN },
  ],
  [
    'transfer-of-unknown-child',
    {
      ...TWIN,
      ...INFANT_OUT,
      'children.0.birth_order': '1',
      'transfers.0.child_birth_order': '2',
    },
    {
      ...TWIN,
      ...INFANT_OUT,
      'children.0.birth_order': '1',
      'children.1.birth_order': '2',
      'transfers.0.child_birth_order': '2',
    },
  ],
  [
    'planned-home-contradicted',
    { planned_home_birth: 'yes', planned_place_of_birth: 'Hospital' },
    { planned_home_birth: 'yes', planned_place_of_birth: 'Home' },
  ],
  [
    'labor-without-trial',
    {
      delivery_method: 'Cesarean',
      trial_of_labor: 'no',
      augmentation_agents: 'Oxytocin',
      ...AT_HOSPITAL,
    },
    {
      delivery_method: 'Cesarean',
      trial_of_labor: 'yes',
      augmentation_agents: 'Oxytocin',
      ...AT_HOSPITAL,
    },
  ],
  [
    'labor-contradicted',
    { induction: 'no', induction_indication: 'Elective' },
    { induction: 'yes', induction_indication: 'Elective' },
  ],
  [
    'weeks-differ',
    { ...TWIN, 'children.1.gestational_age_weeks': '38w4d' },
    { ...TWIN, 'children.1.gestational_age_weeks': '39w0d' },
  ],
  [
    'children-born-days-apart',
    { ...TWIN, 'children.1.birth_date': '5/13/2026', 'children.1.birth_time': '2:06 pm' },
    { ...TWIN, 'children.1.birth_date': '5/13/2026', 'children.1.birth_time': '2:05 pm' },
  ],
  ['sex-unknown', { 'children.0.sex': 'unknown' }, { 'children.0.sex': 'female' }],
];

const RECORDED_AT = '2026-05-20T12:00:00.000Z';

type Lane = (values: FormValues) => readonly (readonly [id: string, message: string])[];

const askedInForm: Lane = (values) =>
  enter(values).notices.map(({ id, message }) => [id, message] as const);

const askedOfFile: Lane = (values) => {
  const header = readHeader(Object.keys(values).map(formatColumnName), [], []);
  if (header.kind === 'refused') throw new Error(header.problem);
  const read = readRow({ row: 2, cells: Object.values(values) }, header.columns, (row) =>
    enter(row, { unitIsNamed: true }),
  );
  return read.notices.map(({ id, message }) => [id, message] as const);
};

const listMarks = (course: Parameters<typeof findOpenQuestions>[0]) =>
  findOpenQuestions(course, RECORDED_AT).flatMap(({ doubts }) =>
    doubts.map(({ id, message }) => [id, message] as const),
  );

const askedOfPush: Lane = (values) => {
  const entered = enter(values);
  if (entered.kind === 'refused') throw new Error(JSON.stringify(entered.errors));
  const bundle = sentBundle(exportedRecord(entered.course, 'native'));
  return listMarks(readAsPushed(bundle, 'native').course);
};

/** The review of a launch reads what is entered again, and saves it as a form does. */
const askedOfLaunch: Lane = (values) => {
  const entered = enter(values, { isPrefill: true });
  if (entered.kind === 'refused') throw new Error(JSON.stringify(entered.errors));
  return listMarks(entered.course);
};

const LANES = { askedInForm, askedOfFile, askedOfPush, askedOfLaunch };

const edits = suite('an edit');

for (const [id, asks, asksNot] of ROWS)
  edits(`${id} asks the same in every lane: ${Object.values(asks).join(', ')}`, () => {
    const messages = Object.entries(LANES).map(([lane, ask]) => {
      const [first, ...others] = ask({ ...ines, ...asks }).filter(([one]) => one === id);
      assert.ok(first, `${lane} asks nothing`);
      assert.equal(
        ask({ ...ines, ...asksNot }).filter(([one]) => one === id),
        [],
        `${lane} asks too much`,
      );
      // Twins may both be asked about.
      assert.ok(others.every(([, message]) => message === first[1]));
      return first[1];
    });
    assert.is(new Set(messages).size, 1, messages.join('\n'));
  });

/** Not possible in a form, or not asked of every lane: their rows are below. */
const ELSEWHERE = new Set([
  'mother-born-in-future',
  'child-born-in-future',
  'child-born-before-mother',
  'time-on-another-day',
  'birth-long-ago',
]);

edits('has a row', () => {
  const ids = new Set(ROWS.map(([id]) => id));
  const without = [...new Set(EDITS.map(({ id }) => id))].filter((id) => !ids.has(id));
  assert.equal(without.toSorted(), [...ELSEWHERE].toSorted());
});

edits('asks nothing of an ordinary birth', () => {
  for (const ask of Object.values(LANES)) assert.equal(ask(ines), []);
});

edits('about a late entry is for forms and files', () => {
  const late = { ...ines, 'children.0.birth_date': '5/12/2025' };
  const asked = [['birth-long-ago', 'The birth was more than a year ago. Check the year.']];
  assert.equal([askedInForm(late), askedOfFile(late)], [asked, asked]);
  assert.equal([askedOfPush(late), askedOfLaunch(late)], [[], []]);
  assert.equal(askedInForm({ ...ines, 'children.0.birth_date': '5/21/2025' }), []);
});

edits.run();

/** Ines's birth with what is typed beside it. */
const birthOf = (typed: readonly FormValues[]): FormValues => Object.assign({ ...ines }, ...typed);

/** What is said of it: it is saved all the same. */
const told = (values: FormValues) => {
  const { kind, notices } = enter(values);
  return [kind, ...notices.map(({ path, message }) => `${path}: ${message}`)];
};

const twin = (date: string): FormValues => ({ 'children.1.birth_date': date });
const vaginal = { delivery_method: 'Vaginal, forceps', ...AT_HOSPITAL };
const cesarean = { delivery_method: 'Cesarean', ...AT_HOSPITAL };
const fetalDeath = {
  'children.0.fetal_death': 'yes',
  'children.0.gestational_age_weeks': '19w0d',
  'children.0.birth_weight_grams': '240 g',
};

scenarios('what contradicts itself in a birth', birthOf, [
  {
    name: 'twins may be born across midnight',
    given: [twin('5/13/2026')],
    when: told,
    expect: ['course'],
  },
  {
    name: 'siblings more than a day apart are said at the later one entered',
    given: [twin('5/16/2026')],
    when: told,
    expect: [
      'course',
      'children.1.birth_date: The children of this birth would be born 4 days apart. Check the dates of birth.',
    ],
  },
  {
    name: 'a sibling entered second may be the older one',
    given: [twin('5/1/2026')],
    when: told,
    expect: [
      'course',
      'children.1.birth_date: The children of this birth would be born 11 days apart. Check the dates of birth.',
    ],
  },
  {
    name: 'a third child is compared with the first that has a date',
    given: [
      { 'children.0.birth_date': '', 'children.0.birth_time': '' },
      twin('5/12/2026'),
      { 'children.2.birth_date': '5/21/2025' },
    ],
    when: told,
    expect: [
      'course',
      'children.2.birth_date: The children of this birth would be born 356 days apart. Check the dates of birth.',
    ],
  },
  {
    name: 'a fetal death is neither living nor breastfed nor in the NICU',
    given: [
      fetalDeath,
      {
        'children.0.living': 'yes',
        'children.0.nicu_admission': 'yes',
        'children.0.breastfed_at_discharge': 'yes',
      },
    ],
    when: told,
    expect: [
      'course',
      'children.0.living: The child is entered as a fetal death and as living. Check which is right.',
      'children.0.nicu_admission: The child is entered as a fetal death and as admitted to the NICU. Check which is right.',
      'children.0.breastfed_at_discharge: The child is entered as a fetal death and as breastfed at discharge. Check which is right.',
    ],
  },
  {
    name: 'a fetal death with what fits it, or with nothing, raises no question',
    given: [fetalDeath, { 'children.0.living': 'no', 'children.0.nicu_admission': 'no' }],
    when: told,
    expect: ['course'],
  },
  {
    name: 'a weight that hardly goes with the weeks says what would',
    given: [
      {
        'children.0.birth_weight_grams': '9000 g',
        'children.0.gestational_age_weeks': '24w0d',
      },
    ],
    when: told,
    expect: [
      'course',
      'children.0.birth_weight_grams: The child would weigh 9,000 g (19 lb 13 oz). Check the number and its unit.',
      'children.0.birth_weight_grams: At 24 weeks babies usually weigh about 300 g to 1,300 g. Check the weight and the gestational age.',
    ],
  },
  {
    name: 'one child’s fetal death says nothing of its twin',
    given: [fetalDeath, twin('5/12/2026'), { 'children.1.living': 'yes' }],
    when: told,
    expect: ['course'],
  },
  {
    name: 'an emergency cesarean or a trial of labor before cesarean is no vaginal delivery',
    given: [vaginal, { stat_cesarean: 'yes', trial_of_labor: 'yes' }],
    when: told,
    expect: [
      'course',
      'stat_cesarean: An emergency cesarean is entered with a vaginal delivery. Check which is right.',
      'trial_of_labor: A trial of labor before cesarean is entered with a vaginal delivery. Check which is right.',
    ],
  },
  {
    name: 'both fit a cesarean, and a delivery method that is not known',
    given: [cesarean, { stat_cesarean: 'yes', trial_of_labor: 'yes' }],
    when: (birth) => [told(birth), told({ ...birth, delivery_method: '' })],
    expect: [['course'], ['course']],
  },
  {
    name: 'a vaginal delivery without either raises no question',
    given: [vaginal, { stat_cesarean: 'no', trial_of_labor: 'no' }],
    when: told,
    expect: ['course'],
  },
  {
    name: 'a planned place of birth and the answer about a planned home birth contradict each other',
    given: [{ planned_home_birth: 'yes', planned_place_of_birth: 'Hospital' }],
    when: (birth) => [
      told(birth),
      told({ ...birth, planned_home_birth: 'no', planned_place_of_birth: 'Home' }).length,
      told({ ...birth, planned_home_birth: 'unknown' }),
      told({ ...birth, planned_place_of_birth: 'Home' }),
      told({ ...birth, planned_place_of_birth: '' }),
    ],
    expect: [
      [
        'course',
        'planned_home_birth: The planned place of birth and the answer about a planned home birth contradict each other. Check which is right.',
      ],
      2,
      ['course'],
      ['course'],
      ['course'],
    ],
  },
  {
    name: 'a race and a reason that none is given contradict each other',
    given: [{ 'mother.race': 'White', 'mother.race_absent_reason': 'declined' }],
    when: (birth) => [told(birth), told({ ...birth, 'mother.race': '' })],
    expect: [
      [
        'course',
        'mother.race_absent_reason: A race is entered, and also a reason that no race is given. Check which is right.',
      ],
      ['course'],
    ],
  },
]);
