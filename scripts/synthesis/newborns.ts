import type { ChildFacts } from './birth-story.ts';
import type { Moment } from './calendar.ts';
import { recordNumber } from './mothers.ts';
import { childNames, type NameOrigin } from './names.ts';
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

/** Common facts of babies in one birth. */
export interface Shared {
  readonly days: number;
  readonly plurality: 1 | 2 | 3;
  readonly stillborn: boolean;
  readonly inHospital: boolean;
  readonly smoked: boolean;
  readonly origin: NameOrigin;
  /** Common deviation from the median weight for the week, as a fraction of it. */
  readonly heavier: number;
  /** Hospital that a newborn may be transferred to. */
  readonly otherHospital: string;
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

/** Generates the common deviation from the median weight, as a fraction of it. */
export const sharedHeaviness = (random: Random): number => random.about(0, SHARED_DEVIATION);

/** Decides if a baby is breech; later multiples often are. */
export const isBreech = (days: number, order: number, random: Random): boolean => {
  if (order > 1) return random.chance(BREECH.laterTwin);
  return random.chance(days < FULL_TERM_WEEKS * WEEK ? BREECH.preterm : BREECH.term);
};

/** Generates a newborn. */
export const newborn = (
  shared: Shared,
  { order, bornAt, breech }: Pick<ChildFacts, 'order' | 'bornAt' | 'breech'>,
  random: Random,
): ChildFacts => {
  const { days, stillborn } = shared;
  const sex: ChildFacts['sex'] = random.chance(US_SHARES.boys) ? 'male' : 'female';
  const given = stillborn || random.chance(UNNAMED) ? [] : childNames(shared.origin, sex, random);
  const grams = gramsOf(shared, sex, random);
  const head = { given, sex, bornAt, order, breech, grams, recordNumber: recordNumber(random) };
  if (stillborn)
    return {
      ...head,
      stillborn,
      living: false,
      intensiveCare: false,
      breastfed: false,
      apgarOne: null,
      apgarFive: null,
      apgarTen: null,
      movedTo: null,
    };
  const week = Math.floor(days / WEEK);
  const outlook = OUTLOOK.find(({ from }) => week >= from) ?? OUTLOOK[0];
  const low = random.chance(outlook?.lowApgar ?? 0);
  const intensiveCare =
    random.chance(outlook?.intensiveCare ?? 0) || (low && random.chance(INTENSIVE_AFTER_LOW_APGAR));
  const living = !random.chance(outlook?.death ?? 0);
  return {
    ...head,
    stillborn,
    living,
    intensiveCare,
    ...scores(low, random),
    breastfed: living && random.chance(BREASTFED),
    movedTo: isMoved(week, intensiveCare, shared.inHospital, random) ? shared.otherHospital : null,
  };
};

const gramsOf = (shared: Shared, sex: 'male' | 'female', random: Random): number => {
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

type Scores = Pick<ChildFacts, 'apgarOne' | 'apgarFive' | 'apgarTen'>;

const scores = (low: boolean, random: Random): Scores => {
  const five = random.weighted(low ? APGAR_FIVE.low : APGAR_FIVE.good);
  const one = low ? Math.max(0, five - random.whole(0, 3)) : random.weighted(APGAR_ONE_OF_GOOD);
  return {
    apgarOne: Math.min(one, five),
    apgarFive: five,
    // The certificate asks for ten minutes only below 6.
    apgarTen: five < 6 ? Math.min(10, five + random.weighted(LATER_BY)) : null,
  };
};

const isMoved = (
  week: number,
  intensiveCare: boolean,
  inHospital: boolean,
  random: Random,
): boolean => {
  if (!intensiveCare) return random.chance(MOVED.well);
  if (!inHospital) return random.chance(MOVED.outside);
  return random.chance(week < EARLY_WEEKS ? MOVED.early : MOVED.late);
};

/** Times of birth in order, with intervals typical of multiples. */
export const birthMoments = (
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
