import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
} from '../../../domain/course/course.ts';
import {
  type Answer,
  BIRTH_RATES,
  COURSE_RATES,
  RATES,
} from '../../../domain/statistics/definitions.ts';
import { extractFacts } from '../../../domain/statistics/facts.ts';
import { buildTransfer } from '../../support/transfers.ts';

const facts = suite('what a course of care says to statistics');

const course = (changes: Partial<CourseOfCare>, ...children: Partial<Child>[]): CourseOfCare => ({
  ...emptyCourseOfCare(),
  ...changes,
  children: children.map((child) => ({ ...emptyChild(), ...child })),
});

interface Row {
  readonly rate: string;
  readonly says: Answer;
  readonly of: CourseOfCare;
}

/** Nulliparous, term, singleton, vertex. */
const ntsv = (changes: Partial<CourseOfCare> = {}, child: Partial<Child> = {}): CourseOfCare =>
  course(
    {
      previous_births_living: 0,
      previous_births_dead: 0,
      delivery_method: CESAREAN,
      plurality: 1,
      ...changes,
    },
    { gestational_age_weeks: 37, presentation: '70028003', ...child },
  );

const CESAREAN = '11466000';
const VAGINAL = '700000006';
const FORCEPS = '302383004';

const ROWS: readonly Row[] = [
  { rate: 'ntsvCesarean', says: true, of: ntsv() },
  { rate: 'ntsvCesarean', says: false, of: ntsv({ delivery_method: VAGINAL }) },
  { rate: 'ntsvCesarean', says: null, of: ntsv({ delivery_method: null }) },
  { rate: 'ntsvCesarean', says: 'not-applicable', of: ntsv({ previous_births_living: 1 }) },
  { rate: 'ntsvCesarean', says: 'not-applicable', of: ntsv({ previous_births_dead: 1 }) },
  { rate: 'ntsvCesarean', says: null, of: ntsv({ previous_births_living: null }) },
  { rate: 'ntsvCesarean', says: null, of: ntsv({ previous_births_dead: null }) },
  { rate: 'ntsvCesarean', says: 'not-applicable', of: ntsv({}, { gestational_age_weeks: 36 }) },
  { rate: 'ntsvCesarean', says: null, of: ntsv({}, { gestational_age_weeks: null }) },
  { rate: 'ntsvCesarean', says: 'not-applicable', of: ntsv({}, { presentation: '6096002' }) },
  { rate: 'ntsvCesarean', says: 'not-applicable', of: ntsv({}, { presentation: 'OTH' }) },
  { rate: 'ntsvCesarean', says: null, of: ntsv({}, { presentation: 'Compound' }) },
  { rate: 'ntsvCesarean', says: 'not-applicable', of: ntsv({}, { fetal_death: true }) },
  // Not said to be twins, as in the figures by plurality.
  { rate: 'ntsvCesarean', says: true, of: ntsv({ plurality: null }) },
  { rate: 'ntsvCesarean', says: 'not-applicable', of: ntsv({ plurality: 2 }) },
  {
    rate: 'ntsvCesarean',
    says: 'not-applicable',
    of: course({ delivery_method: CESAREAN }, { gestational_age_weeks: 39 }, {}),
  },
  // What is known to be outside is outside, whatever else is not known.
  {
    rate: 'ntsvCesarean',
    says: 'not-applicable',
    of: ntsv(
      { previous_births_living: null, delivery_method: null },
      { gestational_age_weeks: 30 },
    ),
  },
  { rate: 'ntsvCesarean', says: null, of: course({ delivery_method: CESAREAN }) },
  {
    rate: 'primaryCesarean',
    says: true,
    of: course({ previous_cesareans: 0, delivery_method: CESAREAN }),
  },
  {
    rate: 'primaryCesarean',
    says: 'not-applicable',
    of: course({ previous_cesareans: 1, delivery_method: CESAREAN }),
  },
  { rate: 'primaryCesarean', says: null, of: course({ delivery_method: CESAREAN }) },
  { rate: 'primaryCesarean', says: null, of: course({ previous_cesareans: 0 }) },
  { rate: 'vbac', says: true, of: course({ previous_cesareans: 2, delivery_method: FORCEPS }) },
  { rate: 'vbac', says: false, of: course({ previous_cesareans: 1, delivery_method: CESAREAN }) },
  {
    rate: 'vbac',
    says: 'not-applicable',
    of: course({ previous_cesareans: 0, delivery_method: VAGINAL }),
  },
  { rate: 'vbac', says: null, of: course({ delivery_method: VAGINAL }) },
  { rate: 'vbac', says: null, of: course({ previous_cesareans: 1 }) },
  {
    rate: 'laborAfterCesarean',
    says: true,
    of: course({ previous_cesareans: 1, delivery_method: VAGINAL, trial_of_labor: false }),
  },
  {
    rate: 'laborAfterCesarean',
    says: true,
    of: course({ previous_cesareans: 1, delivery_method: CESAREAN, trial_of_labor: true }),
  },
  {
    rate: 'laborAfterCesarean',
    says: false,
    of: course({ previous_cesareans: 1, delivery_method: CESAREAN, trial_of_labor: false }),
  },
  {
    rate: 'laborAfterCesarean',
    says: null,
    of: course({ previous_cesareans: 1, delivery_method: CESAREAN }),
  },
  {
    rate: 'laborAfterCesarean',
    says: 'not-applicable',
    of: course({ previous_cesareans: 0, delivery_method: CESAREAN, trial_of_labor: true }),
  },
  { rate: 'assistedVaginal', says: true, of: course({ delivery_method: '61586001' }) },
  { rate: 'assistedVaginal', says: false, of: course({ delivery_method: VAGINAL }) },
  { rate: 'assistedVaginal', says: 'not-applicable', of: course({ delivery_method: CESAREAN }) },
  { rate: 'assistedVaginal', says: null, of: course({}) },
  { rate: 'nicuAdmission', says: true, of: course({}, { nicu_admission: true }) },
  { rate: 'nicuAdmission', says: null, of: course({}, {}) },
  { rate: 'breastfedAtDischarge', says: true, of: course({}, { breastfed_at_discharge: true }) },
  { rate: 'breastfedAtDischarge', says: false, of: course({}, { breastfed_at_discharge: false }) },
  { rate: 'breastfedAtDischarge', says: null, of: course({}, { living: true }) },
  {
    rate: 'breastfedAtDischarge',
    says: 'not-applicable',
    of: course({}, { breastfed_at_discharge: false, living: false }),
  },
  {
    rate: 'breastfedAtDischarge',
    says: 'not-applicable',
    of: course({}, { breastfed_at_discharge: false, fetal_death: true }),
  },
  { rate: 'cesarean', says: true, of: course({ delivery_method: '11466000' }) },
  { rate: 'cesarean', says: false, of: course({ delivery_method: '61586001' }) },
  { rate: 'cesarean', says: null, of: course({ delivery_method: '261665006' }) },
  { rate: 'cesarean', says: null, of: course({}) },
  { rate: 'statCesarean', says: false, of: course({ stat_cesarean: false }) },
  { rate: 'statCesarean', says: null, of: course({ delivery_method: '11466000' }) },
  { rate: 'induction', says: true, of: course({ induction_agents: ['oxytocin'] }) },
  { rate: 'induction', says: true, of: course({ induction_indication: 'post-dates' }) },
  { rate: 'induction', says: false, of: course({ delivery_method: '700000006' }) },
  { rate: 'induction', says: false, of: course({ trial_of_labor: true }) },
  { rate: 'induction', says: null, of: course({}) },
  { rate: 'augmentation', says: true, of: course({ augmentation_agents: ['oxytocin'] }) },
  { rate: 'augmentation', says: false, of: course({ delivery_method: '700000006' }) },
  { rate: 'augmentation', says: null, of: course({ induction_agents: ['oxytocin'] }) },
  { rate: 'doulaPresent', says: true, of: course({ doula_present: true }) },
  { rate: 'doulaPresent', says: null, of: course({}) },
  { rate: 'delayedCordClamping', says: false, of: course({ delayed_cord_clamping: false }) },
  {
    rate: 'transfer',
    says: true,
    of: course({
      transfers: [buildTransfer({ type: 'infant', direction: 'out', facility: null })],
    }),
  },
  { rate: 'transfer', says: false, of: course({}) },
  { rate: 'consentGranted', says: false, of: course({}) },
  { rate: 'preterm', says: true, of: course({}, { gestational_age_weeks: 36 }) },
  { rate: 'preterm', says: false, of: course({}, { gestational_age_weeks: 37 }) },
  { rate: 'preterm', says: null, of: course({}, {}) },
  {
    rate: 'preterm',
    says: 'not-applicable',
    of: course({}, { gestational_age_weeks: 20, fetal_death: true }),
  },
  { rate: 'lowBirthWeight', says: true, of: course({}, { birth_weight_grams: 2_499.9 }) },
  { rate: 'lowBirthWeight', says: false, of: course({}, { birth_weight_grams: 2_500 }) },
  { rate: 'veryLowBirthWeight', says: true, of: course({}, { birth_weight_grams: 1_499 }) },
  { rate: 'veryLowBirthWeight', says: false, of: course({}, { birth_weight_grams: 1_500 }) },
  { rate: 'lowApgar', says: true, of: course({}, { apgar_five_minute: 6 }) },
  { rate: 'lowApgar', says: false, of: course({}, { apgar_five_minute: 7 }) },
];

ROWS.forEach(({ rate, says, of }, index) => {
  facts(`row ${index + 1}: ${rate} is ${says === null ? 'not known' : says}`, () => {
    const definition = RATES.find(({ name }) => name === rate);
    const { course: courseFact, births } = extractFacts(of);
    const claims = definition?.unit === 'birth' ? births[0]?.claims : courseFact.claims;
    assert.is(claims?.[definition?.column ?? ''], says);
  });
});

facts('every rate has a row that counts it', () => {
  for (const { name } of RATES.filter(({ name }) => name !== 'consentGranted'))
    assert.ok(
      ROWS.some(({ rate }) => rate === name),
      name,
    );
});

facts('a course counts in the year of its first dated child, each child in its own', () => {
  const twins = course(
    { plurality: 2 },
    { birth_date: '2025-12-31' },
    { birth_date: '2026-01-01' },
  );
  const { course: courseFact, births } = extractFacts(twins);
  assert.equal([courseFact.year, courseFact.month, courseFact.plurality], [2025, 12, 2]);
  assert.equal(
    births.map(({ year, month }) => [year, month]),
    [
      [2025, 12],
      [2026, 1],
    ],
  );
});

facts('a masked date keeps its year only', () => {
  const { course: courseFact } = extractFacts(course({}, {}, { birth_date: '2026' }));
  assert.equal([courseFact.year, courseFact.month], [2026, null]);
});

facts('names and columns are told apart', () => {
  assert.is(new Set(RATES.map(({ name }) => name)).size, RATES.length);
  for (const rates of [COURSE_RATES, BIRTH_RATES])
    assert.is(new Set(rates.map(({ column }) => column)).size, rates.length);
});

facts.run();
