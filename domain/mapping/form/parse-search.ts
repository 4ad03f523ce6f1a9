import { parseDate } from './parse-dates.ts';

export type ReadDate = (text: string) => string | null;

export interface ParsedSearch {
  /** Remaining words: names, chart numbers. */
  readonly rest: string;
  /** Date, `YYYY-MM-DD`, and its text, which may also be a chart number; null if there is none. */
  readonly date: { readonly day: string; readonly text: string } | null;
}

/** "Sept. 12, 2026" is four words at most. */
const MAX_DATE_WORDS = 4;

/** Finds the first date in a search text, as in "marin 5/12/2026" or "12 May 2026 rosa". */
export const parseSearchText = (text: string, readDate: ReadDate = findTypedDate): ParsedSearch => {
  const words = text.trim().split(/\s+/u);
  for (let from = 0; from < words.length; from += 1)
    for (let count = MAX_DATE_WORDS; count > 0; count -= 1) {
      if (from + count > words.length) continue;
      const typed = words.slice(from, from + count).join(' ');
      const day = /\d/.test(typed) ? readDate(typed) : null;
      if (day !== null)
        return {
          rest: [...words.slice(0, from), ...words.slice(from + count)].join(' '),
          date: { day, text: typed },
        };
    }
  return { rest: text, date: null };
};

const findTypedDate: ReadDate = (text) => {
  const read = parseDate(text, 'date of birth');
  return read.kind === 'value' ? read.value : null;
};

export interface RecordNumbers {
  readonly from: string;
  readonly to: string;
}

const HEX_DIGITS = 32;
/** The first group has eight digits: shorter texts are more likely a name or a chart number. */
const BEGINS_RECORD_NUMBER = /^[0-9a-f]{8}[0-9a-f-]*$/;

/** With or without dashes; null if the text is not a prefix. */
export const parseRecordNumbers = (text: string): RecordNumbers | null => {
  const typed = text.trim().toLowerCase().replace(/-$/, '');
  const digits = typed.replaceAll('-', '');
  if (!BEGINS_RECORD_NUMBER.test(typed) || digits.length > HEX_DIGITS) return null;
  if (typed !== digits && typed !== toUuid(digits)) return null;
  return {
    from: toUuid(digits.padEnd(HEX_DIGITS, '0')),
    to: toUuid(digits.padEnd(HEX_DIGITS, 'f')),
  };
};

const toUuid = (digits: string): string =>
  [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ]
    .filter((part) => part !== '')
    .join('-');
