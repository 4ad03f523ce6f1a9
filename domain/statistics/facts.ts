import { findFirstBirthDate } from '../course/birth-times.ts';
import type { PlaceOfBirth } from '../course/codes.ts';
import type { Child, CourseOfCare, Sex } from '../course/course.ts';
import { type Answer, BIRTH_RATES, COURSE_RATES } from './definitions.ts';

export type RateResults = Readonly<Record<string, Answer>>;

export interface Period {
  readonly year: number | null;
  /** 1 to 12; `null` if only the year is known. */
  readonly month: number | null;
}

export interface CourseFact extends Period {
  readonly place: PlaceOfBirth | null;
  readonly plurality: number;
  readonly claims: RateResults;
}

export interface BirthFact extends Period {
  readonly sex: Sex | null;
  readonly fetalDeath: boolean;
  readonly claims: RateResults;
}

export const extractFacts = (
  course: CourseOfCare,
): { readonly course: CourseFact; readonly births: readonly BirthFact[] } => ({
  course: {
    ...findPeriod(findFirstBirthDate(course.children)),
    place: course.place_of_birth,
    plurality: Math.max(course.plurality ?? 0, course.children.length),
    claims: computeRateResults(COURSE_RATES, (holds) => holds(course)),
  },
  births: course.children.map(toBirthFact),
});

const toBirthFact = (child: Child): BirthFact => {
  const fetalDeath = child.fetal_death === true;
  return {
    ...findPeriod(child.birth_date),
    sex: child.sex,
    fetalDeath,
    claims: computeRateResults(BIRTH_RATES, (holds) =>
      fetalDeath ? 'not-applicable' : holds(child),
    ),
  };
};

const computeRateResults = <Holds>(
  rates: readonly { readonly column: string; readonly holds: Holds }[],
  answer: (holds: Holds) => Answer,
): RateResults => {
  const claims: Record<string, Answer> = {};
  for (const { column, holds } of rates) claims[column] = answer(holds);
  return claims;
};

/** Dates are `YYYY-MM-DD`, or `YYYY` once masked. */
const findPeriod = (date: string | null): Period => {
  const [, year, , month] = /^(\d{4})(-(\d{2})-\d{2})?$/.exec(date ?? '') ?? [];
  return {
    year: year === undefined ? null : Number(year),
    month: month === undefined ? null : Number(month),
  };
};
