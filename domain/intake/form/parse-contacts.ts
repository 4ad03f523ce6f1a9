import { isUnknownPart } from '../../course/addresses.ts';
import { findStateCode } from '../../course/places.ts';
import { saysUnknown } from './parse-words.ts';
import { BLANK, type TypedValue, typed, wrong } from './parsed.ts';

const EXTENSION = /(?:ext\.?|x|#) ?(\d{1,6})$/i;
const PUNCTUATION = /[\s().,;\-/]/g;
// Neither an area code nor an exchange begins with 0 or 1.
const OF_THE_US = /^(?:\+?1)?([2-9]\d{2})(\d{3})(\d{4})$/;
const INTERNATIONAL = /^\+[1-9]\d{7,14}$/;

/**
 * Reads a phone number: ten digits of the United States and its neighbors as `503-555-0142`, any other
 * with a plus sign and its country code; an extension stays.
 */
export const typedPhone = (text: string, words: string): TypedValue<string> => {
  if (saysUnknown(text)) return BLANK;
  const [ending = '', extension = ''] = EXTENSION.exec(text) ?? [];
  const digits = text.slice(0, text.length - ending.length).replace(PUNCTUATION, '');
  const behind = extension === '' ? '' : ` ext. ${extension}`;
  const [, area, exchange, line] = OF_THE_US.exec(digits) ?? [];
  if (area !== undefined) return typed(`${area}-${exchange}-${line}${behind}`);
  return INTERNATIONAL.test(digits)
    ? typed(`${digits}${behind}`)
    : wrong(
        'phone-not-understood',
        `Enter the ${words} with its area code, like 503-555-0142. For another country, begin with + and its code.`,
      );
};

/** Reads a state by its USPS code or its name, as the code. */
export const typedState = (text: string, words: string): TypedValue<string> => {
  if (saysUnknown(text) || isUnknownPart('state', text)) return BLANK;
  const code = findStateCode(text);
  return code === null
    ? wrong(
        'state-unknown',
        `Enter the ${words} as a two-letter code, such as OR, or by its name. For an address abroad, enter the country too.`,
      )
    : typed(code);
};
