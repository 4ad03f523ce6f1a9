import {
  findBindableItem,
  findItemCode,
  type ItemCode,
  isWithin,
  readItemDigits,
} from '../../custom-field/bindable-items.ts';
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
  const form = findBindableItem(field.item)?.form;
  switch (field.type) {
    case 'text': {
      const line = tidy.replace(/\s+/gu, ' ');
      if (form?.kind === 'digits' && readItemDigits(form.lengths, line) === null)
        return invalid(
          'not-a-number',
          `The value of “${field.label}” needs to have ${form.lengths.join(' or ')} digits. Leave it empty if it is not known.`,
        );
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
      if (form?.kind === 'count' && (sign !== '' || value === null || !isWithin(value, form)))
        return invalid(
          'whole-number-out-of-range',
          `The value of “${field.label}” needs to be a whole number from ${form.least} to ${form.most}. Leave it empty if it is not known.`,
        );
      return value === null || !Number.isFinite(value)
        ? invalid('not-a-number', `The value of “${field.label}” needs to be a number.`)
        : ok(sign === '-' ? -value : value);
    }
    case 'date':
      return parseDate(tidy, `value of “${field.label}”`, reading);
    case 'choice': {
      const choice = findChoice(field.choices, tidy, form?.kind === 'answers' ? form.codes : []);
      return choice === undefined
        ? invalid('answer-not-listed', `Choose an answer from the list for “${field.label}”.`)
        : ok(choice);
    }
  }
};

/** @param codes those of the item that the field is bound to, which stand for its answers */
const findChoice = (
  choices: readonly string[],
  text: string,
  codes: readonly ItemCode[],
): string | undefined => {
  const code = findItemCode(codes, text);
  return (
    choices.find((one) => one.toLowerCase() === text.toLowerCase()) ??
    choices.find((one) => code !== null && findItemCode(codes, one) === code)
  );
};
