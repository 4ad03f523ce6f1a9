import type { Child, CourseOfCare } from '../course-of-care/canonical-record.ts';
import { CESAREAN } from '../course-of-care/codes.ts';

/** What one rate counts; the page, the operator command, the tables and the documentation share it. */
interface Definition {
  /** Its name in JSON. */
  readonly name: string;
  /** Its column in the tables of facts: null there says that the value is not known. */
  readonly column: string;
  readonly title: string;
  /** What the numerator counts, in words. */
  readonly counts: string;
  /** What the denominator counts, in words: known values only. */
  readonly among: string;
}

/** A rate of courses of care: each counts once, however many children. */
export interface CourseRate extends Definition {
  readonly unit: 'courseOfCare';
  readonly holds: (course: CourseOfCare) => boolean | null;
}

/** A rate of live births: each child counts. */
export interface BirthRate extends Definition {
  readonly unit: 'birth';
  readonly holds: (child: Child) => boolean | null;
}

/** One rate. */
export type RateDefinition = CourseRate | BirthRate;

/** Delivery methods of BFDR (SNOMED CT); another code or a text does not say how it was. */
const KNOWN_METHODS = ['700000006', '302383004', '61586001', CESAREAN];

// NCHS, User Guide to the Natality Public Use File: preterm is under 37 completed weeks, low birth
// weight under 2,500 g, very low under 1,500 g; rates are of live births with a stated value.
const PRETERM_BELOW_WEEKS = 37;
const LOW_WEIGHT_BELOW_GRAMS = 2_500;
const VERY_LOW_WEIGHT_BELOW_GRAMS = 1_500;
const LOW_APGAR_BELOW = 7;

const methodIsKnown = ({ delivery_method: method }: CourseOfCare): boolean =>
  method !== null && KNOWN_METHODS.includes(method);

// Our choice: a record lists agents only where there were any. Whether there were none is known
// where the labor was stated at all, by the method of delivery or whether labor was tried.
const isLaborKnown = (course: CourseOfCare): boolean =>
  methodIsKnown(course) || course.trial_of_labor !== null;

const ifLaborIsKnown = (holds: boolean, course: CourseOfCare): boolean | null =>
  holds || (isLaborKnown(course) ? false : null);

const below = (limit: number, value: number | null): boolean | null =>
  value === null ? null : value < limit;

/** The rates of courses of care, in the order in which they are shown. */
export const COURSE_RATES: readonly CourseRate[] = [
  {
    unit: 'courseOfCare',
    name: 'cesarean',
    column: 'cesarean',
    title: 'Cesarean',
    counts: 'Delivered by cesarean',
    among: 'courses of care with a known method of delivery',
    holds: (course) => (methodIsKnown(course) ? course.delivery_method === CESAREAN : null),
  },
  {
    unit: 'courseOfCare',
    name: 'statCesarean',
    column: 'stat_cesarean',
    title: 'Stat cesarean',
    counts: 'Stat cesarean',
    among: 'courses of care that say whether there was one',
    holds: ({ stat_cesarean }) => stat_cesarean,
  },
  {
    unit: 'courseOfCare',
    name: 'induction',
    column: 'induction',
    title: 'Induction of labor',
    counts: 'With an agent of induction or an indication for it',
    among:
      'courses of care that tell of the labor: a method of delivery, a trial of labor or these',
    holds: (course) =>
      ifLaborIsKnown(
        course.induction_agents.length > 0 || course.induction_indication !== null,
        course,
      ),
  },
  {
    unit: 'courseOfCare',
    name: 'augmentation',
    column: 'augmentation',
    title: 'Augmentation of labor',
    counts: 'With an agent of augmentation',
    among:
      'courses of care that tell of the labor: a method of delivery, a trial of labor or these',
    holds: (course) => ifLaborIsKnown(course.augmentation_agents.length > 0, course),
  },
  {
    unit: 'courseOfCare',
    name: 'doulaPresent',
    column: 'doula_present',
    title: 'Doula present',
    counts: 'With a doula present',
    among: 'courses of care that say whether one was',
    holds: ({ doula_present }) => doula_present,
  },
  {
    unit: 'courseOfCare',
    name: 'delayedCordClamping',
    column: 'delayed_cord_clamping',
    title: 'Delayed cord clamping',
    counts: 'With delayed clamping of the cord',
    among: 'courses of care that say whether it was delayed',
    holds: ({ delayed_cord_clamping }) => delayed_cord_clamping,
  },
  {
    unit: 'courseOfCare',
    name: 'transfer',
    column: 'transfer',
    title: 'Transfer of care',
    counts: 'With a transfer of the mother or a child, in or out',
    among: 'all courses of care: one that names no transfer had none',
    holds: ({ transfers }) => transfers.length > 0,
  },
  {
    unit: 'courseOfCare',
    name: 'consentGranted',
    column: 'consent_granted',
    title: 'Consent granted',
    counts: 'With consent granted',
    among: 'all courses of care: each holds a decision',
    holds: ({ consent }) => consent.granted,
  },
];

/** The rates of live births, in the order in which they are shown. */
export const BIRTH_RATES: readonly BirthRate[] = [
  {
    unit: 'birth',
    name: 'preterm',
    column: 'preterm',
    title: 'Preterm',
    counts: `Born before ${PRETERM_BELOW_WEEKS} completed weeks`,
    among: 'live births with a known gestational age',
    holds: ({ gestational_age_weeks: weeks }) => below(PRETERM_BELOW_WEEKS, weeks),
  },
  {
    unit: 'birth',
    name: 'lowBirthWeight',
    column: 'low_birth_weight',
    title: 'Low birth weight',
    counts: 'Under 2,500 g',
    among: 'live births with a known weight',
    holds: ({ birth_weight_grams: grams }) => below(LOW_WEIGHT_BELOW_GRAMS, grams),
  },
  {
    unit: 'birth',
    name: 'veryLowBirthWeight',
    column: 'very_low_birth_weight',
    title: 'Very low birth weight',
    counts: 'Under 1,500 g',
    among: 'live births with a known weight',
    holds: ({ birth_weight_grams: grams }) => below(VERY_LOW_WEIGHT_BELOW_GRAMS, grams),
  },
  {
    unit: 'birth',
    name: 'lowApgar',
    column: 'low_apgar',
    title: '5-minute Apgar under 7',
    counts: 'With an Apgar score under 7 at 5 minutes',
    among: 'live births with a known score at 5 minutes',
    holds: ({ apgar_five_minute: score }) => below(LOW_APGAR_BELOW, score),
  },
];

/** Every rate. */
export const RATES: readonly RateDefinition[] = [...COURSE_RATES, ...BIRTH_RATES];

/** A rate of others is not shown that counts fewer than these, or leaves fewer uncounted. */
export const FEWEST_SHOWN = 11;

/** Nor one that fewer other practices contribute to: too few to tell none from another. */
export const FEWEST_PRACTICES = 5;

/** What the other figures count, in words. */
export const COUNTS = {
  coursesOfCare: 'Live records: one mother and her delivery each.',
  births: 'Children of live records, fetal deaths included.',
  fetalDeaths: 'Children recorded as fetal deaths; the rates of births leave them out.',
  year: 'Year of birth; a course of care counts in the year of its first dated child.',
  month:
    'Month of birth, where more than the year is known: births of a partner feed keep the year only.',
  benchmark: `All other live practices together, sandboxes and this practice excepted, in whole percent. Shown where at least ${FEWEST_PRACTICES} of them have such births, none has more than half of these, and at least ${FEWEST_SHOWN} are counted and ${FEWEST_SHOWN} are not. By attendant, the role "other" is left out.`,
} as const;
