import type { CourseOfCare } from '../../course/course.ts';
import type { FieldMessage } from '../../course/field-messages.ts';
import type { Rejection } from '../../course/rejections.ts';
import type { FormValues } from '../form/form-fields.ts';
import { formatEntries } from '../form/format-course.ts';
import type { ParsedCourse } from '../form/parse-course.ts';
import { parseNumber } from '../form/parse-measures.ts';
import { isUnknownWord } from '../form/parse-words.ts';
import { formatColumnName, type NamedColumn } from './column-names.ts';

export interface FileRow {
  readonly row: number;
  readonly cells: readonly string[];
  readonly problems?: readonly FileProblem[];
  readonly notices?: readonly RowMessage[];
}

/** Optional, but must not contain blank values. */
export const CONSENT = 'consent.granted';

/** Error or warning about a row; the text never contains a value from it. */
export interface RowMessage {
  /** Template name of the column; null for the row as a whole. */
  readonly column: string | null;
  /** Stable id of the message: the wording may change. */
  readonly id: Rejection['id'];
  readonly message: string;
}

export interface FileProblem extends RowMessage {
  /** Column of its cell, from 0; the error counts only if the column is imported. Absent: it always counts. */
  readonly index?: number;
}

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

const MAX_CELL_CHARACTERS = 5_000;
export const MAX_MESSAGES = 20;

export const readRow = (
  { cells, problems = [], notices: fileNotices = [] }: FileRow,
  columns: readonly (NamedColumn | null)[],
  enter: (values: FormValues) => ParsedCourse,
): RowReading => {
  const shape = [
    ...problems
      .filter(({ index }) => index === undefined || columns[index] !== null)
      .map(({ column, id, message }): RowMessage => ({ column, id, message })),
    ...checkShape(cells, columns),
  ];
  if (shape.length > 0) return { kind: 'refused', errors: shape, notices: fileNotices };
  const values = Object.fromEntries(
    columns.flatMap((column, index) =>
      column === null ? [] : [[column.path, addUnit((cells[index] ?? '').trim(), column)]],
    ),
  );
  const entered = enter(values);
  const columnNames = new Map(
    columns.flatMap((column) => (column ? [[column.path, column.name]] : [])),
  );
  const toMessages = (messages: readonly FieldMessage[]) =>
    messages.slice(0, MAX_MESSAGES).map(
      ({ path, id, message }): RowMessage => ({
        column: columnNames.get(path) ?? formatColumnName(path),
        id,
        message,
      }),
    );
  const notices = [...fileNotices, ...toMessages(entered.notices)];
  const open = findOpenConsent(values);
  const wrong = entered.kind === 'refused' ? entered.errors : [];
  return entered.kind === 'course' && open.length === 0
    ? { kind: 'course', course: entered.course, notices }
    : { kind: 'refused', errors: toMessages([...wrong, ...open]), notices };
};

const addUnit = (text: string, { unit }: NamedColumn): string =>
  unit !== undefined && parseNumber(text) !== null ? `${text} ${unit}` : text;

export const CONSENT_NOT_STATED =
  'The row does not say whether consent was granted. Write yes or no.';

// A blank consent must not count as a refused one.
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

/** Rejects a row with the chart number of a different mother's record; never used for pushed records. */
export const CHART_NUMBER_CONFLICT: Rejection = {
  id: 'another-womans-record',
  code: 'conflict',
  diagnostics:
    'This chart number belongs to another woman. Correct the chart number, or have the two records compared.',
  expression: ['chart_number'],
};

const OWN_FIELDS = 'custom.';

/**
 * An amendment replaces the course of care, regardless of the columns of a file; custom field values are
 * kept.
 */
export const findClearedColumns = (
  current: CourseOfCare,
  sent: CourseOfCare,
): readonly string[] => {
  const after = formatEntries(sent);
  return Object.entries(formatEntries(current))
    .filter(
      ([path, text]) => text !== '' && (after[path] ?? '') === '' && !path.startsWith(OWN_FIELDS),
    )
    .map(([path]) => formatColumnName(path));
};
