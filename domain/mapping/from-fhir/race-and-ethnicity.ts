import { ETHNICITIES, OTHER_ASIAN, RACES, type RaceAbsentReason } from '../../course/codes.ts';
import type { Mother } from '../../course/course.ts';
import { MAX_TEXT } from '../../course/limits.ts';
import { findRaceAbsentReason, pickRaceAbsentReason } from '../../course/race-absent-reason.ts';
import {
  CDC_RACE_AND_ETHNICITY,
  isOfOtherSystem,
  readCoding,
  statesUnknown,
} from '../../fhir/coded-values.ts';
import { findExtension, readRecorded } from '../../fhir/extensions.ts';
import { asObjects, asText, isObject, type JsonObject } from '../../fhir/json.ts';

const RACE_EXTENSION = 'us-core-race';
const ETHNICITY_EXTENSION = 'us-core-ethnicity';

// Our choice: the OMB set has six categories, or sixteen with detail.
const MAX_RACES = 16;

export type RaceAndEthnicity = Pick<Mother, 'race' | 'race_absent_reason' | 'ethnicity'>;

/**
 * Recorded values, else categories with the known races of their detail, else detail, else text. A
 * refusal is no race.
 */
export const readRaceAndEthnicity = (patient: JsonObject): RaceAndEthnicity => {
  const stated = withName(patient, RACE_EXTENSION).map(readStatedRaces);
  const race = stated.flatMap((one) => one.race).slice(0, MAX_RACES);
  return {
    race,
    race_absent_reason:
      race.length > 0 ? null : pickRaceAbsentReason(stated.map(({ reason }) => reason)),
    ethnicity:
      withName(patient, ETHNICITY_EXTENSION).flatMap((one) =>
        readStatedAnswers(one, shouldKeep),
      )[0] ?? null,
  };
};

/** True if a Patient states, beside a category, a race that the registry cannot hold. */
export const hasUnreadRace = (patient: JsonObject): boolean =>
  withName(patient, RACE_EXTENSION).some((extension) => {
    if (readRecorded(extension).length > 0) return false;
    const [categories = [], details = []] = CODING_PARTS.map((url) => listCodes(extension, url));
    return categories.length > 0 && details.some((code) => !RACES.has(code) && shouldKeep(code));
  });

const listCodes = (extension: JsonObject, url: string): readonly string[] =>
  listCodings(extension, url).flatMap((coding) => readCoding(coding).code ?? []);

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

interface StatedRaces {
  readonly race: readonly string[];
  readonly reason: RaceAbsentReason | null;
}

const readStatedRaces = (extension: JsonObject): StatedRaces => {
  const reasons: (RaceAbsentReason | null)[] = [];
  const isRace = (value: string, display: string | null): boolean => {
    if (RACES.has(value)) return true;
    const reason = findRaceAbsentReason(value) ?? findRaceAbsentReason(display);
    reasons.push(reason);
    return reason === null && shouldKeep(value);
  };
  for (const element of [extension, ...listCodings(extension, ...CODING_PARTS)])
    reasons.push(readAbsentReason(element));
  return { race: readStatedAnswers(extension, isRace), reason: pickRaceAbsentReason(reasons) };
};

const readAbsentReason = (element: JsonObject): RaceAbsentReason | null =>
  findRaceAbsentReason(asText(findExtension(element, 'data-absent-reason')?.['valueCode'])) ??
  findRaceAbsentReason(asText(element['display']));

const CODING_PARTS = ['ombCategory', 'detailed'] as const;

const listCodings = (extension: JsonObject, ...urls: readonly string[]): readonly JsonObject[] =>
  asObjects(extension['extension'])
    .filter((part) => urls.includes(asText(part['url']) ?? '') && isObject(part['valueCoding']))
    .flatMap((part) => asObjects(part['valueCoding']));

const readStatedAnswers = (
  extension: JsonObject,
  isAnswer: (value: string, display: string | null) => boolean,
): readonly string[] => {
  const recorded = readRecorded(extension).filter(shouldKeep);
  if (recorded.length > 0) return recorded;
  const [categories = [], details = []] = CODING_PARTS.map((url) =>
    listCodings(extension, url).flatMap((coding) => {
      const { code, display } = readCoding(coding);
      return code !== null && isAnswer(code, display) ? [code] : [];
    }),
  );
  const texts = asObjects(extension['extension']).filter(({ url }) => url === 'text');
  const text = asText(texts[0]?.['valueString']);
  // The only race that has words but no code of CDC.
  const inWords = isOtherAsian(text) ? [OTHER_ASIAN] : [];
  if (categories.length > 0)
    return [...new Set([...categories, ...details.filter((code) => RACES.has(code)), ...inWords])];
  if (details.length > 0) return [...new Set([...details, ...inWords])];
  if (inWords.length > 0) return inWords;
  return text !== null && isAnswer(text, null) ? [text] : [];
};

const isOtherAsian = (text: string | null): boolean =>
  text?.trim().toLowerCase() === RACES.get(OTHER_ASIAN)?.toLowerCase();

const shouldKeep = (value: string): boolean => value.length <= MAX_TEXT && !statesUnknown(value);
