import type { Child, CourseOfCare } from '../../course/course.ts';
import type { FieldPath } from '../../course/fields.ts';
import type { OffsetAt } from '../../course/practice-clock.ts';
import type { NamedProvider } from '../../provider/details.ts';

/** What a line of the state file is made from: one child of a record. */
export interface FiledBirth {
  readonly course: CourseOfCare;
  readonly child: Child;
  readonly providers: readonly NamedProvider[];
  /** Of the practice's time zone; null: it has set none. */
  readonly offsetAt: OffsetAt | null;
}

/** Where an item stands in a line, what it reads, and how that is written, in words. */
interface Place {
  /** The name of the column in the layout. */
  readonly name: string;
  /** Its first character, counted from 1. */
  readonly begin: number;
  readonly length: number;
  /** Fields of the record; empty: the registry holds nothing of it. */
  readonly reads: readonly FieldPath[];
  /** How it is written, for the page that documents the file. */
  readonly rule: string;
}

/** An item in codes or digits, as long as its column. */
export interface CodedItem extends Place {
  readonly kind: 'coded';
  readonly write: (birth: FiledBirth) => string;
}

/** An item in words; empty where there are none. */
export interface TextItem extends Place {
  readonly kind: 'text';
  /** Part of it would mislead, as part of a number does: what does not fit is left out. */
  readonly isWhole: boolean;
  readonly text: (birth: FiledBirth) => string | null;
}

/** One item of the state file. */
export type IjeItem = CodedItem | TextItem;

/** An item in codes. */
export const coded = (
  name: string,
  begin: number,
  length: number,
  reads: readonly FieldPath[],
  rule: string,
  write: (birth: FiledBirth) => string,
): CodedItem => ({ kind: 'coded', name, begin, length, reads, rule, write });

/** An item in words, cut where it is too long. */
export const text = (
  name: string,
  begin: number,
  length: number,
  reads: readonly FieldPath[],
  rule: string,
  read: (birth: FiledBirth) => string | null,
): TextItem => ({ kind: 'text', name, begin, length, reads, rule, isWhole: false, text: read });

/** A number that names somebody, left out where it is too long. */
export const identifier = (...row: Parameters<typeof text>): TextItem => ({
  ...text(...row),
  isWhole: true,
});

/** Yes, no or unknown. */
export const answer = (
  name: string,
  begin: number,
  path: FieldPath,
  read: (birth: FiledBirth) => boolean | null,
): CodedItem =>
  coded(name, begin, 1, [path], 'Y yes, N no, U unknown', (birth) => flag(read(birth)));

const COUNT_LENGTH = 2;
const HIGHEST_COUNT = 98;

/** A count of two digits, of which 98 also stands for more. */
export const count = (
  name: string,
  begin: number,
  path: FieldPath,
  read: (birth: FiledBirth) => number | null,
): CodedItem =>
  coded(name, begin, COUNT_LENGTH, [path], '00 to 97, 98 for 98 or more, 99 unknown', (birth) => {
    const value = read(birth);
    return digits(value === null ? null : Math.min(value, HIGHEST_COUNT), COUNT_LENGTH);
  });

/** The month and year of the last live birth or other outcome, which the registry holds only where there was none. */
export const lastOutcome = (
  [month, year, begin]: readonly [month: string, year: string, begin: number],
  reads: readonly FieldPath[],
  wasNone: (course: CourseOfCare) => boolean,
): readonly CodedItem[] => {
  const rule = 'eights where there was none; else nines, since the date is not held';
  const written = ({ course }: FiledBirth): WrittenDate =>
    wasNone(course) ? NO_SUCH_DATE : formatDateDigits(null);
  return [
    coded(month, begin, COUNT_LENGTH, reads, rule, (birth) => written(birth).month),
    coded(year, begin + COUNT_LENGTH, YEAR_LENGTH, reads, rule, (birth) => written(birth).year),
  ];
};

/**
 * Columns of which the registry holds nothing, and for which the layout has a word for that.
 * @param unknown one character of it
 * @param columns names and beginnings, such as `MARN 91, ACKN 92`
 */
export const notHeld = (unknown: string, length: number, columns: string): readonly CodedItem[] =>
  columns.split(', ').map((column) => {
    const [name = '', begin] = column.split(' ');
    const written = unknown.repeat(length);
    return coded(name, Number(begin), length, [], `${written}: not held`, () => written);
  });

/** The year, month and day of a date in their three columns. */
export const dateColumns = (
  [year, month, day]: readonly [DatePlace, DatePlace, DatePlace],
  reads: readonly FieldPath[],
  rule: string,
  read: (birth: FiledBirth) => WrittenDate,
): readonly CodedItem[] => [
  coded(...year, YEAR_LENGTH, reads, rule, (birth) => read(birth).year),
  coded(...month, COUNT_LENGTH, reads, rule, (birth) => read(birth).month),
  coded(...day, COUNT_LENGTH, reads, rule, (birth) => read(birth).day),
];

type DatePlace = readonly [name: string, begin: number];

const YEAR_LENGTH = 4;

/** A date as its columns have it. */
interface WrittenDate {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

/** A date in digits, its unknown parts in nines. @param date `YYYY-MM-DD`, or the year alone */
export const formatDateDigits = (date: string | null): WrittenDate => {
  const [year = '9999', month = '99', day = '99'] = date?.split('-') ?? [];
  return { year, month, day };
};

/** A date that there cannot be. */
export const NO_SUCH_DATE: WrittenDate = { year: '8888', month: '88', day: '88' };

/** A whole number with zeros before it; nines where it is not known, or has more digits than its column. */
export const digits = (value: number | null, length: number): string => {
  const written = value === null ? '' : String(value).padStart(length, '0');
  return written.length === length ? written : '9'.repeat(length);
};

/** For what the registry only holds where it was so. */
export const yesOrUnknown = (isHeld: boolean): string => (isHeld ? 'Y' : 'U');

/** Yes, no or unknown in one character. */
export const flag = (value: boolean | null): string => {
  if (value === null) return 'U';
  return value ? 'Y' : 'N';
};
