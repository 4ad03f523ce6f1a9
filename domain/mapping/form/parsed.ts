import type { MessageId } from '../../course/field-messages.ts';

export type Parsed<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'blank' }
  /** Code for an unknown value: nothing is stored, and a notice reports it. */
  | { readonly kind: 'left-out'; readonly raw: number; readonly id: 'code-for-unknown' }
  /** `message` describes the error and the correction, without the text itself. */
  | { readonly kind: 'wrong'; readonly id: MessageId; readonly message: string };

export const BLANK: Parsed<never> = { kind: 'blank' };

export const ok = <T>(value: T): Parsed<T> => ({ kind: 'value', value });

export const okUnknownCount = (raw: number): Parsed<never> => ({
  kind: 'left-out',
  raw,
  id: 'code-for-unknown',
});

export const invalid = (id: MessageId, message: string): Parsed<never> => ({
  kind: 'wrong',
  id,
  message,
});

// Longer than any meaningful date, number, or word.
const MAX_VALUE_LENGTH = 200;

/**
 * In UTF-16 units. Checked before white space and marks are normalized, which is slow for a long text.
 */
export const MAX_FREE_TEXT_LENGTH = 2_000;

// Errors of Excel, Google Sheets, and LibreOffice, and the filler of a column that is too narrow.
const SPREADSHEET_ERROR = /^(?:#(?:N\/A|[A-Z0-9_/]{1,20}[!?]|GETTING_DATA|#+)|#{3,}|Err:\d{3})$/i;
// Spreadsheets always write the sign; a chart number such as 2E05 has none.
const SHORTENED_NUMBER = /^-?\d(?:[.,]\d{1,20})?E[+-]\d{2,3}$/i;

export const isSpreadsheetError = (text: string): boolean => SPREADSHEET_ERROR.test(text);

/** Goes before any other pattern: forms and files may contain texts of megabytes. */
export const parseWithin = <T>(
  text: string,
  words: string,
  read: (text: string) => Parsed<T>,
  longest: number = MAX_VALUE_LENGTH,
): Parsed<T> => {
  if (text.length > longest)
    return invalid('text-too-long', `The ${words} is too long. Shorten it.`);
  if (isSpreadsheetError(text))
    return invalid(
      'spreadsheet-error',
      `In place of the ${words} stands an error that a spreadsheet shows, such as #N/A. Correct its formula, or enter the value itself.`,
    );
  if (SHORTENED_NUMBER.test(text))
    return invalid(
      'shortened-by-spreadsheet',
      `A spreadsheet has shortened the ${words} to a form like 1.23457E+12, and its last digits are lost. Format the column as text, and enter it again as it stands in the chart.`,
    );
  return read(text);
};

export const flatMap = <T, U>(one: Parsed<T>, change: (value: T) => Parsed<U>): Parsed<U> =>
  one.kind === 'value' ? change(one.value) : one;
