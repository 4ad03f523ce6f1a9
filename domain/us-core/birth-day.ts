import { dayNumber } from '../bfdr/dates.ts';

/** When the birth was, as far as the chart tells. Days as `dayNumber` counts them. */
export interface BirthDay {
  readonly earliest: number;
  readonly latest: number;
  /** Whether it is one day, not a stay. */
  readonly isExact: boolean;
}

/** Days from the last menstrual period to a birth at term. @see Naegele's rule */
export const TERM_DAYS = 280;
/** A gestational age from this many days around the birth counts as that at birth. */
const AT_BIRTH_DAYS = 7;
/** Longer than any pregnancy that is recorded: 46 weeks. */
const LONGEST_PREGNANCY_DAYS = 322;
/** Until a mother's last visit after the birth. */
const AFTERCARE_DAYS = 42;
/** Our choice: what was born longer ago is an earlier child. */
const OLDEST_BIRTH_DAYS = 366;

/** What a chart is read against: the birth, and the day of reading. */
export interface ChartTimes {
  readonly birth: BirthDay | null;
  readonly today: number;
}

/** @param today `YYYY-MM-DD` */
export const chartTimes = (birth: BirthDay | null, today: string): ChartTimes => ({
  birth,
  today: dayNumber(today),
});

/** One known day. */
export const exactDay = (day: number): BirthDay => ({ earliest: day, latest: day, isExact: true });

/** Whether a day is recent enough to be the birth that is to be registered, and not to come. */
export const canBeThisBirth = (day: number, today: string): boolean => {
  const ago = dayNumber(today) - day;
  return ago >= -1 && ago <= OLDEST_BIRTH_DAYS;
};

/** Whether a day is around the birth; unknown without either of them. */
export const isAroundBirth = (day: number | null, { birth }: ChartTimes): boolean | null => {
  if (birth === null || day === null) return null;
  return day >= birth.earliest - AT_BIRTH_DAYS && day <= birth.latest + AT_BIRTH_DAYS;
};

/** Whether a day is in this pregnancy, or soon after it. */
export const isInPregnancy = (day: number, { birth, today }: ChartTimes): boolean => {
  const [from, to] =
    birth === null
      ? [today - OLDEST_BIRTH_DAYS, today + 1]
      : [birth.earliest - LONGEST_PREGNANCY_DAYS, birth.latest + AFTERCARE_DAYS];
  return day >= from && day <= to;
};

/** Whether a last menstrual period can be that of this pregnancy. */
export const canBeginPregnancy = (day: number, times: ChartTimes): boolean => {
  const { birth, today } = times;
  if (birth === null)
    return day <= today && day >= today - OLDEST_BIRTH_DAYS - LONGEST_PREGNANCY_DAYS;
  return day <= birth.latest - 12 * 7 && day >= birth.earliest - LONGEST_PREGNANCY_DAYS;
};
