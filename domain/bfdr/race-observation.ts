import type { RaceAndEthnicity } from '../course-of-care/from-fhir/race-and-ethnicity.ts';
import { readYesNo } from '../fhir/coded-answers.ts';
import { codesOf } from '../fhir/coded-values.ts';
import { type JsonObject, objectsOf } from '../fhir/json.ts';

/** The system of the BFDR Observation that states race and ethnicity answer by answer. */
export const RACE_OBSERVATION_SYSTEM =
  'http://hl7.org/fhir/us/vr-common-library/CodeSystem/CodeSystem-local-observation-codes-vr';

/** The code of that Observation for the mother. */
export const RACE_OBSERVATION_CODE = 'inputraceandethnicityMother';

/** The answers of the birth certificate worksheet as CDC race codes. */
export const RACE_ANSWERS: ReadonlyMap<string, string> = new Map([
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
    if (code !== undefined && isYes(component)) race.push(code);
    if (answer.startsWith(HISPANIC_ANSWERS))
      hispanic.push(codesOf(component['valueCodeableConcept'])[0] ?? null);
  }
  return { race: [...new Set(race)], ethnicity: ethnicityOf(hispanic) };
};

// The boolean may stand in quotes.
const isYes = (component: JsonObject): boolean => {
  const answer = readYesNo(component);
  return answer.kind === 'value' && answer.value;
};

/** What the codes of the answers about ethnicity begin with. */
export const HISPANIC_ANSWERS = 'Hispanic';

const ethnicityOf = (answers: readonly (string | null)[]): string | null => {
  if (answers.includes('Y')) return HISPANIC;
  return answers.length > 0 && answers.every((answer) => answer === 'N') ? NOT_HISPANIC : null;
};

const HISPANIC = '2135-2';
const NOT_HISPANIC = '2186-5';
