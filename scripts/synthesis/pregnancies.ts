import type { CourseOfCare } from '../../domain/course/course.ts';
import { addDays } from './calendar.ts';
import type { Practice } from './practice.ts';
import type { Random } from './random.ts';
import {
  COMMUNITY_WEEKS,
  FIRST_VISIT,
  GESTATION_WEEKS,
  type Setting,
  SMOKED_BEFORE,
  STILLBIRTH_WEEKS,
  US_SHARES,
  WIC,
} from './us-figures.ts';

export interface Circumstances {
  readonly setting: Setting;
  readonly plurality: 1 | 2 | 3;
  readonly stillborn: boolean;
}

type Pregnancy = Pick<
  CourseOfCare,
  | 'last_menstrual_period'
  | 'first_prenatal_visit'
  | 'prenatal_visits'
  | 'prenatal_care_site'
  | 'wic'
  | 'cigarettes_before'
  | 'cigarettes_first_trimester'
  | 'cigarettes_second_trimester'
  | 'cigarettes_third_trimester'
>;

const WEEK = 7;

export const chooseGestationDays = (
  { setting, plurality, stillborn }: Circumstances,
  random: Random,
): number => {
  const isPlanned = setting === 'planned home' || setting === 'birth center';
  const single = isPlanned ? COMMUNITY_WEEKS : GESTATION_WEEKS[plurality];
  const weeks = random.weighted(stillborn ? STILLBIRTH_WEEKS : single);
  return weeks * WEEK + random.whole(0, WEEK - 1);
};

export const inventPregnancy = (
  birthDate: string,
  days: number,
  practice: Practice,
  random: Random,
): Pregnancy => {
  // The clinic's estimate and the mother's memory differ by a few days.
  const lastPeriod = addDays(birthDate, -days - random.whole(-3, 3));
  const trimester = random.weighted(FIRST_VISIT);
  const firstVisitDay = Math.min(chooseFirstVisitDay(trimester, random), days - 4);
  const [before, first, second, third] = chooseCigarettes(random);
  return {
    last_menstrual_period: lastPeriod,
    first_prenatal_visit: trimester === 0 ? null : addDays(lastPeriod, firstVisitDay),
    prenatal_visits: trimester === 0 ? 0 : countVisits(firstVisitDay, days, random),
    prenatal_care_site: trimester === 0 ? null : random.pick(practice.prenatalSites),
    wic: random.chance(WIC),
    cigarettes_before: before,
    cigarettes_first_trimester: first,
    cigarettes_second_trimester: second,
    cigarettes_third_trimester: third,
  };
};

const chooseFirstVisitDay = (trimester: number, random: Random): number => {
  if (trimester === 1) return random.whole(42, 91);
  return trimester === 2 ? random.whole(92, 189) : random.whole(190, 250);
};

// About twelve visits in a pregnancy of 40 weeks, if they start in the tenth.
const countVisits = (firstVisitDay: number, days: number, random: Random): number =>
  Math.max(1, Math.round((random.about(12, 2.8) * (days - firstVisitDay)) / 210));

/** Per day, before pregnancy and in each trimester. */
const chooseCigarettes = (random: Random): readonly [number, number, number, number] => {
  if (!random.chance(SMOKED_BEFORE)) return [0, 0, 0, 0];
  const before = random.pick([3, 5, 10, 10, 15, 20, 20, 30]);
  if (!random.chance(US_SHARES.smoked / SMOKED_BEFORE)) return [before, 0, 0, 0];
  const first = Math.ceil(before / 2);
  const second = Math.floor(first * random.pick([0, 0.5, 1]));
  return [before, first, second, random.chance(0.8) ? second : 0];
};
