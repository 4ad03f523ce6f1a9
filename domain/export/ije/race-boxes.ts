import {
  OTHER_PACIFIC_ISLANDER,
  PACIFIC_ISLANDER,
  PACIFIC_ISLANDERS,
  RACES,
} from '../../course/codes.ts';
import type { Mother } from '../../course/course.ts';

const ASIAN = '2028-9';
const OTHER_RACE = '2131-1';

const ASIAN_DETAIL = ['2029-7', '2034-7', '2036-2', '2039-6', '2040-4', '2047-9'];

/** Codes in column order; "Other Asian" is stored as the category Asian. */
const CODES = [
  '2106-3',
  '2054-5',
  '1002-5',
  ...ASIAN_DETAIL,
  ASIAN,
  ...PACIFIC_ISLANDERS,
  OTHER_RACE,
];

/** Categories with detail boxes: a category checks its "other" box only if no detail is present. */
const CATEGORIES: ReadonlyMap<
  string,
  { readonly detail: readonly string[]; readonly other: string }
> = new Map([
  [ASIAN, { detail: ASIAN_DETAIL, other: ASIAN }],
  [PACIFIC_ISLANDER, { detail: PACIFIC_ISLANDERS, other: OTHER_PACIFIC_ISLANDER }],
]);

/** Additional conditions for checking a box, in words. */
const CONDITIONS: ReadonlyMap<string, string> = new Map([
  [ASIAN, ' without an Asian race of another box'],
  [
    OTHER_PACIFIC_ISLANDER,
    `, or ${RACES.get(PACIFIC_ISLANDER)} (${PACIFIC_ISLANDER}) without such a race of a box`,
  ],
  [OTHER_RACE, ', or any race that is in no box'],
]);

/** Boxes of the certificate by CDC race code. */
export const RACE_BOXES: readonly { readonly code: string; readonly rule: string }[] = CODES.map(
  (code) => ({
    code,
    rule: `Y for ${RACES.get(code)} (${code})${CONDITIONS.get(code) ?? ''}, else N; blank where no race is held`,
  }),
);

const findBox = (code: string, race: readonly string[]): string | null => {
  const category = CATEGORIES.get(code);
  if (category !== undefined)
    return race.some((one) => category.detail.includes(one)) ? null : category.other;
  return CODES.includes(code) ? code : OTHER_RACE;
};

/** Y if the box is checked, else N; blank if no race is known. @param box CDC race code */
export const formatRaceBox = ({ race }: Pick<Mother, 'race'>, box: string): string => {
  if (race.length === 0) return ' ';
  return race.some((code) => findBox(code, race) === box) ? 'Y' : 'N';
};

/** Races without a box, as sent, for the text next to "Other". */
export const listOtherRaces = ({ race }: Pick<Mother, 'race'>): readonly string[] =>
  race.filter((code) => !CODES.includes(code) && !CATEGORIES.has(code));
