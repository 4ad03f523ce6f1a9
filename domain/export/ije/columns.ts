import type { AnsweredQuestion } from '../../birth-record/unusual-values.ts';
import type { Child, CourseOfCare } from '../../course/course.ts';
import type { FieldPath } from '../../course/fields.ts';
import type { OffsetAt } from '../../course/local-times.ts';
import type { NamedProvider } from '../../provider/details.ts';

/** Input for one line of the state file, which covers one child. */
export interface FiledBirth {
  readonly course: CourseOfCare;
  readonly child: Child;
  /** Of the child, counted from 0. */
  readonly position: number;
  /** All questions about the record; `null` if its answers do not set edit flags. */
  readonly questions: readonly AnsweredQuestion[] | null;
  readonly providers: readonly NamedProvider[];
  readonly offsetAt: OffsetAt | null;
  readonly bound: BoundValues;
}

/** Values of custom fields, by the ids of the items that they are bound to. */
export type BoundValues = ReadonlyMap<string, string>;

interface Place {
  readonly name: string;
  /** Position of the first character, counted from 1. */
  readonly begin: number;
  readonly length: number;
  readonly reads: readonly FieldPath[];
  /** Text for the page that documents the file. */
  readonly rule: string;
}

export interface CodedItem extends Place {
  readonly kind: 'coded';
  readonly write: (birth: FiledBirth) => string;
}

export interface TextItem extends Place {
  readonly kind: 'text';
  /** True if a value that does not fit is omitted, because a truncated one (such as a number) would mislead. */
  readonly isWhole: boolean;
  readonly text: (birth: FiledBirth) => string | null;
}

export type IjeItem = CodedItem | TextItem;

export const createCodedItem = (
  name: string,
  begin: number,
  length: number,
  reads: readonly FieldPath[],
  rule: string,
  write: (birth: FiledBirth) => string,
): CodedItem => ({ kind: 'coded', name, begin, length, reads, rule, write });

/** Free-text item, truncated if too long. */
export const createTextItem = (
  name: string,
  begin: number,
  length: number,
  reads: readonly FieldPath[],
  rule: string,
  read: (birth: FiledBirth) => string | null,
): TextItem => ({ kind: 'text', name, begin, length, reads, rule, isWhole: false, text: read });

export const createIdentifierItem = (...row: Parameters<typeof createTextItem>): TextItem => ({
  ...createTextItem(...row),
  isWhole: true,
});

export const createAnswerItem = (
  name: string,
  begin: number,
  path: FieldPath,
  read: (birth: FiledBirth) => boolean | null,
): CodedItem =>
  createCodedItem(name, begin, 1, [path], 'Y yes, N no, U unknown', (birth) =>
    formatFlag(read(birth)),
  );

const COUNT_LENGTH = 2;
const HIGHEST_COUNT = 98;

/** Two-digit count; 98 means 98 or more. */
export const createCountItem = (
  name: string,
  begin: number,
  path: FieldPath,
  read: (birth: FiledBirth) => number | null,
): CodedItem =>
  createCodedItem(
    name,
    begin,
    COUNT_LENGTH,
    [path],
    '00 to 97, 98 for 98 or more, 99 unknown',
    (birth) => {
      const value = read(birth);
      return formatDigits(value === null ? null : Math.min(value, HIGHEST_COUNT), COUNT_LENGTH);
    },
  );

/** Month and year of the last live birth or other outcome. */
export const createLastOutcomeItems = (
  [month, year, begin]: readonly [month: string, year: string, begin: number],
  path: 'last_live_birth' | 'last_other_outcome',
  counts: readonly FieldPath[],
  wasNone: (course: CourseOfCare) => boolean,
): readonly CodedItem[] => {
  const rule =
    'digits, of the child of this delivery before if there is one; eights where there was none; nines for what is not known';
  const reads = [path, ...counts];
  const getDate = ({ course }: FiledBirth): DateDigits =>
    course[path] === null && wasNone(course) ? NO_SUCH_DATE : formatDateDigits(course[path]);
  return [
    createCodedItem(month, begin, COUNT_LENGTH, reads, rule, (birth) => getDate(birth).month),
    createCodedItem(
      year,
      begin + COUNT_LENGTH,
      YEAR_LENGTH,
      reads,
      rule,
      (birth) => getDate(birth).year,
    ),
  ];
};

export const createDateItems = (
  [year, month, day]: readonly [DatePlace, DatePlace, DatePlace],
  reads: readonly FieldPath[],
  rule: string,
  read: (birth: FiledBirth) => DateDigits,
): readonly CodedItem[] => [
  createCodedItem(...year, YEAR_LENGTH, reads, rule, (birth) => read(birth).year),
  createCodedItem(...month, COUNT_LENGTH, reads, rule, (birth) => read(birth).month),
  createCodedItem(...day, COUNT_LENGTH, reads, rule, (birth) => read(birth).day),
];

type DatePlace = readonly [name: string, begin: number];

const YEAR_LENGTH = 4;

interface DateDigits {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

/** Unknown parts become nines. @param date `YYYY-MM-DD`, or only the year and the month, or the year */
export const formatDateDigits = (date: string | null): DateDigits => {
  const [year = '9999', month = '99', day = '99'] = date?.split('-') ?? [];
  return { year, month, day };
};

/** Date of an event that did not happen. */
export const NO_SUCH_DATE: DateDigits = { year: '8888', month: '88', day: '88' };

/** Zero-padded integer; nines if unknown or too long for its column. */
export const formatDigits = (value: number | null, length: number): string => {
  const digits = value === null ? '' : String(value).padStart(length, '0');
  return digits.length === length ? digits : '9'.repeat(length);
};

export const formatFlag = (value: boolean | null): string => {
  if (value === null) return 'U';
  return value ? 'Y' : 'N';
};
