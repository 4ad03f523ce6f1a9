import { codesOf, codingIn, statesUnknown } from './coded-values.ts';
import { isObject, type JsonObject, objectsOf, textOf } from './json.ts';
import { MAX_TEXT } from './readings.ts';

const RACE_EXTENSION = 'us-core-race';
const ETHNICITY_EXTENSION = 'us-core-ethnicity';

/** The system of the BFDR Observation that states race and ethnicity answer by answer. */
export const RACE_OBSERVATION_SYSTEM =
  'http://hl7.org/fhir/us/vr-common-library/CodeSystem/CodeSystem-local-observation-codes-vr';

/** The code of that Observation for the mother. */
export const RACE_OBSERVATION_CODE = 'inputraceandethnicityMother';

// Our choice: the OMB set has six categories, with detail there are sixteen.
const MAX_RACES = 16;

// The answers of the birth certificate worksheet as CDC race codes.
const RACE_ANSWERS: ReadonlyMap<string, string> = new Map([
  ['White', '2106-3'],
  ['BlackOrAfricanAmerican', '2054-5'],
  ['AmericanIndianOrAlaskanNative', '1002-5'],
  ['AmericanIndianOrAlaskaNative', '1002-5'],
  ['AsianIndian', '2029-7'],
  ['Chinese', '2034-7'],
  ['Filipino', '2036-2'],
  ['Japanese', '2039-6'],
  ['Korean', '2040-4'],
  ['Vietnamese', '2047-9'],
  ['OtherAsian', '2028-9'],
  ['NativeHawaiian', '2079-2'],
  ['GuamanianOrChamorro', '2086-7'],
  ['Samoan', '2080-0'],
  ['OtherPacificIslander', '2500-7'],
  ['OtherRace', '2131-1'],
]);

/** Race and ethnicity as codes, else as the text that was sent. */
export type RaceAndEthnicity = {
  readonly race: readonly string[];
  readonly ethnicity: string | null;
};

/** Reads US Core race and ethnicity extensions of a Patient: categories, else detail, else text. */
export const raceAndEthnicityOf = (patient: JsonObject): RaceAndEthnicity => {
  const extensions = objectsOf(patient['extension']);
  const withName = (name: string) =>
    extensions.filter((extension) => textOf(extension['url'])?.endsWith(`/${name}`) === true);
  return {
    race: withName(RACE_EXTENSION).flatMap(statedBy).slice(0, MAX_RACES),
    ethnicity: withName(ETHNICITY_EXTENSION).flatMap(statedBy)[0] ?? null,
  };
};

const statedBy = (extension: JsonObject): readonly string[] => {
  const parts = objectsOf(extension['extension']);
  const codes = (url: string) =>
    parts
      .filter((part) => part['url'] === url && isObject(part['valueCoding']))
      .flatMap((part) => objectsOf(part['valueCoding']))
      .map((coding) => codingIn(coding).code)
      .filter((code) => code !== null && isKept(code));
  const categories = codes('ombCategory');
  const stated = categories.length > 0 ? categories : codes('detailed');
  if (stated.length > 0) return [...new Set(stated.filter((code) => code !== null))];
  const text = textOf(parts.find((part) => part['url'] === 'text')?.['valueString']);
  return text !== null && isKept(text) ? [text] : [];
};

const isKept = (value: string): boolean => value.length <= MAX_TEXT && !statesUnknown(value);

/**
 * Reads the race-and-ethnicity Observation (input-race-and-ethnicity-vr), the form in which
 * records of the C# tools carry them: each race with `true`, Hispanic with any Y.
 */
export const raceAndEthnicityIn = (observation: JsonObject): RaceAndEthnicity => {
  const race: string[] = [];
  const hispanic: (string | null)[] = [];
  for (const component of objectsOf(observation['component'])) {
    const answer = codesOf(component['code'])[0] ?? '';
    const code = RACE_ANSWERS.get(answer);
    if (code !== undefined && component['valueBoolean'] === true) race.push(code);
    if (answer.startsWith('Hispanic'))
      hispanic.push(codesOf(component['valueCodeableConcept'])[0] ?? null);
  }
  return { race: [...new Set(race)], ethnicity: ethnicityOf(hispanic) };
};

const ethnicityOf = (answers: readonly (string | null)[]): string | null => {
  if (answers.includes('Y')) return HISPANIC;
  return answers.length > 0 && answers.every((answer) => answer === 'N') ? NOT_HISPANIC : null;
};

const HISPANIC = '2135-2';
const NOT_HISPANIC = '2186-5';
