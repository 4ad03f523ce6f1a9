import { OTHER_ASIAN, type RaceAbsentReason } from '../../course/codes.ts';
import { findRaceAbsentReason, pickRaceAbsentReason } from '../../course/race-absent-reason.ts';
import { readYesNo } from '../../fhir/coded-answers.ts';
import { readCodes } from '../../fhir/coded-values.ts';
import { asObjects, type JsonObject } from '../../fhir/json.ts';
import { collectStatedValues, statesNothing } from '../../fhir/stated-values.ts';
import type { RaceAndEthnicity } from '../from-fhir/race-and-ethnicity.ts';

/** Code system of the BFDR Observation with one component per answer about race and ethnicity. */
export const RACE_OBSERVATION_SYSTEM =
  'http://hl7.org/fhir/us/vr-common-library/CodeSystem/CodeSystem-local-observation-codes-vr';

export const RACE_OBSERVATION_CODE = 'inputraceandethnicityMother';

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
  ['OtherAsian', OTHER_ASIAN],
  ['NativeHawaiian', '2079-2'],
  ['GuamanianOrChamorro', '2086-7'],
  ['Samoan', '2080-0'],
  ['OtherPacificIslander', '2500-7'],
  ['OtherRace', '2131-1'],
]);

/** Component with the reason that no race is stated. */
export const RACE_ABSENT_ANSWER = 'RACEMVR';

/**
 * Records from the C# tools use it. Not Hispanic requires a no to every question about Hispanic origin.
 */
export const readRaceObservation = (observation: JsonObject): RaceAndEthnicity => {
  const race = new Set<string>();
  const hispanic = new Map<string, boolean>();
  const reasons = [readAbsentReason(observation)];
  for (const component of asObjects(observation['component'])) {
    const [answer = null] = readCodes(component['code']);
    if (answer === null) continue;
    if (answer === RACE_ABSENT_ANSWER) reasons.push(readAbsentReason(component));
    const code = RACE_ANSWERS.get(answer);
    if (code === undefined && !answer.startsWith(HISPANIC_ANSWERS)) continue;
    const reading = readYesNo(component);
    if (reading.kind !== 'value') continue;
    if (code === undefined) hispanic.set(answer, reading.value);
    else if (reading.value) race.add(code);
  }
  return {
    race: [...race],
    race_absent_reason: pickRaceAbsentReason(reasons),
    ethnicity: toEthnicity(hispanic),
  };
};

/** True if a question of the worksheet has an answer that is neither yes nor no, nor unknown, nor a reason. */
export const hasUnreadAnswer = (observation: JsonObject): boolean =>
  isUnreadReason(observation) ||
  asObjects(observation['component']).some((component) => {
    const [question = null] = readCodes(component['code']);
    if (question === RACE_ABSENT_ANSWER) return isUnreadReason(component);
    const isRead =
      question !== null && (RACE_ANSWERS.has(question) || HISPANIC_QUESTION_CODES.has(question));
    return isRead && readYesNo(component).kind === 'left-out';
  });

const readAbsentReason = (holder: JsonObject): RaceAbsentReason | null =>
  pickRaceAbsentReason(listWords(holder).map(findRaceAbsentReason));

/** The value, or the reason that there is none. */
const listWords = (holder: JsonObject): readonly (string | null)[] => {
  const stated = collectStatedValues(holder);
  const reason = collectStatedValues({ valueCodeableConcept: holder['dataAbsentReason'] });
  return [stated, reason].flatMap(({ codings, conceptTexts, texts }) => [
    ...codings.flatMap(({ code, display }) => [code, display]),
    ...conceptTexts,
    ...texts,
  ]);
};

const isUnreadReason = (holder: JsonObject): boolean => {
  const stated = collectStatedValues(holder);
  return !statesNothing(stated) && !stated.isAbsent && readAbsentReason(holder) === null;
};

export const HISPANIC_ANSWERS = 'Hispanic';

/** Worksheet questions about Hispanic origin: Mexican, Puerto Rican, Cuban, other. */
export const HISPANIC_QUESTIONS = [
  'HispanicMexican',
  'HispanicPuertoRican',
  'HispanicCuban',
  'HispanicOther',
] as const;

const HISPANIC_QUESTION_CODES: ReadonlySet<string> = new Set(HISPANIC_QUESTIONS);

const toEthnicity = (answers: ReadonlyMap<string, boolean>): string | null => {
  if ([...answers.values()].includes(true)) return HISPANIC;
  return HISPANIC_QUESTIONS.every((question) => answers.get(question) === false)
    ? NOT_HISPANIC
    : null;
};

/** OMB categories of ethnicity. @see ETHNICITIES */
export const HISPANIC = '2135-2';
export const NOT_HISPANIC = '2186-5';
