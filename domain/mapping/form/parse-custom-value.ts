import type { CustomField } from '../../custom-field/state.ts';
import { hasUnusableCharacters, removeStrayInvisible } from '../../text-input.ts';
import { type DateReading, parseDate } from './parse-dates.ts';
import { parseNumber } from './parse-measures.ts';
import { BLANK, invalid, MAX_FREE_TEXT_LENGTH, ok, type Parsed, parseWithin } from './parsed.ts';

const MAX_TEXT_LENGTH = 500;
const NUMBER = /^(-?)(.+)$/;

export const parseCustomValue = (
  field: CustomField,
  text: string,
  reading: DateReading = {},
): Parsed<string | number> =>
  parseWithin(
    text.trim(),
    `value of “${field.label}”`,
    (short) => parseShortText(field, removeStrayInvisible(short.normalize('NFC')).trim(), reading),
    MAX_FREE_TEXT_LENGTH,
  );

const parseShortText = (
  field: CustomField,
  tidy: string,
  reading: DateReading,
): Parsed<string | number> => {
  if (tidy === '') return BLANK;
  if (tidy.length > MAX_TEXT_LENGTH)
    return invalid(
      'text-too-long',
      `The value of “${field.label}” has more than ${MAX_TEXT_LENGTH} characters. Shorten it.`,
    );
  switch (field.type) {
    case 'text': {
      const line = tidy.replace(/\s+/gu, ' ');
      return hasUnusableCharacters(line)
        ? invalid(
            'unusable-characters',
            `The value of “${field.label}” has characters that cannot be kept. Type it again.`,
          )
        : ok(line);
    }
    case 'number': {
      const [, sign = '', digits = ''] = NUMBER.exec(tidy) ?? [];
      const value = parseNumber(digits);
      return value === null || !Number.isFinite(value)
        ? invalid('not-a-number', `The value of “${field.label}” needs to be a number.`)
        : ok(sign === '-' ? -value : value);
    }
    case 'date':
      return parseDate(tidy, `value of “${field.label}”`, reading);
    case 'choice': {
      const choice = field.choices.find((one) => one.toLowerCase() === tidy.toLowerCase());
      return choice === undefined
        ? invalid('answer-not-listed', `Choose an answer from the list for “${field.label}”.`)
        : ok(choice);
    }
  }
};
