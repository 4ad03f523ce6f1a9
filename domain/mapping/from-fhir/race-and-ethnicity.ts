import { ETHNICITIES, OTHER_ASIAN, RACES, type RaceAbsentReason } from '../../course/codes.ts';
import type { Mother } from '../../course/course.ts';
import { MAX_TEXT } from '../../course/limits.ts';
import { findRaceAbsentReason, pickRaceAbsentReason } from '../../course/race-absent-reason.ts';
import {
  CDC_RACE_AND_ETHNICITY,
  type Coding,
  isOfOtherSystem,
  statesUnknown,
} from '../../fhir/coded-values.ts';
import { findExtension, isAbsent, listExtensions, readRecorded } from '../../fhir/extensions.ts';
import { asObjects, asText, firstMatch, type JsonObject } from '../../fhir/json.ts';
import { collectStatedValues, listStatedWords, statesNothing } from '../../fhir/stated-values.ts';

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
  const stated = listExtensions(patient, RACE_EXTENSION).map(readStatedRaces);
  const race = stated.flatMap((one) => one.race).slice(0, MAX_RACES);
  return {
    race,
    race_absent_reason:
      race.length > 0 ? null : pickRaceAbsentReason(stated.map(({ reason }) => reason)),
    ethnicity:
      listExtensions(patient, ETHNICITY_EXTENSION).flatMap((one) =>
        readStatedAnswers(one, shouldKeep),
      )[0] ?? null,
  };
};

/** Answers that a Patient states, but the registry cannot hold, such as a race beside a category. */
export const listUnreadAnswers = (patient: JsonObject): readonly ('race' | 'ethnicity')[] => [
  ...(listExtensions(patient, RACE_EXTENSION).some(hasUnreadRace) ? (['race'] as const) : []),
  ...(listExtensions(patient, ETHNICITY_EXTENSION).some(hasUnreadEthnicity)
    ? (['ethnicity'] as const)
    : []),
];

const hasUnreadRace = (extension: JsonObject): boolean => {
  if (readRecorded(extension).length > 0) return false;
  const { race, reason } = readStatedRaces(extension);
  if (race.length === 0) return reason === null && statesAnswer(extension);
  const [categories = [], details = []] = CODED_PARTS.map((url) => listCodes(extension, url));
  return categories.length > 0 && details.some((code) => !RACES.has(code) && shouldKeep(code));
};

const hasUnreadEthnicity = (extension: JsonObject): boolean =>
  readStatedAnswers(extension, shouldKeep).length === 0 && statesAnswer(extension);

/** False if it is empty, or says that the answer is unknown. */
const statesAnswer = (extension: JsonObject): boolean => {
  const parts = asObjects(extension['extension']);
  const stated = [extension, ...parts].map(collectStatedValues);
  const words = stated.flatMap(listStatedWords);
  return (
    !stated.every(statesNothing) &&
    ![extension, ...parts].some(isAbsent) &&
    !stated.some((one) => one.isAbsent) &&
    !words.some(statesUnknown)
  );
};

const listCodes = (extension: JsonObject, url: string): readonly string[] =>
  listCodings(extension, url).flatMap(({ code }) => code ?? []);

export const listOfOtherSystem = (patient: JsonObject): readonly (keyof RaceAndEthnicity)[] => {
  const isStrange = (name: string, known: ReadonlyMap<string, string>): boolean => {
    const codings = listExtensions(patient, name).flatMap((one) =>
      CODED_PARTS.flatMap((url) => listCodings(one, url)),
    );
    return isOfOtherSystem(codings, CDC_RACE_AND_ETHNICITY, (code) => known.has(code));
  };
  return [
    ...(isStrange(RACE_EXTENSION, RACES) ? (['race'] as const) : []),
    ...(isStrange(ETHNICITY_EXTENSION, ETHNICITIES) ? (['ethnicity'] as const) : []),
  ];
};

/** True if a Patient contains the recorded races, which the worksheet cannot express. */
export const isRaceAsRecorded = (patient: JsonObject): boolean =>
  listExtensions(patient, RACE_EXTENSION).some((extension) => readRecorded(extension).length > 0);

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
  const parts = CODED_PARTS.flatMap((url) => listParts(extension, url));
  const codings = parts.flatMap((part) => asObjects(part['valueCoding']));
  for (const element of [extension, ...codings]) reasons.push(readAbsentReason(element));
  return { race: readStatedAnswers(extension, isRace), reason: pickRaceAbsentReason(reasons) };
};

const readAbsentReason = (element: JsonObject): RaceAbsentReason | null =>
  findRaceAbsentReason(asText(findExtension(element, 'data-absent-reason')?.['valueCode'])) ??
  findRaceAbsentReason(asText(element['display']));

const CATEGORY = 'ombCategory';
const CODED_PARTS = [CATEGORY, 'detailed'] as const;

/** The extension itself is a category if it has a value, as before US Core. */
const listParts = (extension: JsonObject, url: string): readonly JsonObject[] => [
  ...asObjects(extension['extension']).filter((part) => asText(part['url']) === url),
  ...(url === CATEGORY ? [extension] : []),
];

const listCodings = (extension: JsonObject, url: string): readonly Coding[] =>
  listParts(extension, url).flatMap((part) => collectStatedValues(part).codings);

/** Its text, else words in place of a code. */
const findWords = (extension: JsonObject): string | null =>
  firstMatch(['text', ...CODED_PARTS], (url) =>
    firstMatch(listParts(extension, url), (part) => {
      const { texts, conceptTexts } = collectStatedValues(part);
      return texts[0] ?? conceptTexts[0] ?? null;
    }),
  );

const readStatedAnswers = (
  extension: JsonObject,
  isAnswer: (value: string, display: string | null) => boolean,
): readonly string[] => {
  const recorded = readRecorded(extension).filter(shouldKeep);
  if (recorded.length > 0) return recorded;
  const [categories = [], details = []] = CODED_PARTS.map((url) =>
    listCodings(extension, url).flatMap(({ code, display }) =>
      code !== null && isAnswer(code, display) ? [code] : [],
    ),
  );
  const text = findWords(extension);
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
