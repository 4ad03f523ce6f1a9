import { ETHNICITIES, RACES } from '../../course/codes.ts';
import { MAX_TEXT } from '../../course/limits.ts';
import {
  CDC_RACE_AND_ETHNICITY,
  isOfOtherSystem,
  readCoding,
  statesUnknown,
} from '../../fhir/coded-values.ts';
import { readRecorded } from '../../fhir/extensions.ts';
import { asObjects, asText, isObject, type JsonObject } from '../../fhir/json.ts';

const RACE_EXTENSION = 'us-core-race';
const ETHNICITY_EXTENSION = 'us-core-ethnicity';

// Our choice: the OMB set has six categories, or sixteen with detail.
const MAX_RACES = 16;

/** Race and ethnicity as codes, else as text. */
export type RaceAndEthnicity = {
  readonly race: readonly string[];
  readonly ethnicity: string | null;
};

/**
 * Reads the US Core race and ethnicity extensions of a Patient: recorded values, else categories,
 * else detail, else text.
 */
export const readRaceAndEthnicity = (patient: JsonObject): RaceAndEthnicity => ({
  race: withName(patient, RACE_EXTENSION).flatMap(readStatedAnswers).slice(0, MAX_RACES),
  ethnicity: withName(patient, ETHNICITY_EXTENSION).flatMap(readStatedAnswers)[0] ?? null,
});

/** Lists the fields that the Patient states with known codes of another code system. */
export const listOfOtherSystem = (patient: JsonObject): readonly (keyof RaceAndEthnicity)[] => {
  const isStrange = (extension: string, known: ReadonlyMap<string, string>): boolean => {
    const parts = withName(patient, extension).flatMap((one) => asObjects(one['extension']));
    const codings = parts.flatMap((part) => asObjects(part['valueCoding'])).map(readCoding);
    return isOfOtherSystem(codings, CDC_RACE_AND_ETHNICITY, (code) => known.has(code));
  };
  return [
    ...(isStrange(RACE_EXTENSION, RACES) ? (['race'] as const) : []),
    ...(isStrange(ETHNICITY_EXTENSION, ETHNICITIES) ? (['ethnicity'] as const) : []),
  ];
};

/** True if a Patient contains the recorded races, which the worksheet cannot express. */
export const isRaceAsRecorded = (patient: JsonObject): boolean =>
  withName(patient, RACE_EXTENSION).some((extension) => readRecorded(extension).length > 0);

const withName = (patient: JsonObject, name: string): readonly JsonObject[] =>
  asObjects(patient['extension']).filter(
    (extension) => asText(extension['url'])?.endsWith(`/${name}`) === true,
  );

const readStatedAnswers = (extension: JsonObject): readonly string[] => {
  const recorded = readRecorded(extension).filter(isKept);
  if (recorded.length > 0) return recorded;
  const parts = asObjects(extension['extension']);
  const codes = (url: string) =>
    parts
      .filter((part) => part['url'] === url && isObject(part['valueCoding']))
      .flatMap((part) => asObjects(part['valueCoding']))
      .map((coding) => readCoding(coding).code)
      .filter((code) => code !== null && isKept(code));
  const categories = codes('ombCategory');
  const stated = categories.length > 0 ? categories : codes('detailed');
  if (stated.length > 0) return [...new Set(stated.filter((code) => code !== null))];
  const text = asText(parts.find((part) => part['url'] === 'text')?.['valueString']);
  return text !== null && isKept(text) ? [text] : [];
};

const isKept = (value: string): boolean => value.length <= MAX_TEXT && !statesUnknown(value);
