import { isAbroad } from '../../course/addresses.ts';
import type { Mother } from '../../course/course.ts';
import type { FieldMessage } from '../../course/field-messages.ts';

/** Prefixes of ZIP codes that begin with 0, by state. @see USPS Publication 65 */
const FIRST_THREE_DIGITS: ReadonlyMap<string, RegExp> = new Map([
  ['AE', /^09[0-8]/],
  ['CT', /^06[0-9]/],
  ['MA', /^0(?:1\d|2[0-7]|55)/],
  ['ME', /^0(?:39|4\d)/],
  ['NH', /^03[0-8]/],
  ['NJ', /^0[78]\d/],
  // Fishers Island, and two codes in Holtsville.
  ['NY', /^(?:06390|00501|00544)/],
  ['PR', /^00[679]/],
  ['RI', /^02[89]/],
  ['VI', /^008/],
  ['VT', /^05[0-46-9]/],
]);
const SHORT = /^(\d{3,4})(-\d{4})?$/;
// Nine digits as one number without its leading zeros.
const SHORT_NINE = /^(\d{3,4})(\d{4})$/;

export const POSTAL_CODE = 'mother.address.postal_code';

/** `2139` in Massachusetts is `02139`. Other texts are unchanged. */
export const restoreFirstZeros = ({
  postal_code,
  state,
  country,
}: Mother['address']): string | null => {
  const known = state === null ? undefined : FIRST_THREE_DIGITS.get(state);
  if (postal_code === null || known === undefined || isAbroad(country)) return postal_code;
  const [, digits = '', more = ''] = SHORT.exec(postal_code) ?? SHORT_NINE.exec(postal_code) ?? [];
  const whole = digits.padStart(ZIP_DIGITS, '0');
  if (digits === '' || !known.test(whole)) return postal_code;
  return more === '' || more.startsWith('-') ? `${whole}${more}` : `${whole}-${more}`;
};

const ZIP_DIGITS = 5;

/** Warns about an unusual ZIP code. @param typed text it was parsed from; '' if none was typed */
export const checkPostalCode = (
  { postal_code, country }: Mother['address'],
  typed: string,
): readonly FieldMessage[] => {
  const isShort = SHORT.test(typed);
  if (isAbroad(country) || !(isShort || SHORT_NINE.test(typed))) return [];
  if (postal_code !== typed)
    return [
      {
        path: POSTAL_CODE,
        id: 'zeros-added',
        message:
          'ZIP codes of this state begin with zeros, which spreadsheets leave out: they were added. Check the ZIP code.',
      },
    ];
  return isShort
    ? [
        {
          path: POSTAL_CODE,
          id: 'postal-code-short',
          message: 'A ZIP code has five digits. Check whether the first one is missing.',
        },
      ]
    : [];
};
