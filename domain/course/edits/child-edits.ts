import { countWholeYears, isDate, parseDateAndTime, toDayNumber } from '../../fhir/dates.ts';
import { countSecondsBetween } from '../../fhir/moments.ts';
import { isInRange, type Range } from '../../fhir/quantities.ts';
import { birthWeightInWords, numberInWords } from '../../format-measures.ts';
import { isAfter, isLaterDay, isOnDay } from '../birth-times.ts';
import { isTenMinuteScoreNotNeeded } from '../certificate-items.ts';
import type { Child } from '../course.ts';
import { DAYS_PER_WEEK, toGestationDays, toWeeksAndDays } from '../gestational-age.ts';
import { isOutOfHospital } from './delivery-edits.ts';
import type { ChildEdit } from './edit.ts';
import { CHILD_TRANSFER } from './transfer-edits.ts';

const USUAL_GRAMS: Range = { from: 227, to: 8_165 };
const MIN_USUAL_WEEKS = 17;
/** Our choice. */
const MAX_DAYS_OFF = 2 * DAYS_PER_WEEK;
const HOURS_BETWEEN_SIBLINGS = 24;
const SECONDS_PER_HOUR = 3_600;
/** NCHS asks for reports of fetal deaths from these on, where a state has no rule of its own. */
const REPORTED_FROM = { weeks: 20, grams: 350 } as const;

/**
 * Minimum and maximum plausible birth weight in grams, by weeks of gestation. Our choice: wide
 * bounds around the published US weight-for-age curves, to catch a wrong unit or week, not small
 * or large children.
 */
const LIKELY_WEIGHTS: readonly (readonly [weeks: number, from: number, to: number])[] = [
  [12, 100, 500],
  [20, 120, 800],
  [24, 300, 1_300],
  [28, 500, 2_200],
  [32, 800, 3_300],
  [36, 1_300, 4_500],
  [40, 1_700, 6_000],
  [47, 1_800, 6_500],
];

/** `null` outside of the table. */
const findLikelyWeights = (weeks: number): Range | null => {
  const above = LIKELY_WEIGHTS.findIndex(([at]) => at >= weeks);
  const [upper, lower] = [LIKELY_WEIGHTS[above], LIKELY_WEIGHTS[Math.max(above - 1, 0)]];
  if (upper === undefined || lower === undefined) return null;
  const span = upper[0] - lower[0];
  const share = span === 0 ? 0 : (weeks - lower[0]) / span;
  return {
    from: lower[1] + share * (upper[1] - lower[1]),
    to: lower[2] + share * (upper[2] - lower[2]),
  };
};

/** Rounds to tens ("1,300"): the bounds are not more precise than that. */
const roundToTens = (grams: number): string => numberInWords(Math.round(grams / 10) * 10);

export const describeUnlikelyWeight = (weeks: number, { from, to }: Range): string =>
  `At ${weeks} weeks babies usually weigh about ${roundToTens(from)} g to ${roundToTens(to)} g. Check the weight and the gestational age.`;

const GESTATION = ['children.gestational_age_weeks', 'children.gestational_age_days'] as const;

const askOfFetalDeath = (
  path: 'living' | 'nicu_admission' | 'breastfed_at_discharge',
  words: string,
): ChildEdit => ({
  id: 'fetal-death-contradicted',
  at: `children.${path}`,
  beside: ['children.fetal_death'],
  when: `A fetal death is said to be ${words}.`,
  source: 'ours',
  ask: ({ child }) =>
    child.fetal_death === true && child[path] === true
      ? `The child is entered as a fetal death and as ${words}. Check which is right.`
      : null,
});

const hasScore = ({ apgar_one_minute, apgar_five_minute, apgar_ten_minute }: Child): boolean =>
  [apgar_one_minute, apgar_five_minute, apgar_ten_minute].some((score) => (score ?? 0) > 0);

/** `null` if a time is missing, or only one of them has an offset. */
const countSecondsFrom = (child: Child, other: Child): number | null =>
  child.birth_time === null || other.birth_time === null
    ? null
    : countSecondsBetween(child.birth_time, other.birth_time);

/** For forms, and once a file: a push may always be of long ago. */
export const LATE_ENTRY: ChildEdit = {
  id: 'birth-long-ago',
  at: 'children.birth_date',
  when: 'The birth was more than a year ago. Not asked of pushes.',
  source: 'ours',
  ask: ({ child: { birth_date: born }, today }) =>
    born !== null && isDate(born) && countWholeYears(born, today) > 0
      ? 'The birth was more than a year ago. Check the year.'
      : null,
};

export const CHILD_EDITS: readonly ChildEdit[] = [
  {
    id: 'child-born-in-future',
    at: 'children.birth_date',
    when: 'The date of birth is in the future.',
    source: 'ours',
    ask: ({ child, today }) =>
      isLaterDay(child.birth_date, today) ? 'The date of birth is in the future. Check it.' : null,
  },
  {
    id: 'child-born-before-mother',
    at: 'children.birth_date',
    beside: ['mother.birth_date'],
    when: 'The child was born before the mother.',
    source: 'NCHS',
    ask: ({ child, course }) =>
      isAfter(course.mother.birth_date, child.birth_date)
        ? 'The child would be born before the mother. Check both dates of birth.'
        : null,
  },
  {
    id: 'children-born-days-apart',
    at: 'children.birth_date',
    ofSiblings: ['children.birth_date', 'children.birth_time'],
    when: 'The child was born more than 24 hours before or after the first child in the record.',
    source: 'ours',
    ask: ({ child, course: { children } }) => {
      const first = children.find(({ birth_date: born }) => born !== null && isDate(born));
      if (first === undefined || child.birth_date === null || !isDate(child.birth_date))
        return null;
      const days = Math.abs(
        toDayNumber(child.birth_date) - toDayNumber(first.birth_date ?? child.birth_date),
      );
      const seconds = countSecondsFrom(first, child);
      const hours = seconds === null ? null : Math.abs(seconds) / SECONDS_PER_HOUR;
      const isApart = days > 1 || (days === 1 && (hours ?? 0) > HOURS_BETWEEN_SIBLINGS);
      return isApart
        ? `The children of this birth would be born ${days === 1 ? 'more than a day' : `${days} days`} apart. Check the dates of birth.`
        : null;
    },
  },
  {
    id: 'time-on-another-day',
    at: 'children.birth_time',
    beside: ['children.birth_date'],
    when: 'The time of birth is on another day than the date of birth.',
    source: 'ours',
    ask: ({ child: { birth_date, birth_time } }) => {
      const time = birth_time === null ? null : parseDateAndTime(birth_time);
      return time !== null && birth_date !== null && !isOnDay(time, birth_date)
        ? 'The time of birth is on another day than the date of birth. Check both.'
        : null;
    },
  },
  {
    id: 'sex-unknown',
    at: 'children.sex',
    when: 'The sex is said to be unknown.',
    source: 'NCHS',
    ask: ({ child }) =>
      child.sex === 'unknown'
        ? 'The sex is entered as unknown. Correct it once it is known, or confirm it.'
        : null,
  },
  {
    id: 'order-above-plurality',
    at: 'children.birth_order',
    beside: ['plurality'],
    when: 'The birth order is above the plurality.',
    source: 'NCHS',
    confirmedAs: '2',
    ask: ({ child, course: { plurality } }) =>
      plurality !== null && (child.birth_order ?? 0) > plurality
        ? 'The birth order is above the number of children born together. Check both.'
        : null,
  },
  {
    id: 'order-twice',
    at: 'children.birth_order',
    ofSiblings: ['children.birth_order'],
    when: 'Another child of the record has the same birth order.',
    source: 'ours',
    confirmedAs: '2',
    ask: ({ child, course: { children } }) =>
      child.birth_order !== null &&
      children.some((one) => one !== child && one.birth_order === child.birth_order)
        ? 'Another child has the same birth order. Check both.'
        : null,
  },
  {
    id: 'order-against-times',
    at: 'children.birth_order',
    ofSiblings: ['children.birth_order', 'children.birth_time'],
    when: 'By the times of birth, a child with a lower birth order was born later.',
    source: 'ours',
    confirmedAs: '2',
    ask: ({ child, course: { children } }) =>
      children.some(
        (one) =>
          one.birth_order !== null &&
          one.birth_order < (child.birth_order ?? 0) &&
          (countSecondsFrom(child, one) ?? 0) > 0,
      )
        ? 'By the times of birth, the children were born in another order. Check the birth order and the times.'
        : null,
  },
  {
    id: 'birth-weight-unlikely',
    at: 'children.birth_weight_grams',
    when: 'The birth weight is below 227 g or above 8,165 g.',
    source: 'NCHS',
    ask: ({ child: { birth_weight_grams: grams } }) =>
      grams === null || isInRange(USUAL_GRAMS, grams)
        ? null
        : `The child would weigh ${birthWeightInWords(grams)}. Check the number and its unit.`,
  },
  {
    id: 'weight-unlikely',
    at: 'children.birth_weight_grams',
    beside: GESTATION,
    when: 'The birth weight is rare at the gestational age.',
    source: 'ours',
    confirmedAs: '2',
    ask: ({ child }) => {
      const days = toGestationDays(child);
      const grams = child.birth_weight_grams;
      const likely = days === null ? null : findLikelyWeights(days / DAYS_PER_WEEK);
      return days === null || grams === null || likely === null || isInRange(likely, grams)
        ? null
        : describeUnlikelyWeight(toWeeksAndDays(days).weeks, likely);
    },
  },
  {
    id: 'weeks-unlikely',
    at: 'children.gestational_age_weeks',
    beside: ['children.gestational_age_days'],
    when: 'The gestational age is below 17 weeks.',
    source: 'NCHS',
    ask: ({ child: { gestational_age_weeks: weeks } }) =>
      weeks !== null && weeks < MIN_USUAL_WEEKS
        ? `${weeks} weeks are early for a birth. Check the gestational age.`
        : null,
  },
  {
    id: 'weeks-against-last-period',
    at: 'children.gestational_age_weeks',
    beside: ['last_menstrual_period', 'children.birth_date', 'children.gestational_age_days'],
    when: 'The gestational age differs by more than two weeks from the one by the last menstrual period.',
    source: 'ours',
    ask: ({ child, course: { last_menstrual_period: period } }) => {
      const days = toGestationDays(child);
      const { birth_date: born } = child;
      if (days === null || period === null || born === null) return null;
      if (!isDate(period) || !isDate(born) || period > born) return null;
      const byPeriod = toDayNumber(born) - toDayNumber(period);
      const { weeks, days: beyond } = toWeeksAndDays(byPeriod);
      return Math.abs(byPeriod - days) > MAX_DAYS_OFF
        ? `By the last menstrual period it would be ${weeks} weeks and ${beyond} days. Check which is right.`
        : null;
    },
  },
  {
    id: 'weeks-differ',
    at: 'children.gestational_age_weeks',
    ofSiblings: ['children.gestational_age_weeks'],
    when: 'The gestational age is another than that of the first child in the record.',
    source: 'NCHS',
    ask: ({ child: { gestational_age_weeks: weeks }, course: { children } }) => {
      const first = children.find(({ gestational_age_weeks: one }) => one !== null);
      return weeks !== null && weeks !== first?.gestational_age_weeks
        ? 'The children of this birth have different gestational ages. Check both.'
        : null;
    },
  },
  askOfFetalDeath('living', 'living'),
  askOfFetalDeath('nicu_admission', 'admitted to the NICU'),
  askOfFetalDeath('breastfed_at_discharge', 'breastfed at discharge'),
  {
    id: 'score-of-fetal-death',
    at: 'children.fetal_death',
    beside: [
      'children.apgar_one_minute',
      'children.apgar_five_minute',
      'children.apgar_ten_minute',
    ],
    when: 'A fetal death has an Apgar score above 0.',
    source: 'ours',
    ask: ({ child }) =>
      child.fetal_death === true && hasScore(child)
        ? 'The child is entered as a fetal death and has an Apgar score above 0. Check which is right.'
        : null,
  },
  {
    id: 'fetal-death-report',
    at: 'children.fetal_death',
    beside: ['children.birth_weight_grams', ...GESTATION],
    when: 'A fetal death at 20 weeks or later, or of 350 g or more, needs a report of its own.',
    source: 'NCHS',
    ask: ({ child: { fetal_death, birth_weight_grams, gestational_age_weeks } }) =>
      fetal_death === true &&
      ((gestational_age_weeks ?? 0) >= REPORTED_FROM.weeks ||
        (birth_weight_grams ?? 0) >= REPORTED_FROM.grams)
        ? 'A fetal death at 20 weeks or later, or of 350 g or more, needs a fetal death report. The state file leaves it out. Confirm when the report is filed.'
        : null,
  },
  {
    id: 'ten-minute-score-unneeded',
    at: 'children.apgar_ten_minute',
    beside: ['children.apgar_five_minute'],
    when: 'There is an Apgar score at 10 minutes, although the one at 5 minutes is 6 or more.',
    source: 'guide',
    ask: ({ child }) =>
      child.apgar_ten_minute !== null && isTenMinuteScoreNotNeeded(child)
        ? 'The score at 10 minutes is only asked for if the one at 5 minutes is below 6. Check both.'
        : null,
  },
  {
    id: 'living-without-score',
    at: 'children.apgar_five_minute',
    beside: ['children.living'],
    when: 'The Apgar score at 5 minutes is 0, and the child is living.',
    source: 'NCHS',
    ask: ({ child }) =>
      child.apgar_five_minute === 0 && child.living === true
        ? 'The child is living, but the Apgar score at 5 minutes is 0. Check which is right.'
        : null,
  },
  {
    id: 'nicu-without-transfer',
    at: 'children.nicu_admission',
    beside: ['place_of_birth', 'children.transfer_within_day', 'transfers.type'],
    when: 'A child born at home or in a birth center was in a NICU, but no transfer of the infant is given.',
    source: 'ours',
    ask: ({ child, course }) =>
      child.nicu_admission === true &&
      child.fetal_death !== true &&
      isOutOfHospital(course) &&
      child.transfer_within_day !== true &&
      !course.transfers.some(({ type }) => type === 'infant')
        ? 'The child was admitted to a NICU, but no transfer of the infant is entered. Check the answer, or add the transfer.'
        : null,
  },
  CHILD_TRANSFER,
  {
    id: 'breastfed-not-living',
    at: 'children.breastfed_at_discharge',
    beside: ['children.living'],
    when: 'The child was breastfed at discharge, but is not living.',
    source: 'ours',
    ask: ({ child }) =>
      child.breastfed_at_discharge === true && child.living === false && child.fetal_death !== true
        ? 'The child is entered as breastfed at discharge and as not living. Check which is right.'
        : null,
  },
];
