import type { CourseOfCare } from '../../domain/course/course.ts';
import { firstBirthDate } from '../../domain/course/first-birth-date.ts';
import { extractNameWords, foldedChartNumber } from '../../domain/course/search-words.ts';

/** Columns of `read.birth_record` that lists show and searches look in. */
export interface ListedColumns {
  /** The chart number without case and accents. */
  readonly chart_folded: string | null;
  readonly mother_name: string | null;
  readonly child_names: string | null;
  /** Date of the first dated birth, `YYYY-MM-DD`, or `YYYY` where no more is kept. */
  readonly born: string | null;
  readonly children: number;
  /** How many of them were fetal deaths. */
  readonly fetal_deaths: number;
  readonly place: string | null;
  /** The first version was pre-filled from an EHR: such births are not in the births log. */
  readonly is_prefilled: boolean;
  /** Words of all names, and days of birth, a text search vector. */
  readonly words: string;
}

/** Their types, as far as their length varies. */
export const LISTED_COLUMNS = {
  chart_folded: 'text collate "C"',
  mother_name: 'text',
  child_names: 'text',
  born: 'text',
  place: 'text',
  words: 'tsvector not null',
} as const;

/** What a version says in lists. */
export const toListedColumns = (course: CourseOfCare): Record<string, unknown> => {
  const { chart_number: chartNumber, mother, children } = course;
  return {
    chart_folded: chartNumber === null ? null : foldedChartNumber(chartNumber),
    mother_name: fullName(mother),
    child_names: children.flatMap((child) => fullName(child) ?? []).join(', ') || null,
    born: firstBirthDate(children),
    children: children.length,
    fetal_deaths: children.filter(({ fetal_death: isFetalDeath }) => isFetalDeath === true).length,
    place: course.place_of_birth,
    words: vectorOf(course),
  };
};

const fullName = ({
  given_names,
  family_name,
}: {
  readonly given_names: readonly string[];
  readonly family_name: string | null;
}): string | null => [...given_names, family_name ?? ''].join(' ').trim() || null;

// Words are letters and digits only: none needs escaping inside its quotes.
const vectorOf = (course: CourseOfCare): string =>
  [...extractNameWords(course), ...birthDaysOf(course)].map((word) => `'${word}'`).join(' ');

const WHOLE_DATE_LENGTH = 'YYYY-MM-DD'.length;

/** The days of birth of mother and children, as searches look for them; masked years are none. */
const birthDaysOf = ({ mother, children }: CourseOfCare): readonly string[] => {
  const days = new Set<string>();
  for (const { birth_date: day } of [mother, ...children])
    if (day?.length === WHOLE_DATE_LENGTH) days.add(birthDayWord(day));
  return [...days];
};

/** A day of birth among the words of a record. No typed word begins like it, so none finds it by chance. */
export const birthDayWord = (day: string): string => `=${day}`;
