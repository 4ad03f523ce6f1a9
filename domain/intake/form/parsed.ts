import type { MessageId } from '../../course/field-messages.ts';

/** What a text that a person typed says: a value, nothing, or something that has to be corrected. */
export type Parsed<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'blank' }
  /** It stands for a value that is not known: nothing is kept, and that is said. */
  | { readonly kind: 'left-out'; readonly raw: number; readonly id: 'code-for-unknown' }
  /** `message` says what is wrong and how to correct it, without the text itself. */
  | { readonly kind: 'wrong'; readonly id: MessageId; readonly message: string };

/** Nothing was typed, or that the value is not known. */
export const BLANK: Parsed<never> = { kind: 'blank' };

/** A value that can be taken. */
export const ok = <T>(value: T): Parsed<T> => ({ kind: 'value', value });

/** A count that stands for one that is not known. */
export const okUnknownCount = (raw: number): Parsed<never> => ({
  kind: 'left-out',
  raw,
  id: 'code-for-unknown',
});

/** A text that has to be corrected. */
export const invalid = (id: MessageId, message: string): Parsed<never> => ({
  kind: 'wrong',
  id,
  message,
});

// Longer than any date, number or word that means something.
const MAX_VALUE_LENGTH = 200;

/**
 * UTF-16 units of a free text that are read at all, before white space is collapsed and letters are
 * joined with their marks, which takes long for a long text.
 */
export const MAX_FREE_TEXT_LENGTH = 2_000;

// Errors of Excel, Google Sheets and LibreOffice, and what a column that is too narrow shows.
const SPREADSHEET_ERROR = /^(?:#(?:N\/A|[A-Z0-9_/]{1,20}[!?]|GETTING_DATA|#+)|#{3,}|Err:\d{3})$/i;
// Spreadsheets always write the sign; a chart number such as 2E05 has none.
const SHORTENED_NUMBER = /^-?\d(?:[.,]\d{1,20})?E[+-]\d{2,3}$/i;

/** Whether a text is the error that a spreadsheet shows in place of a value, such as `#N/A`. */
export const isSpreadsheetError = (text: string): boolean => SPREADSHEET_ERROR.test(text);

/**
 * Reads a text unless it is too long, or what a spreadsheet has put in the place of a value. Everything
 * goes through here before any other pattern sees it: forms and files may hold texts of megabytes.
 * @param words what the field is called in a sentence
 * @param longest in UTF-16 units
 */
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

/** The same with its value changed. */
export const flatMap = <T, U>(one: Parsed<T>, change: (value: T) => Parsed<U>): Parsed<U> =>
  one.kind === 'value' ? change(one.value) : one;
