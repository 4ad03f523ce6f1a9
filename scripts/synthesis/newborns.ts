import { isTenMinuteScoreNotNeeded } from '../../domain/course/certificate-items.ts';
import {
  type Child,
  emptyChild,
  emptyTransfer,
  type Transfer,
} from '../../domain/course/course.ts';
import type { Moment } from './calendar.ts';
import { inventRecordNumber } from './mothers.ts';
import { inventGivenNames, type NameOrigin } from './names.ts';
import type { Random } from './random.ts';
import {
  APGAR_FIVE,
  BREASTFED,
  BREECH,
  MEDIAN_GRAMS,
  OUTLOOK,
  US_SHARES,
  WEIGHT_BY_PLURALITY,
  WEIGHT_BY_SEX,
  WEIGHT_DEVIATION,
} from './us-figures.ts';
import type { Weights } from './weights.ts';

export interface Shared {
  readonly family: string | null;
  readonly days: number;
  readonly plurality: 1 | 2 | 3;
  readonly stillborn: boolean;
  readonly smoked: boolean;
  readonly origin: NameOrigin;
  /** Common deviation from the median weight for the week, as a fraction of it. */
  readonly heavier: number;
}

const WEEK = 7;
const FULL_TERM_WEEKS = 37;
// Babies of one birth share part of the variance of their weights.
const SHARED_DEVIATION = WEIGHT_DEVIATION * 0.6;
const OWN_DEVIATION = WEIGHT_DEVIATION * 0.8;
const SMOKER_WEIGHT = 0.95;
const MIN_GRAMS = 180;

const LATER_BY: Weights<number> = [
  [0, 75],
  [1, 15],
  [2, 7],
  [3, 3],
];
const APGAR_ONE_OF_GOOD: Weights<number> = [
  [9, 13],
  [8, 70],
  [7, 9],
  [6, 4],
  [5, 2],
  [3, 2],
];
const UNNAMED = 0.07;
const INTENSIVE_AFTER_LOW_APGAR = 0.75;
const MOVED = { early: 0.18, late: 0.02, outside: 0.9, well: 0.0005 } as const;
const EARLY_WEEKS = 30;

export const chooseHeaviness = (random: Random): number => random.about(0, SHARED_DEVIATION);

/** Decides if a baby is breech; later multiples often are. */
export const drawBreech = (days: number, order: number, random: Random): boolean => {
  if (order > 1) return random.chance(BREECH.laterTwin);
  return random.chance(days < FULL_TERM_WEEKS * WEEK ? BREECH.preterm : BREECH.term);
};

/** Generates a newborn. @param bornAt local time with offset */
export const inventNewborn = (
  shared: Shared,
  { order, bornAt, breech }: { order: number; bornAt: string; breech: boolean },
  random: Random,
): Child => {
  const { days, stillborn, origin } = shared;
  const sex = random.chance(US_SHARES.boys) ? 'male' : 'female';
  const isUnnamed = stillborn || random.chance(UNNAMED);
  const child: Child = {
    ...emptyChild(),
    family_name: shared.family,
    given_names: isUnnamed ? [] : inventChildNames(origin, sex, random),
    birth_date: bornAt.slice(0, 'YYYY-MM-DD'.length),
    birth_time: bornAt,
    sex,
    birth_order: order,
    medical_record_number: inventRecordNumber(random),
    fetal_death: stillborn,
    living: false,
    birth_weight_grams: chooseGrams(shared, sex, random),
    gestational_age_weeks: Math.floor(days / WEEK),
    gestational_age_days: days % WEEK,
    presentation: breech ? '6096002' : '70028003',
  };
  if (stillborn) return child;
  const outlook = OUTLOOK.find(({ from }) => days >= from * WEEK) ?? OUTLOOK[0];
  const low = random.chance(outlook?.lowApgar ?? 0);
  const living = !random.chance(outlook?.death ?? 0);
  return {
    ...child,
    living,
    ...chooseScores(low, random),
    nicu_admission:
      random.chance(outlook?.intensiveCare ?? 0) ||
      (low && random.chance(INTENSIVE_AFTER_LOW_APGAR)),
    breastfed_at_discharge: living && random.chance(BREASTFED),
  };
};

export const inventChildNames = (
  origin: NameOrigin,
  sex: Child['sex'],
  random: Random,
): readonly string[] => inventGivenNames(origin, sex === 'male' ? 'men' : 'women', random);

const chooseGrams = (shared: Shared, sex: 'male' | 'female', random: Random): number => {
  const week = Math.floor(shared.days / WEEK);
  const here = MEDIAN_GRAMS.get(week) ?? 0;
  const next = MEDIAN_GRAMS.get(week + 1) ?? here;
  // The table gives the median at midweek.
  const median = here + ((next - here) * ((shared.days % WEEK) - 3)) / WEEK;
  const factor =
    WEIGHT_BY_SEX[sex] *
    WEIGHT_BY_PLURALITY[shared.plurality] *
    (shared.smoked ? SMOKER_WEIGHT : 1) *
    (1 + shared.heavier + random.about(0, OWN_DEVIATION));
  return Math.max(MIN_GRAMS, Math.round(median * factor));
};

const chooseScores = (low: boolean, random: Random) => {
  const five = random.weighted(low ? APGAR_FIVE.low : APGAR_FIVE.good);
  const one = low ? Math.max(0, five - random.whole(0, 3)) : random.weighted(APGAR_ONE_OF_GOOD);
  return {
    apgar_one_minute: Math.min(one, five),
    apgar_five_minute: five,
    // The certificate asks for ten minutes only below 6.
    apgar_ten_minute: five < 6 ? Math.min(10, five + random.weighted(LATER_BY)) : null,
  };
};

export const isMoved = (
  { fetal_death, nicu_admission, gestational_age_weeks: week }: Child,
  inHospital: boolean,
  random: Random,
): boolean => {
  if (fetal_death === true) return false;
  if (nicu_admission !== true) return random.chance(MOVED.well);
  if (!inHospital) return random.chance(MOVED.outside);
  return random.chance((week ?? 0) < EARLY_WEEKS ? MOVED.early : MOVED.late);
};

/** Times of birth in order, with intervals typical of multiples. */
export const chooseBirthMoments = (
  first: Moment,
  plurality: number,
  byCesarean: boolean,
  random: Random,
): readonly Moment[] => {
  const moments = [first];
  while (moments.length < plurality) {
    const before = moments.at(-1) ?? first;
    moments.push(before + 60 * (byCesarean ? random.whole(1, 3) : random.whole(4, 28)));
  }
  return moments;
};

const MOVED_WITHIN_HOURS = 12;

/** Draws no chance of its own: the details follow from the child. */
export const describeMove = (child: Child, plurality: number, facility: string): Transfer => ({
  ...emptyTransfer(),
  type: 'infant',
  direction: 'out',
  place: 'hospital',
  facility,
  child_birth_order: plurality > 1 ? child.birth_order : null,
  timing: 'after birth',
  hours_after_birth: 1 + ((child.birth_weight_grams ?? 0) % MOVED_WITHIN_HOURS),
  urgency: isTenMinuteScoreNotNeeded(child) ? 'urgent' : 'emergency',
  reason: 'Respiratory distress',
});
