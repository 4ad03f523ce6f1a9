import { OTHER_ASIAN, RACES, RACES_OF_CATEGORY } from './codes.ts';

/** Answer “other” of the certificate. */
export const OTHER_RACE = '2131-1';

const CODES: readonly string[] = [
  '2106-3',
  '2054-5',
  '1002-5',
  ...[...RACES_OF_CATEGORY.values()].flat(),
  OTHER_RACE,
];

/** Texts of the categories that fit their column of the state file. */
const CATEGORY_TEXTS: ReadonlyMap<string, string> = new Map([
  ['2028-9', 'Asian'],
  ['2076-8', 'Pacific Islander'],
]);

const describeBox = (code: string): string => {
  const name = RACES.get(code) ?? code;
  if (code === OTHER_ASIAN) return name;
  return `${name} (${code})${code === OTHER_RACE ? ', or any race that is in no box' : ''}`;
};

export const RACE_BOXES: readonly { readonly code: string; readonly rule: string }[] = CODES.map(
  (code) => ({ code, rule: `Y for ${describeBox(code)}, else N; blank where no race is held` }),
);

interface RaceAnswer {
  readonly code: string;
  readonly text: string | null;
}

/**
 * A category adds nothing to one of its races; alone, it does not say that the race is none of those
 * asked for.
 */
export const listRaceAnswers = (race: readonly string[]): readonly RaceAnswer[] => {
  const known = race.map((one) => CODES_BY_NAME.get(one.toLowerCase()) ?? one);
  return known.flatMap((code): readonly RaceAnswer[] => {
    if (CODES.includes(code)) return [{ code, text: null }];
    const isSpecified = RACES_OF_CATEGORY.get(code)?.some((one) => known.includes(one)) === true;
    return isSpecified ? [] : [{ code: OTHER_RACE, text: CATEGORY_TEXTS.get(code) ?? code }];
  });
};

/** A race that was sent as text alone is held as that text. */
const CODES_BY_NAME: ReadonlyMap<string, string> = new Map(
  [...RACES].map(([code, name]) => [name.toLowerCase(), code]),
);
