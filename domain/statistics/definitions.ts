import { CESAREAN, VAGINAL_SPONTANEOUS } from '../course/codes.ts';
import type { Child, CourseOfCare } from '../course/course.ts';
import { wasAugmented, wasInduced } from '../course/labor.ts';
import { hasTransfer } from '../course/transfers.ts';

/** `null` if unknown. */
export type Answer = boolean | null | 'not-applicable';

interface Definition {
  /** Name in JSON. */
  readonly name: string;
  readonly column: string;
  readonly title: string;
  readonly counts: string;
  /** Denominator, in words: known values only. */
  readonly among: string;
}

/** Rate of deliveries: each counts once, regardless of the number of children. */
export interface CourseRate extends Definition {
  readonly unit: 'courseOfCare';
  readonly holds: (course: CourseOfCare) => Answer;
}

export interface BirthRate extends Definition {
  readonly unit: 'birth';
  readonly holds: (child: Child) => Answer;
}

export type RateDefinition = CourseRate | BirthRate;

const ASSISTED = ['302383004', '61586001'];
/** Delivery methods of BFDR (SNOMED CT). Any other code or text leaves the method unknown. */
const KNOWN_METHODS = [VAGINAL_SPONTANEOUS, ...ASSISTED, CESAREAN];
const VERTEX = '70028003';
const OTHER_PRESENTATIONS = ['6096002', 'OTH'];

// NCHS, User Guide to the Natality Public Use File: preterm is under 37 completed weeks, low birth
// weight under 2,500 g, very low under 1,500 g; rates are of live births with a stated value.
const TERM_FROM_WEEKS = 37;
const LOW_WEIGHT_BELOW_GRAMS = 2_500;
const VERY_LOW_WEIGHT_BELOW_GRAMS = 1_500;
const LOW_APGAR_BELOW = 7;

const isCesarean = ({ delivery_method: method }: CourseOfCare): boolean | null =>
  method !== null && KNOWN_METHODS.includes(method) ? method === CESAREAN : null;

const isVaginal = (course: CourseOfCare): boolean | null => {
  const cesarean = isCesarean(course);
  return cesarean === null ? null : !cesarean;
};

// Our choice: records list agents only if there were any. An empty list means none only if the record has
// labor information: a delivery method, or an answer about a trial of labor.
const isLaborKnown = (course: CourseOfCare): boolean =>
  isCesarean(course) !== null || course.trial_of_labor !== null;

const falseIfLaborIsKnown = (course: CourseOfCare): boolean | null =>
  isLaborKnown(course) ? false : null;

const below = (limit: number, value: number | null): boolean | null =>
  value === null ? null : value < limit;

const among = (isAmong: boolean | null, holds: () => boolean | null): Answer => {
  if (isAmong === false) return 'not-applicable';
  return isAmong === null ? null : holds();
};

/** Three-valued AND: false if any is false, else `null` if any is unknown. */
const all = (claims: readonly (boolean | null)[]): boolean | null => {
  if (claims.includes(false)) return false;
  return claims.includes(null) ? null : true;
};

const isZero = (count: number | null): boolean | null => (count === null ? null : count === 0);

const hadCesarean = ({ previous_cesareans: count }: CourseOfCare): boolean | null =>
  count === null ? null : count > 0;

const isVertex = (presentation: string | null): boolean | null => {
  if (presentation === VERTEX) return true;
  return presentation !== null && OTHER_PRESENTATIONS.includes(presentation) ? false : null;
};

/** Nulliparous, term, singleton, vertex. One child is a singleton unless the record says otherwise. */
const isNtsv = (course: CourseOfCare): boolean | null => {
  const [child, ...others] = course.children;
  if (child === undefined) return null;
  const preterm = below(TERM_FROM_WEEKS, child.gestational_age_weeks);
  return all([
    others.length === 0 && (course.plurality ?? 1) === 1,
    child.fetal_death !== true,
    isZero(course.previous_births_living),
    isZero(course.previous_births_dead),
    preterm === null ? null : !preterm,
    isVertex(child.presentation),
  ]);
};

const wasLaborTried = (course: CourseOfCare): boolean | null =>
  isVaginal(course) === true ? true : course.trial_of_labor;

export const COURSE_RATES: readonly CourseRate[] = [
  {
    unit: 'courseOfCare',
    name: 'cesarean',
    column: 'cesarean',
    title: 'Cesarean',
    counts: 'Cesarean deliveries',
    among: 'deliveries with a known method',
    holds: isCesarean,
  },
  /**
   * Low-risk cesarean: nulliparous, term, singleton, vertex. Parity is as on the certificate: earlier
   * children born alive, whether now living or dead.
   * @see Joint Commission, Perinatal Care measure PC-02; NCHS, Births: Final Data, "low-risk cesarean
   *   delivery"
   */
  {
    unit: 'courseOfCare',
    name: 'ntsvCesarean',
    column: 'ntsv_cesarean',
    title: 'NTSV cesarean',
    counts: 'Cesarean deliveries',
    among: 'first live births of one baby at 37 weeks or later, head first, with a known method',
    holds: (course) => among(isNtsv(course), () => isCesarean(course)),
  },
  /** @see NCHS, Births: Final Data, "primary cesarean delivery rate" */
  {
    unit: 'courseOfCare',
    name: 'primaryCesarean',
    column: 'primary_cesarean',
    title: 'Primary cesarean',
    counts: 'Cesarean deliveries',
    among: 'deliveries without an earlier cesarean, with a known method',
    holds: (course) => among(isZero(course.previous_cesareans), () => isCesarean(course)),
  },
  /** @see NCHS, Births: Final Data, "vaginal birth after previous cesarean delivery (VBAC) rate" */
  {
    unit: 'courseOfCare',
    name: 'vbac',
    column: 'vbac',
    title: 'Vaginal birth after cesarean (VBAC)',
    counts: 'Vaginal deliveries',
    among: 'deliveries after an earlier cesarean, with a known method',
    holds: (course) => among(hadCesarean(course), () => isVaginal(course)),
  },
  /**
   * The certificate asks about a trial of labor only for cesareans. A vaginal delivery always had labor.
   * @see ACOG Practice Bulletin 205, "trial of labor after cesarean delivery (TOLAC)"
   */
  {
    unit: 'courseOfCare',
    name: 'laborAfterCesarean',
    column: 'labor_after_cesarean',
    title: 'Trial of labor after cesarean (TOLAC)',
    counts: 'Vaginal deliveries, and cesareans after a trial of labor',
    among: 'deliveries after an earlier cesarean that say whether there was labor',
    holds: (course) => among(hadCesarean(course), () => wasLaborTried(course)),
  },
  /** @see NCHS, User Guide to the Natality Public Use File, "final route and method of delivery" */
  {
    unit: 'courseOfCare',
    name: 'assistedVaginal',
    column: 'assisted_vaginal',
    title: 'Forceps or vacuum',
    counts: 'Deliveries by forceps or vacuum',
    among: 'vaginal deliveries with a known method',
    holds: (course) =>
      among(isVaginal(course), () => ASSISTED.includes(course.delivery_method ?? '')),
  },
  {
    unit: 'courseOfCare',
    name: 'statCesarean',
    column: 'stat_cesarean',
    title: 'Emergency (stat) cesarean',
    counts: 'Emergency (stat) cesareans',
    among: 'deliveries that say whether there was one',
    holds: ({ stat_cesarean }) => stat_cesarean,
  },
  {
    unit: 'courseOfCare',
    name: 'induction',
    column: 'induction',
    title: 'Induction of labor',
    counts: 'Deliveries that were induced, or have a method of induction or a reason for it',
    among: 'deliveries with labor information',
    holds: (course) => wasInduced(course) ?? falseIfLaborIsKnown(course),
  },
  {
    unit: 'courseOfCare',
    name: 'augmentation',
    column: 'augmentation',
    title: 'Augmentation of labor',
    counts: 'Deliveries that were augmented, or have a method of augmentation',
    among: 'deliveries with labor information',
    holds: (course) => wasAugmented(course) ?? falseIfLaborIsKnown(course),
  },
  {
    unit: 'courseOfCare',
    name: 'doulaPresent',
    column: 'doula_present',
    title: 'Doula presence',
    counts: 'Deliveries with a doula present',
    among: 'deliveries that say whether one was present',
    holds: ({ doula_present }) => doula_present,
  },
  {
    unit: 'courseOfCare',
    name: 'delayedCordClamping',
    column: 'delayed_cord_clamping',
    title: 'Delayed cord clamping',
    counts: 'Deliveries with delayed cord clamping',
    among: 'deliveries that say whether clamping was delayed',
    holds: ({ delayed_cord_clamping }) => delayed_cord_clamping,
  },
  {
    unit: 'courseOfCare',
    name: 'transfer',
    column: 'transfer',
    title: 'Transfer of care',
    counts: 'Deliveries with a stated transfer of the mother or a child, in or out',
    among: 'all deliveries: a record that states no transfer had none',
    holds: hasTransfer,
  },
  {
    unit: 'courseOfCare',
    name: 'consentGranted',
    column: 'consent_granted',
    title: 'Consent granted',
    counts: 'Deliveries with consent granted',
    among: 'all deliveries: each record holds a decision',
    holds: ({ consent }) => consent.granted,
  },
];

export const BIRTH_RATES: readonly BirthRate[] = [
  {
    unit: 'birth',
    name: 'preterm',
    column: 'preterm',
    title: 'Preterm birth',
    counts: `Born before ${TERM_FROM_WEEKS} completed weeks`,
    among: 'live births with a known gestational age',
    holds: ({ gestational_age_weeks: weeks }) => below(TERM_FROM_WEEKS, weeks),
  },
  {
    unit: 'birth',
    name: 'lowBirthWeight',
    column: 'low_birth_weight',
    title: 'Low birth weight',
    counts: 'Born under 2,500 g',
    among: 'live births with a known weight',
    holds: ({ birth_weight_grams: grams }) => below(LOW_WEIGHT_BELOW_GRAMS, grams),
  },
  {
    unit: 'birth',
    name: 'veryLowBirthWeight',
    column: 'very_low_birth_weight',
    title: 'Very low birth weight',
    counts: 'Born under 1,500 g',
    among: 'live births with a known weight',
    holds: ({ birth_weight_grams: grams }) => below(VERY_LOW_WEIGHT_BELOW_GRAMS, grams),
  },
  {
    unit: 'birth',
    name: 'lowApgar',
    column: 'low_apgar',
    title: '5-minute Apgar under 7',
    counts: 'Born with an Apgar score under 7 at 5 minutes',
    among: 'live births with a known score at 5 minutes',
    holds: ({ apgar_five_minute: score }) => below(LOW_APGAR_BELOW, score),
  },
  /** @see NCHS, User Guide to the Natality Public Use File, "admission to NICU" */
  {
    unit: 'birth',
    name: 'nicuAdmission',
    column: 'nicu_admission',
    title: 'NICU admission',
    counts: 'Admitted to a neonatal intensive care unit',
    among: 'live births that say whether the child was',
    holds: ({ nicu_admission }) => nicu_admission,
  },
  /**
   * Any breastfeeding. The certificate does not ask if it is exclusive, so this is not the Joint Commission's
   * PC-05. Like NCHS, this excludes children known to have died.
   * @see NCHS, Guide to Completing the Facility Worksheets, "Is infant being breastfed at discharge?"
   */
  {
    unit: 'birth',
    name: 'breastfedAtDischarge',
    column: 'breastfed_at_discharge',
    title: 'Breastfeeding at discharge',
    counts: 'Breastfed at discharge, exclusively or not',
    among: 'live-born children, those known to have died left out, that say whether they were',
    holds: ({ breastfed_at_discharge, living }) =>
      among(living !== false, () => breastfed_at_discharge),
  },
];

export const RATES: readonly RateDefinition[] = [...COURSE_RATES, ...BIRTH_RATES];

/** A rate of other practices is hidden unless at least this many cases are counted, and as many are not. */
export const MIN_CELL_SIZE = 11;

/** Minimum number of other practices in a benchmark, so that none can be singled out. */
export const MIN_PRACTICES = 5;

export const COUNTS = {
  coursesOfCare: 'Deliveries: active records, one mother and her delivery each.',
  births: 'Children of active records, fetal deaths included.',
  fetalDeaths: 'Children recorded as fetal deaths; the rates of births leave them out.',
  year: 'Year of birth; a delivery counts in the year of its first dated child.',
  month:
    'Month of birth, where more than the year is known: births of a partner feed keep the year only.',
  benchmark: `All other live practices together, sandboxes and this practice excepted, in whole percent. Shown where at least ${MIN_PRACTICES} of them have such births, none has more than half of these, and at least ${MIN_CELL_SIZE} are counted and ${MIN_CELL_SIZE} are not. By attendant, the role "other" is left out.`,
} as const;
