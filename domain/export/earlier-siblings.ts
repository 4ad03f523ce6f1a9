import type { Child, CourseOfCare } from '../course/course.ts';
import { parseDateAndTime, toSecondNumber } from '../fhir/dates.ts';

/** `null` if it is not stated. A child that lives, or had an Apgar score above 0, was born alive. */
export const isBornAlive = ({
  fetal_death,
  living,
  apgar_one_minute,
  apgar_five_minute,
  apgar_ten_minute,
}: Child): boolean | null => {
  if (fetal_death !== null) return !fetal_death;
  const scores = [apgar_one_minute, apgar_five_minute, apgar_ten_minute];
  return living === true || scores.some((score) => (score ?? 0) > 0) ? true : null;
};

/** By the birth order, else by the times, else as they were entered. Either must be known of all children. */
const listInBirthOrder = (children: readonly Child[]): readonly Child[] => {
  const orders = children.map(({ birth_order }) => birth_order);
  if (new Set(orders).size === orders.length && !orders.includes(null))
    return children.toSorted((one, other) => (one.birth_order ?? 0) - (other.birth_order ?? 0));
  const times = new Map(children.map((child) => [child, parseDateAndTime(child.birth_time ?? '')]));
  // Without its offset, a time cannot be compared with one that has one.
  const offsets = new Set([...times.values()].map((time) => time && time.offsetMinutes !== null));
  if (offsets.size > 1 || offsets.has(null)) return children;
  const getSecond = (child: Child): number => {
    const time = times.get(child);
    return time ? toSecondNumber(time) : 0;
  };
  return children.toSorted((one, other) => getSecond(one) - getSecond(other));
};

/** Children of the delivery who were born before this one, first one first. */
const listEarlierSiblings = ({ children }: CourseOfCare, child: Child): readonly Child[] => {
  const inOrder = listInBirthOrder(children);
  return inOrder.slice(0, inOrder.indexOf(child));
};

/** The layout asks for month and year. */
const MONTH_LENGTH = 'YYYY-MM'.length;

const isLiveBirth = (child: Child): boolean => isBornAlive(child) !== false;

/**
 * The course with the previous births of one child, and their last date: for each after the first, they include the
 * children of this delivery before it.
 * @see https://www.cdc.gov/nchs/data/dvs/GuidetoCompleteFacilityWks.pdf "Number of previous live births"
 */
export const toCourseOfChild = (course: CourseOfCare, child: Child): CourseOfCare => {
  const earlier = listEarlierSiblings(course, child);
  if (earlier.length === 0) return course;
  const add = (before: number | null, isCounted: (sibling: Child) => boolean): number | null =>
    before === null ? null : before + earlier.filter(isCounted).length;
  const findLast = (before: string | null, isCounted: (sibling: Child) => boolean) => {
    const last = earlier.findLast(isCounted);
    return last === undefined ? before : (last.birth_date?.slice(0, MONTH_LENGTH) ?? null);
  };
  return {
    ...course,
    last_live_birth: findLast(course.last_live_birth, isLiveBirth),
    last_other_outcome: findLast(course.last_other_outcome, (sibling) => !isLiveBirth(sibling)),
    previous_births_living: add(
      course.previous_births_living,
      (sibling) => isLiveBirth(sibling) && sibling.living !== false,
    ),
    previous_births_dead: add(
      course.previous_births_dead,
      (sibling) => isLiveBirth(sibling) && sibling.living === false,
    ),
    other_outcomes: add(course.other_outcomes, (sibling) => !isLiveBirth(sibling)),
  };
};
