import type { CourseOfCare } from '../../course/course.ts';
import type { FieldMessage } from '../../course/field-messages.ts';
import type { Rejection } from '../../course/rejections.ts';
import type { FormValues } from '../form/form-fields.ts';
import { formatEntries } from '../form/format-course.ts';
import type { ParsedCourse } from '../form/parse-course.ts';
import { isUnknownWord } from '../form/parse-words.ts';
import { formatColumnName, type NamedColumn } from './column-names.ts';

/** A row of a file: its number as a spreadsheet shows it, and its cells in the file's order. */
export interface FileRow {
  readonly row: number;
  readonly cells: readonly string[];
  /** Why the row cannot be taken, as the reader of the file knows it. */
  readonly problems?: readonly RowMessage[];
  /** What that reader says of it beside. */
  readonly notices?: readonly RowMessage[];
}

/** Path of the decision that no row may leave open where the file has a column for it. */
export const CONSENT = 'consent.granted';

/** What is wrong, or may be wrong, with a row; never with a value of it in the text. */
export interface RowMessage {
  /** Template name of the column; null for the row as a whole. */
  readonly column: string | null;
  /** What the sentence is known by: its words may change. */
  readonly id: Rejection['id'];
  readonly message: string;
}

/** What a row says, or what is wrong with it by column. */
export type RowReading =
  | {
      readonly kind: 'course';
      readonly course: CourseOfCare;
      readonly notices: readonly RowMessage[];
    }
  | {
      readonly kind: 'refused';
      readonly errors: readonly RowMessage[];
      readonly notices: readonly RowMessage[];
    };

/** The longest cell that is read, in characters. */
const MAX_CELL_CHARACTERS = 5_000;
/** Errors of one row that are listed; more would not help. */
const MAX_MESSAGES = 20;

/**
 * Reads a row by the columns of its file.
 * @param enter makes a course of care of texts by canonical path
 */
export const readRow = (
  { cells, problems = [], notices: noted = [] }: FileRow,
  columns: readonly (NamedColumn | null)[],
  enter: (values: FormValues) => ParsedCourse,
): RowReading => {
  const shape = [...problems, ...checkShape(cells, columns)];
  if (shape.length > 0) return { kind: 'refused', errors: shape, notices: noted };
  const values = Object.fromEntries(
    columns.flatMap((column, index) =>
      column === null ? [] : [[column.path, (cells[index] ?? '').trim()]],
    ),
  );
  const entered = enter(values);
  const named = new Map(columns.flatMap((column) => (column ? [[column.path, column.name]] : [])));
  const told = (messages: readonly FieldMessage[]) =>
    messages.slice(0, MAX_MESSAGES).map(
      ({ path, id, message }): RowMessage => ({
        column: named.get(path) ?? formatColumnName(path),
        id,
        message,
      }),
    );
  const notices = [...noted, ...told(entered.notices)];
  const open = findOpenConsent(values);
  const wrong = entered.kind === 'refused' ? entered.errors : [];
  return entered.kind === 'course' && open.length === 0
    ? { kind: 'course', course: entered.course, notices }
    : { kind: 'refused', errors: told([...wrong, ...open]), notices };
};

/** Error of a row with an empty consent. */
export const CONSENT_NOT_STATED =
  'The row does not say whether consent was granted. Write yes or no.';

// A consent that nobody has stated is not taken for one that was refused.
const findOpenConsent = (values: FormValues): readonly FieldMessage[] => {
  const consent = values[CONSENT];
  return consent === undefined || (consent !== '' && !isUnknownWord(consent))
    ? []
    : [{ path: CONSENT, id: 'consent-not-stated', message: CONSENT_NOT_STATED }];
};

const checkShape = (
  cells: readonly string[],
  columns: readonly (NamedColumn | null)[],
): readonly RowMessage[] => {
  const errors: RowMessage[] = [];
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    errors.push({
      column: null,
      id: 'row-with-more-cells',
      message:
        'The row has more cells than there are columns. A text that holds the separator needs quotation marks around it.',
    });
  for (const [index, column] of columns.entries())
    if (column !== null && (cells[index]?.length ?? 0) > MAX_CELL_CHARACTERS)
      errors.push({
        column: column.name,
        id: 'text-too-long',
        message: 'The text is longer than 5,000 characters. Shorten it.',
      });
  return errors.slice(0, MAX_MESSAGES);
};

/** A row of a file with the chart number of another woman's record; never what is pushed. */
export const CHART_NUMBER_CONFLICT: Rejection = {
  id: 'another-womans-record',
  code: 'conflict',
  diagnostics:
    'This chart number belongs to another woman. Correct the chart number, or have the two records compared.',
  expression: ['chart_number'],
};

const OWN_FIELDS = 'custom.';

/**
 * Columns whose values an amendment takes away: the record has them, the row does not. An amendment
 * replaces the course of care, whichever columns a file has; values of the practice's own fields
 * stay.
 * @see design §5 "amendment"
 */
export const findClearedColumns = (held: CourseOfCare, sent: CourseOfCare): readonly string[] => {
  const after = formatEntries(sent);
  return Object.entries(formatEntries(held))
    .filter(
      ([path, text]) => text !== '' && (after[path] ?? '') === '' && !path.startsWith(OWN_FIELDS),
    )
    .map(([path]) => formatColumnName(path));
};
