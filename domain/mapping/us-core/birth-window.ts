import { GESTATION_DAYS } from '../../course/possible-ranges.ts';
import { toDayNumber } from '../../fhir/dates.ts';
import { spendBudget } from '../../fhir/steps.ts';
import type { ReadObservation } from './observations.ts';

/** As counted by `toDayNumber`. */
export interface BirthWindow {
  readonly earliest: number;
  readonly latest: number;
  readonly isExact: boolean;
}

/** Days from the last menstrual period to a birth at term. @see Naegele's rule */
export const TERM_DAYS = 280;
/** A gestational age within this many days of the birth counts as the age at birth. */
const AT_BIRTH_DAYS = 7;
/** Days until a mother's last visit after the birth. */
const AFTERCARE_DAYS = 42;
/** Our choice: an older birth can be registered, but with a caution. */
const LATE_DAYS = 366;

export interface ChartTimeline {
  readonly birth: BirthWindow | null;
  /** Last day of the pregnancy to read: today, or the last day mentioned in an old chart. */
  readonly until: number;
  readonly today: number;
  readonly isLongAgo: boolean;
}

/**
 * @param lastOfPregnancy the last day with data about a pregnancy in the chart
 * @param today `YYYY-MM-DD`
 */
export const buildTimeline = (
  birth: BirthWindow | null,
  lastOfPregnancy: number | null,
  today: string,
): ChartTimeline => {
  const now = toDayNumber(today);
  const last = birth?.latest ?? lastOfPregnancy ?? now;
  const isLongAgo = last < now - LATE_DAYS;
  return { birth, today: now, until: isLongAgo ? last : now, isLongAgo };
};

export const toExactDay = (day: number): BirthWindow => ({
  earliest: day,
  latest: day,
  isExact: true,
});

/** True if a day is not in the future. Tomorrow is accepted, because it may be today in another time zone. */
export const isPlausibleBirthDay = (day: number, today: string): boolean =>
  day <= toDayNumber(today) + 1;

export const isPastPostpartum = (day: number, birth: BirthWindow): boolean =>
  day > birth.latest + AFTERCARE_DAYS;

export const isAroundBirth = (day: number | null, { birth }: ChartTimeline): boolean | null => {
  if (birth === null || day === null) return null;
  return day >= birth.earliest - AT_BIRTH_DAYS && day <= birth.latest + AT_BIRTH_DAYS;
};

export const isInPregnancy = (day: number, { birth, until }: ChartTimeline): boolean => {
  const [from, to] =
    birth === null
      ? [until - LATE_DAYS, until + 1]
      : [birth.earliest - GESTATION_DAYS.to, birth.latest + AFTERCARE_DAYS];
  return day >= from && day <= to;
};

export const canBeginPregnancy = (day: number, times: ChartTimeline): boolean => {
  const { birth, until } = times;
  if (birth === null) return day <= until && day >= until - LATE_DAYS - GESTATION_DAYS.to;
  return day <= birth.latest - GESTATION_DAYS.from && day >= birth.earliest - GESTATION_DAYS.to;
};

export type ChildMatcher = (observation: ReadObservation) => number | 'other' | 'unclear';

const rememberRows = (
  findRow: (focus: readonly string[]) => ReturnType<ChildMatcher>,
): ChildMatcher => {
  const rows = new Map<readonly string[], ReturnType<ChildMatcher>>();
  return ({ focus }) => {
    const known = rows.get(focus);
    if (known !== undefined) return known;
    spendBudget(focus.length);
    const row = findRow(focus);
    rows.set(focus, row);
    return row;
  };
};

/** In a newborn's chart, every Observation is about that child unless its focus is another one. */
export const matchInNewbornChart = (patientId: string): ChildMatcher =>
  rememberRows((focus) => (focus.length === 0 || focus.includes(patientId) ? 0 : 'other'));

/** Lists the children that Observations in the mother's chart are about, in a stable order. */
export const listChildrenInFocus = (
  observations: readonly ReadObservation[],
  motherId: string,
): readonly string[] => {
  spendBudget(observations.length);
  const births = observations.filter(({ kind }) => kind.group === 'birth').toReversed();
  const children = new Set<string>();
  for (const focus of new Set(births.map((one) => one.focus))) {
    spendBudget(focus.length);
    for (const id of focus) if (id !== motherId) children.add(id);
  }
  return [...children];
};

/** Without a focus, it is about the only child, or unclear if there are several. */
export const matchInMotherChart = (
  children: readonly string[],
  isSeveral: boolean,
  motherId: string,
): ChildMatcher => {
  const rows = new Map(children.map((id, row) => [id, row]));
  return rememberRows((focus) => {
    let first = children.length;
    for (const id of focus) first = Math.min(first, rows.get(id) ?? first);
    if (first < children.length) return first;
    if (focus.some((id) => id !== motherId)) return 'other';
    return isSeveral ? 'unclear' : 0;
  });
};
