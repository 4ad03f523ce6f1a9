import type { CustomField } from '../../custom-field/state.ts';
import { hasUnusableCharacters, removeStrayInvisible } from '../../text-input.ts';
import { type DateReading, typedDate } from './parse-dates.ts';
import { parseNumber } from './parse-measures.ts';
import {
  BLANK,
  MAX_FREE_TEXT_LENGTH,
  type TypedValue,
  typed,
  typedWithin,
  wrong,
} from './parsed.ts';

const MAX_TEXT_LENGTH = 500;
const NUMBER = /^(-?)(.+)$/;

/** Reads a value of a practice's own field as a person typed it. Blank is not known. */
export const typedCustomValue = (
  field: CustomField,
  text: string,
  reading: DateReading = {},
): TypedValue<string | number> =>
  typedWithin(
    text.trim(),
    `value of “${field.label}”`,
    (short) => typedShort(field, removeStrayInvisible(short.normalize('NFC')).trim(), reading),
    MAX_FREE_TEXT_LENGTH,
  );

const typedShort = (
  field: CustomField,
  tidy: string,
  reading: DateReading,
): TypedValue<string | number> => {
  if (tidy === '') return BLANK;
  if (tidy.length > MAX_TEXT_LENGTH)
    return wrong(
      'text-too-long',
      `The value of “${field.label}” has more than ${MAX_TEXT_LENGTH} characters. Shorten it.`,
    );
  switch (field.type) {
    case 'text': {
      const line = tidy.replace(/\s+/gu, ' ');
      return hasUnusableCharacters(line)
        ? wrong(
            'unusable-characters',
            `The value of “${field.label}” has characters that cannot be kept. Type it again.`,
          )
        : typed(line);
    }
    case 'number': {
      const [, sign = '', digits = ''] = NUMBER.exec(tidy) ?? [];
      const value = parseNumber(digits);
      return value === null || !Number.isFinite(value)
        ? wrong('not-a-number', `The value of “${field.label}” needs to be a number.`)
        : typed(sign === '-' ? -value : value);
    }
    case 'date':
      return typedDate(tidy, `value of “${field.label}”`, reading);
    case 'choice': {
      const choice = field.choices.find((one) => one.toLowerCase() === tidy.toLowerCase());
      return choice === undefined
        ? wrong('answer-not-listed', `Choose an answer from the list for “${field.label}”.`)
        : typed(choice);
    }
  }
};
