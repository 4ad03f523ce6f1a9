import {
  ETHNICITIES,
  HISPANIC,
  HISPANIC_ORIGINS,
  NOT_HISPANIC,
  OTHER_ASIAN,
  OTHER_HISPANIC,
  type RaceAbsentReason,
} from '../../course/codes.ts';
import { isGeneralEthnicity } from '../../course/hispanic-origins.ts';
import { MAX_TEXT } from '../../course/limits.ts';
import { completeOrigins, mapWriteIns, type Origins, type WriteIn } from '../../course/origins.ts';
import { findRaceAbsentReason, pickRaceAbsentReason } from '../../course/race-absent-reason.ts';
import { readWords, readYesNo } from '../../fhir/coded-answers.ts';
import { readCodes } from '../../fhir/coded-values.ts';
import { isVerbatim } from '../../fhir/extensions.ts';
import { asObjects, type JsonObject } from '../../fhir/json.ts';
import type { Reading } from '../../fhir/readings.ts';
import { collectStatedValues, statesNothing } from '../../fhir/stated-values.ts';
import { isEthnicityAsRecorded, isRaceAsRecorded } from '../from-fhir/race-and-ethnicity.ts';

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

/** Names of the two texts beside an answer, without `First` and `Second`; the guide's spelling first. */
export const WRITE_IN_ANSWERS: ReadonlyMap<string, WriteIn> = new Map([
  ['AmericanIndianOrAlaskanNativeLiteral', 'tribes'],
  ['AmericanIndianOrAlaskaNativeLiteral', 'tribes'],
  ['OtherAsianLiteral', 'other_asian_races'],
  ['OtherPacificIslanderLiteral', 'other_pacific_races'],
  ['OtherRaceLiteral', 'other_races'],
]);

export const PLACES = ['First', 'Second'] as const;

export const HISPANIC_TEXT = 'HispanicLiteral';

/** Place and field of each text of the worksheet. */
const LITERALS: ReadonlyMap<string, string> = new Map([
  [HISPANIC_TEXT, HISPANIC_TEXT],
  ...[...WRITE_IN_ANSWERS].flatMap(([answer, field]) =>
    PLACES.map((place) => [`${place}${answer}`, `${place}${field}`] as const),
  ),
]);

/**
 * Records from the C# tools use it. Not Hispanic requires a no to every question about Hispanic origin.
 */
export const readRaceObservation = (observation: JsonObject): Origins => {
  const race = new Set<string>();
  const hispanic = new Map<string, boolean>();
  const reasons = [readAbsentReason(observation)];
  const names = new Map<string, string>();
  let origin: string | null = null;
  let isOfAnyOrigin = false;
  for (const component of asObjects(observation['component'])) {
    const [answer = null] = readCodes(component['code']);
    if (answer === null) continue;
    if (answer === RACE_ABSENT_ANSWER) reasons.push(readAbsentReason(component));
    const key = LITERALS.get(answer);
    if (key !== undefined) {
      const text = readLiteral(component);
      if (text.kind !== 'value') continue;
      if (key !== HISPANIC_TEXT) names.set(key, text.value);
      else if (isGeneralTerm(component, text.value)) isOfAnyOrigin = true;
      else origin = text.value;
      continue;
    }
    const code = RACE_ANSWERS.get(answer);
    if (code === undefined && !answer.startsWith(HISPANIC_ANSWERS)) continue;
    const reading = readYesNo(component);
    if (reading.kind !== 'value') continue;
    if (code === undefined) hispanic.set(answer, reading.value);
    else if (reading.value) race.add(code);
  }
  const origins = HISPANIC_QUESTIONS.flatMap(([question, one]) =>
    hispanic.get(question) === true ? [one] : [],
  );
  return {
    race: [...race],
    race_absent_reason: pickRaceAbsentReason(reasons),
    ...mapWriteIns(({ field }) => PLACES.flatMap((place) => names.get(place + field) ?? [])),
    ethnicity: toEthnicity(hispanic),
    ethnicity_absent_reason: null,
    hispanic_origins: isOfAnyOrigin && origins.join() === OTHER_HISPANIC ? [] : origins,
    other_hispanic_origin: origin,
  };
};

const readLiteral = (component: JsonObject): Reading<string> => readWords(component, MAX_TEXT);

/** Text that the guide requires beside another origin if the record does not know which. */
export const ANY_ORIGIN = ETHNICITIES.get(HISPANIC) ?? '';

const isGeneralTerm = (component: JsonObject, text: string): boolean =>
  isGeneralEthnicity(text) && !isVerbatim(component['_valueString']);

/**
 * Answers of the worksheet come before those of the Patient, unless that has recorded values, which the
 * worksheet cannot express.
 */
export const mergeOrigins = (
  patient: Origins,
  worksheet: Origins,
  mothers: readonly JsonObject[],
): Origins => {
  const isRaceOfPatient = worksheet.race.length === 0 || mothers.some(isRaceAsRecorded);
  const { race } = isRaceOfPatient ? patient : worksheet;
  const isEthnicityOfPatient = worksheet.ethnicity === null || mothers.some(isEthnicityAsRecorded);
  const ofOrigin =
    worksheet.hispanic_origins.length === 0 && worksheet.other_hispanic_origin === null
      ? patient
      : worksheet;
  const { hispanic_origins, other_hispanic_origin } = ofOrigin;
  return completeOrigins({
    race,
    race_absent_reason:
      worksheet.race_absent_reason ?? (race.length === 0 ? patient.race_absent_reason : null),
    ...mapWriteIns(({ field, answer, category }) =>
      worksheet[field].length === 0 && [answer, category].some((code) => race.includes(code))
        ? patient[field]
        : worksheet[field],
    ),
    ethnicity: isEthnicityOfPatient ? patient.ethnicity : worksheet.ethnicity,
    ethnicity_absent_reason: isEthnicityOfPatient ? patient.ethnicity_absent_reason : null,
    hispanic_origins,
    other_hispanic_origin,
  });
};

/** True if a question of the worksheet has an answer that is neither yes nor no, nor unknown, nor a reason. */
export const hasUnreadAnswer = (observation: JsonObject): boolean =>
  isUnreadReason(observation) ||
  asObjects(observation['component']).some((component) => {
    const [question = null] = readCodes(component['code']);
    if (question === RACE_ABSENT_ANSWER) return isUnreadReason(component);
    if (question === null) return false;
    if (LITERALS.has(question)) return readLiteral(component).kind === 'left-out';
    const isRead = RACE_ANSWERS.has(question) || HISPANIC_QUESTION_CODES.has(question);
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

/** Worksheet questions about Hispanic origin, with the code of each. */
export const HISPANIC_QUESTIONS: readonly (readonly [question: string, origin: string])[] = [
  ...HISPANIC_ORIGINS.keys(),
].map((origin, at) => [
  ['HispanicMexican', 'HispanicPuertoRican', 'HispanicCuban', 'HispanicOther'][at] ?? '',
  origin,
]);

const HISPANIC_QUESTION_CODES: ReadonlySet<string> = new Set(
  HISPANIC_QUESTIONS.map(([question]) => question),
);

const toEthnicity = (answers: ReadonlyMap<string, boolean>): string | null => {
  if ([...answers.values()].includes(true)) return HISPANIC;
  return HISPANIC_QUESTIONS.every(([question]) => answers.get(question) === false)
    ? NOT_HISPANIC
    : null;
};
