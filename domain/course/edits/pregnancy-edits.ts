import { isDate, toDayNumber } from '../../fhir/dates.ts';
import { isInRange, type Range } from '../../fhir/quantities.ts';
import { isAfter, isLaterDay } from '../birth-times.ts';
import type { Child, CourseOfCare } from '../course.ts';
import { toGestationDays, toWeeksAndDays } from '../gestational-age.ts';
import { CIGARETTES_IN_PACK } from '../possible-ranges.ts';
import type { CourseEdit } from './edit.ts';
import { findAge } from './mother-edits.ts';

const USUAL_WEEKS_FROM_LAST_PERIOD: Range = { from: 17, to: 47 };
const MAX_USUAL_VISITS = 49;
const MAX_DAYS_FROM_FIRST_VISIT = 310;
const MAX_USUAL_BIRTHS = 14;
/** Our choice: more than one birth in each year after this age is hard to believe. */
const AGE_BEFORE_BIRTHS = 12;
/** The state file writes 98 for 98 and more. */
const MAX_CIGARETTES_IN_FILE = 98;
const MAX_USUAL_PLURALITY = 3;

const countDays = (from: string | null, to: string | null): number | null =>
  from !== null && to !== null && isDate(from) && isDate(to)
    ? toDayNumber(to) - toDayNumber(from)
    : null;

const countPreviousBirths = ({
  previous_births_living: living,
  previous_births_dead: dead,
}: CourseOfCare): number | null => (living === null || dead === null ? null : living + dead);

const isFetalDeath = ({ fetal_death }: Child): boolean => fetal_death === true;

const PREVIOUS_BIRTHS = ['previous_births_living', 'previous_births_dead'] as const;

const CIGARETTE_COUNTS = [
  'cigarettes_before',
  'cigarettes_first_trimester',
  'cigarettes_second_trimester',
  'cigarettes_third_trimester',
] as const;

const askCigarettes = (path: (typeof CIGARETTE_COUNTS)[number]): CourseEdit => ({
  id: 'cigarettes-unlikely',
  at: path,
  when: 'More than 98 cigarettes a day.',
  source: 'NCHS',
  ask: ({ course }) => {
    const count = course[path] ?? 0;
    return count > MAX_CIGARETTES_IN_FILE
      ? `${count} cigarettes a day would be about ${Math.round(count / CIGARETTES_IN_PACK)} packs. Check the number. The state file writes 98 for more.`
      : null;
  },
});

const MIN_AGE_AT_EARLIER_BIRTH = 10;
const MIN_DAYS_BETWEEN_BIRTHS = 182;

interface LastOutcome {
  readonly at: 'last_live_birth' | 'last_other_outcome';
  readonly counts: readonly (
    | 'previous_births_living'
    | 'previous_births_dead'
    | 'other_outcomes'
  )[];
  readonly words: string;
}

const LAST_OUTCOMES: readonly LastOutcome[] = [
  { at: 'last_live_birth', counts: PREVIOUS_BIRTHS, words: 'last live birth' },
  { at: 'last_other_outcome', counts: ['other_outcomes'], words: 'last other outcome' },
];

/** Of a date in parts, only what is certain counts. */
const askOfLastOutcome = ({ at, counts, words }: LastOutcome): readonly CourseEdit[] => [
  {
    id: 'last-outcome-after-birth',
    at,
    beside: ['children.birth_date'],
    when: `The ${words} is after this birth.`,
    source: 'NCHS',
    ask: ({ course, born }) =>
      isAfterBirth(course[at], born) ? `The ${words} is after this birth. Check both dates.` : null,
  },
  {
    id: 'last-outcome-too-close',
    at,
    beside: ['children.birth_date'],
    when: `The ${words} is less than 6 months before this birth.`,
    source: 'NCHS',
    ask: ({ course, born }) => {
      const date = course[at];
      const days = date === null ? null : countDays(toFirstDay(date), born);
      return days !== null && days < MIN_DAYS_BETWEEN_BIRTHS && !isAfterBirth(date, born)
        ? `The ${words} is less than 6 months before this birth. Check both dates.`
        : null;
    },
  },
  {
    id: 'last-outcome-too-early',
    at,
    beside: ['mother.birth_date'],
    when: `The mother was younger than 10 at the ${words}.`,
    source: 'NCHS',
    ask: ({ course }) => {
      const { birth_date } = course.mother;
      const date = course[at];
      if (birth_date === null || date === null || !isDate(birth_date)) return null;
      const tenth = `${Number(birth_date.slice(0, 4)) + MIN_AGE_AT_EARLIER_BIRTH}${birth_date.slice(4)}`;
      return date < tenth.slice(0, date.length)
        ? `The mother would have been younger than 10 at the ${words}. Check both dates.`
        : null;
    },
  },
  {
    id: 'last-outcome-contradicted',
    at,
    beside: counts,
    when: `There is a date of the ${words}, but the number of them is 0.`,
    source: 'NCHS',
    ask: ({ course }) =>
      course[at] !== null && counts.every((count) => course[count] === 0)
        ? `A date of the ${words} is entered, but there was none before. Check which is right.`
        : null,
  },
];

const isAfterBirth = (date: string | null, born: string | null): boolean =>
  born !== null && isDate(born) && isLaterDay(date, born);

/** Earliest day of a date in parts. */
const toFirstDay = (date: string): string => `${date}-01-01`.slice(0, 'YYYY-MM-DD'.length);

export const PREGNANCY_EDITS: readonly CourseEdit[] = [
  {
    id: 'last-period-after-birth',
    at: 'last_menstrual_period',
    beside: ['children.birth_date'],
    when: 'The last menstrual period is after the birth.',
    source: 'ours',
    ask: ({ course, born }) =>
      isAfter(course.last_menstrual_period, born)
        ? 'The last menstrual period is after the birth. Check both dates.'
        : null,
  },
  {
    id: 'last-period-unlikely',
    at: 'last_menstrual_period',
    beside: ['children.birth_date', 'children.gestational_age_weeks'],
    when: 'No gestational age is given, and the last menstrual period is less than 17 or more than 47 weeks before the birth.',
    source: 'NCHS',
    ask: ({ course, born }) => {
      const days = countDays(course.last_menstrual_period, born);
      if (days === null || days < 0) return null;
      if (course.children.some((child) => toGestationDays(child) !== null)) return null;
      const { weeks } = toWeeksAndDays(days);
      return isInRange(USUAL_WEEKS_FROM_LAST_PERIOD, weeks)
        ? null
        : `The last menstrual period would be ${weeks} weeks before the birth. Check both dates.`;
    },
  },
  {
    id: 'visit-after-birth',
    at: 'first_prenatal_visit',
    beside: ['children.birth_date'],
    when: 'The first prenatal visit is after the birth.',
    source: 'ours',
    ask: ({ course, born }) =>
      isAfter(course.first_prenatal_visit, born)
        ? 'The first prenatal visit is after the birth. Check both dates.'
        : null,
  },
  {
    id: 'visit-before-last-period',
    at: 'first_prenatal_visit',
    beside: ['last_menstrual_period', 'children.birth_date'],
    when: 'The first prenatal visit is before the last menstrual period.',
    source: 'ours',
    ask: ({ course: { last_menstrual_period: period, first_prenatal_visit: visit }, born }) =>
      isAfter(period, visit) && !isAfter(visit, born)
        ? 'The first prenatal visit is before the last menstrual period. Check both dates.'
        : null,
  },
  {
    id: 'visit-long-before-birth',
    at: 'first_prenatal_visit',
    beside: ['children.birth_date'],
    when: 'The first prenatal visit is more than 310 days before the birth.',
    source: 'NCHS',
    ask: ({ course, born }) => {
      const days = countDays(course.first_prenatal_visit, born) ?? 0;
      return days > MAX_DAYS_FROM_FIRST_VISIT
        ? `The first prenatal visit would be ${toWeeksAndDays(days).weeks} weeks before the birth. Check both dates.`
        : null;
    },
  },
  {
    id: 'visits-contradicted',
    at: 'prenatal_visits',
    beside: ['first_prenatal_visit'],
    when: 'The number of prenatal visits is 0, but there is a date of the first one.',
    source: 'NCHS',
    ask: ({ course }) =>
      course.prenatal_visits === 0 && course.first_prenatal_visit !== null
        ? 'No prenatal visits are entered, but the first one has a date. Check which is right.'
        : null,
  },
  {
    id: 'visits-unlikely',
    at: 'prenatal_visits',
    when: 'More than 49 prenatal visits.',
    source: 'NCHS',
    ask: ({ course }) =>
      (course.prenatal_visits ?? 0) > MAX_USUAL_VISITS
        ? 'More than 49 prenatal visits are rare. Check the number.'
        : null,
  },
  {
    id: 'visits-against-days',
    at: 'prenatal_visits',
    beside: ['first_prenatal_visit', 'children.birth_date'],
    when: 'There are more prenatal visits than days from the first one to the birth.',
    source: 'ours',
    ask: ({ course, born }) => {
      const days = countDays(course.first_prenatal_visit, born);
      // Both the first and the last day count.
      return days !== null && days >= 0 && (course.prenatal_visits ?? 0) > days + 1
        ? 'There would be more prenatal visits than days between the first one and the birth. Check the number and both dates.'
        : null;
    },
  },
  {
    id: 'cesareans-at-first-birth',
    at: 'previous_cesareans',
    beside: PREVIOUS_BIRTHS,
    when: 'There are previous cesareans, but no previous live births.',
    source: 'NCHS',
    ask: ({ course }) =>
      countPreviousBirths(course) === 0 && (course.previous_cesareans ?? 0) > 0
        ? 'A previous cesarean is entered, but no previous live birth. Check which is right.'
        : null,
  },
  {
    id: 'cesareans-above-births',
    at: 'previous_cesareans',
    beside: PREVIOUS_BIRTHS,
    when: 'There are more previous cesareans than previous live births.',
    source: 'NCHS',
    ask: ({ course }) => {
      const births = countPreviousBirths(course) ?? 0;
      return births > 0 && (course.previous_cesareans ?? 0) > births
        ? 'There are more previous cesareans than previous live births. Check the numbers.'
        : null;
    },
  },
  {
    id: 'previous-births-unlikely',
    at: 'previous_births_living',
    beside: ['previous_births_dead'],
    when: 'There are more than 14 previous live births.',
    source: 'NCHS',
    ask: ({ course }) => {
      const births = countPreviousBirths(course) ?? course.previous_births_living ?? 0;
      return births > MAX_USUAL_BIRTHS
        ? `There would be ${births} previous live births. Check the numbers.`
        : null;
    },
  },
  {
    id: 'previous-births-against-age',
    at: 'previous_births_living',
    beside: [
      'previous_births_dead',
      'mother.birth_date',
      'mother.age_at_delivery',
      'children.birth_date',
    ],
    when: 'There are more previous live births than years since the mother was 12.',
    source: 'ours',
    ask: (facts) => {
      const age = findAge(facts);
      const births = countPreviousBirths(facts.course) ?? 0;
      return age !== null && births > 0 && births > age - AGE_BEFORE_BIRTHS
        ? `At ${age}, the mother would have had ${births} live births before. Check the numbers and her date of birth.`
        : null;
    },
  },
  {
    id: 'sibling-counted-before',
    at: 'other_outcomes',
    beside: ['children.fetal_death'],
    when: 'A child of a multiple delivery was born dead, and the other outcomes are above 0, which may count that child.',
    source: 'guide',
    ask: ({ course: { children, other_outcomes } }) =>
      children.length > 1 && (other_outcomes ?? 0) > 0 && children.some(isFetalDeath)
        ? 'Count only what was before this delivery. Check that the number does not include the child who was born dead in it.'
        : null,
  },
  ...LAST_OUTCOMES.flatMap(askOfLastOutcome),
  ...CIGARETTE_COUNTS.map(askCigarettes),
  {
    id: 'plurality-below-children',
    at: 'plurality',
    beside: ['children.birth_date'],
    when: 'The plurality is below the number of children in the record.',
    source: 'ours',
    confirmedAs: '2',
    ask: ({ course: { plurality, children } }) =>
      plurality !== null && plurality < children.length
        ? 'More children are entered here than the plurality says. Check the number.'
        : null,
  },
  {
    id: 'plurality-above-children',
    at: 'plurality',
    beside: ['children.birth_date'],
    when: 'The plurality is above the number of children in the record.',
    source: 'ours',
    confirmedAs: '2',
    ask: ({ course: { plurality, children } }) =>
      plurality !== null && children.length > 0 && plurality > children.length
        ? `The plurality is ${plurality}, but fewer children are entered here. Enter the others, or confirm that they have records of their own.`
        : null,
  },
  {
    id: 'plurality-unlikely',
    at: 'plurality',
    when: 'More than 3 children were born together.',
    source: 'NCHS',
    ask: ({ course: { plurality } }) =>
      (plurality ?? 0) > MAX_USUAL_PLURALITY
        ? `${plurality} children born together are rare. Check the number.`
        : null,
  },
];
