import { countWholeYears, isDate, parseDateAndTime, toDayNumber } from '../fhir/dates.ts';
import { isInRange, type Range } from '../fhir/quantities.ts';
import { LIKELY_AGES } from './age-at-delivery.ts';
import { findFirstBirthDate, isLaterDay, isOnDay } from './birth-times.ts';
import { CESAREAN, DELIVERY_METHODS } from './codes.ts';
import type { Child, CourseOfCare } from './course.ts';
import type { FieldMessage, MessageId } from './field-messages.ts';
import { DAYS_PER_WEEK, toGestationDays, toWeeksAndDays } from './gestational-age.ts';
import { findPlaceholderName, PLACEHOLDER_QUESTION } from './placeholder-names.ts';

export interface UnusualValue extends FieldMessage {
  /** Paths of the other values in the combination. */
  readonly relatedPaths?: readonly string[];
}

/** Warnings never prevent saving. @param today in the practice's time zone */
export const findFormWarnings = (course: CourseOfCare, today: string): readonly FieldMessage[] => [
  ...checkNames(course),
  ...findUnusualValues(course, today),
];

/** @param today `YYYY-MM-DD` */
export const findUnusualValues = (course: CourseOfCare, today: string): readonly UnusualValue[] => [
  ...checkMother(course, today),
  ...checkRace(course),
  ...course.children.flatMap((child, index) => checkChild(course, child, index, today)),
  ...checkSiblings(course),
  ...checkPregnancy(course),
  ...checkDelivery(course),
  ...checkHomePlan(course),
];

export const isAfter = (date: string | null, other: string | null): boolean =>
  date !== null && other !== null && isDate(date) && isDate(other) && date > other;

const checkNames = ({ mother, children }: CourseOfCare): readonly FieldMessage[] => [
  ...(mother.family_name === null && mother.given_names.length === 0
    ? [
        {
          path: 'mother.family_name',
          id: 'mother-unnamed',
          message: "Without the mother's name the record is not compared with others.",
        } as const,
      ]
    : []),
  ...children.flatMap((child, index) => {
    const name = findPlaceholderName(child, mother);
    return name === null
      ? []
      : [
          {
            path: `children.${index}.${name}`,
            id: 'placeholder-name',
            message: PLACEHOLDER_QUESTION,
          } as const,
        ];
  }),
];

const checkMother = (
  { mother, children }: CourseOfCare,
  today: string,
): readonly UnusualValue[] => {
  const path = 'mother.birth_date';
  if (isAfter(mother.birth_date, today))
    return [
      {
        path,
        id: 'mother-born-in-future',
        message: "The mother's date of birth is in the future. Check the year.",
      },
    ];
  const age = mother.age_at_delivery ?? computeAge(mother, children);
  return age !== null && (age < LIKELY_AGES.from || age > LIKELY_AGES.to)
    ? [
        {
          path,
          id: 'mother-age-unlikely',
          message: `The mother would be ${age} years old. Check both dates of birth.`,
          relatedPaths: ['mother.age_at_delivery', ...listBirthDatePaths(children)],
        },
      ]
    : [];
};

const checkRace = ({ mother }: CourseOfCare): readonly UnusualValue[] =>
  mother.race_absent_reason !== null && mother.race.length > 0
    ? [
        {
          path: 'mother.race_absent_reason',
          id: 'race-contradicted',
          message:
            'A race is entered, and also a reason that no race is given. Check which is right.',
          relatedPaths: ['mother.race'],
        },
      ]
    : [];

/** Computed even if implausible; null if a date is missing or the order is wrong. */
const computeAge = (
  { birth_date: from }: CourseOfCare['mother'],
  children: readonly Child[],
): number | null => {
  const to = findFirstBirthDate(children);
  return from !== null && to !== null && isDate(from) && isDate(to) && from <= to
    ? countWholeYears(from, to)
    : null;
};

const listBirthDatePaths = (children: readonly Child[]): readonly string[] =>
  children.map((_, index) => `children.${index}.birth_date`);

const TWO_WEEKS = 14;

const checkChild = (
  { mother, last_menstrual_period: lmp }: CourseOfCare,
  child: Child,
  index: number,
  today: string,
): readonly UnusualValue[] => {
  const { birth_date: born } = child;
  const notices: UnusualValue[] = [];
  const toPath = (name: string) => `children.${index}.${name}`;
  const note = (
    name: string,
    id: MessageId,
    message: string,
    relatedPaths: readonly string[] = [],
  ) => notices.push({ path: toPath(name), id, message, relatedPaths });
  if (isLaterDay(born, today))
    note('birth_date', 'child-born-in-future', 'The date of birth is in the future. Check it.');
  if (isAfter(mother.birth_date, born))
    note(
      'birth_date',
      'child-born-before-mother',
      'The child would be born before the mother. Check both dates of birth.',
      ['mother.birth_date'],
    );
  const timed = child.birth_time === null ? null : parseDateAndTime(child.birth_time);
  if (timed !== null && born !== null && !isOnDay(timed, born))
    note(
      'birth_time',
      'time-on-another-day',
      'The time of birth is on another day than the date of birth. Check both.',
      [toPath('birth_date')],
    );
  const days = toGestationDays(child);
  if (
    days !== null &&
    lmp !== null &&
    born !== null &&
    isDate(lmp) &&
    isDate(born) &&
    lmp <= born
  ) {
    const byPeriod = toDayNumber(born) - toDayNumber(lmp);
    if (Math.abs(byPeriod - days) > TWO_WEEKS) {
      const { weeks, days: beyond } = toWeeksAndDays(byPeriod);
      note(
        'gestational_age_weeks',
        'weeks-against-last-period',
        `By the last menstrual period it would be ${weeks} weeks and ${beyond} days. Check which is right.`,
        ['last_menstrual_period', toPath('birth_date'), toPath('gestational_age_days')],
      );
    }
  }
  const weight = child.birth_weight_grams;
  const range = days === null ? null : findLikelyWeights(days / DAYS_PER_WEEK);
  if (days !== null && weight !== null && range !== null && !isInRange(range, weight)) {
    const { weeks } = toWeeksAndDays(days);
    note('birth_weight_grams', 'weight-unlikely', describeUnlikelyWeight(weeks, range), [
      toPath('gestational_age_weeks'),
      toPath('gestational_age_days'),
    ]);
  }
  if (child.fetal_death === true)
    for (const [name, words] of ONLY_OF_THE_LIVING)
      if (child[name] === true)
        note(
          name,
          'fetal-death-contradicted',
          `The child is entered as a fetal death and as ${words}. Check which is right.`,
          [toPath('fetal_death')],
        );
  return notices;
};

const ONLY_OF_THE_LIVING = [
  ['living', 'living'],
  ['nicu_admission', 'admitted to the NICU'],
  ['breastfed_at_discharge', 'breastfed at discharge'],
] as const;

/** Our choice: births of one pregnancy can be weeks apart, but a typo is far more likely. */
const DAYS_BETWEEN_SIBLINGS = 3;

const checkSiblings = ({ children }: CourseOfCare): readonly UnusualValue[] => {
  const days = children.map(({ birth_date: born }) =>
    born !== null && isDate(born) ? toDayNumber(born) : null,
  );
  const first = days.find((day) => day !== null) ?? 0;
  return days.flatMap((day, index) => {
    const gap = day === null ? 0 : Math.abs(day - first);
    const message = `The children of this birth would be born ${gap} days apart. Check the dates of birth.`;
    return gap > DAYS_BETWEEN_SIBLINGS
      ? [
          {
            path: `children.${index}.birth_date`,
            id: 'children-born-days-apart',
            message,
            relatedPaths: listBirthDatePaths(children),
          },
        ]
      : [];
  });
};

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
  [32, 800, 3_500],
  [36, 1_300, 4_800],
  [40, 1_700, 6_000],
  [46, 1_800, 6_500],
];

/** `null` above the last row. */
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
const roundToTens = (grams: number): string =>
  (Math.round(grams / 10) * 10).toLocaleString('en-US');

const checkPregnancy = (course: CourseOfCare): readonly UnusualValue[] => {
  const { last_menstrual_period: lmp, first_prenatal_visit: visit, plurality, children } = course;
  const born = findFirstBirthDate(children);
  const birthDates = listBirthDatePaths(children);
  const notices: UnusualValue[] = [];
  const note = (path: string, id: MessageId, message: string, relatedPaths: readonly string[]) =>
    notices.push({ path, id, message, relatedPaths });
  if (isAfter(lmp, born))
    note(
      'last_menstrual_period',
      'last-period-after-birth',
      'The last menstrual period is after the birth. Check both dates.',
      birthDates,
    );
  if (isAfter(visit, born))
    note(
      'first_prenatal_visit',
      'visit-after-birth',
      'The first prenatal visit is after the birth. Check both dates.',
      birthDates,
    );
  else if (isAfter(lmp, visit))
    note(
      'first_prenatal_visit',
      'visit-before-last-period',
      'The first prenatal visit is before the last menstrual period. Check both dates.',
      ['last_menstrual_period'],
    );
  if (plurality !== null && plurality < children.length)
    note(
      'plurality',
      'plurality-below-children',
      'More children are entered here than the plurality says. Check the number.',
      birthDates,
    );
  return notices;
};

const checkDelivery = (course: CourseOfCare): readonly UnusualValue[] => {
  const { delivery_method: method } = course;
  if (method === null || !DELIVERY_METHODS.has(method) || method === CESAREAN) return [];
  return ONLY_OF_CESAREANS.flatMap(([path, words]) =>
    course[path] === true
      ? [
          {
            path,
            id: 'vaginal-delivery-contradicted' as const,
            message: `${words} is entered with a vaginal delivery. Check which is right.`,
            relatedPaths: ['delivery_method'],
          },
        ]
      : [],
  );
};

const checkHomePlan = ({
  planned_home_birth: answer,
  planned_place_of_birth: place,
}: CourseOfCare): readonly UnusualValue[] =>
  (answer === 'yes' && place !== null && place !== 'Home') || (answer === 'no' && place === 'Home')
    ? [
        {
          path: 'planned_home_birth',
          id: 'planned-home-contradicted',
          message:
            'The planned place of birth and the answer about a planned home birth contradict each other. Check which is right.',
          relatedPaths: ['planned_place_of_birth'],
        },
      ]
    : [];

const ONLY_OF_CESAREANS = [
  ['stat_cesarean', 'An emergency cesarean'],
  ['trial_of_labor', 'A trial of labor before cesarean'],
] as const;

export const describeUnlikelyWeight = (weeks: number, { from, to }: Range): string =>
  `At ${weeks} weeks babies usually weigh about ${roundToTens(from)} g to ${roundToTens(to)} g. Check the weight and the gestational age.`;
