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
import { asObjects, asText, firstMatch, type JsonObject } from '../../fhir/json.ts';
import { collectStatedValues } from '../../fhir/stated-values.ts';

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

/** Names of what a Patient states in a form, or with a detail, that the registry cannot hold. */
export const listUnread = (patient: JsonObject): readonly ('race' | 'ethnicity')[] => [
  ...(withName(patient, RACE_EXTENSION).some(hasUnreadRace) ? (['race'] as const) : []),
  ...(withName(patient, ETHNICITY_EXTENSION).some(
    (one) => readStatedAnswers(one, shouldKeep).length === 0 && statesAnything(one),
  )
    ? (['ethnicity'] as const)
    : []),
];

const hasUnreadRace = (extension: JsonObject): boolean => {
  if (readRecorded(extension).length > 0) return false;
  const { race, reason } = readStatedRaces(extension);
  if (race.length === 0) return reason === null && statesAnything(extension);
  const [categories = [], details = []] = CODING_PARTS.map((url) => listCodes(extension, url));
  return categories.length > 0 && details.some((code) => !RACES.has(code) && shouldKeep(code));
};

const statesAnything = (extension: JsonObject): boolean =>
  [extension, ...asObjects(extension['extension'])]
    .map(collectStatedValues)
    .some(
      ({ codings, conceptTexts, texts, numbers, booleans, isAbsent: saysAbsent }) =>
        !saysAbsent &&
        (numbers.length + booleans.length > 0 ||
          [
            ...codings.flatMap(({ code, display }) => code ?? display ?? []),
            ...conceptTexts,
            ...texts,
          ].some((words) => !statesUnknown(words))),
    );

const listCodes = (extension: JsonObject, url: string): readonly string[] =>
  listCodings(extension, url).flatMap((coding) => readCoding(coding).code ?? []);

export const listOfOtherSystem = (patient: JsonObject): readonly (keyof RaceAndEthnicity)[] => {
  const isStrange = (extension: string, known: ReadonlyMap<string, string>): boolean => {
    const codings = withName(patient, extension)
      .flatMap((one) => listCodings(one, ...CODING_PARTS))
      .map(readCoding);
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

/** Earlier versions of US Core have a concept, and no parts: it is the category. */
const listCodings = (extension: JsonObject, ...urls: readonly string[]): readonly JsonObject[] =>
  [
    ...(urls.includes(CODING_PARTS[0]) ? [extension] : []),
    ...asObjects(extension['extension']).filter((part) => urls.includes(asText(part['url']) ?? '')),
  ].flatMap(({ valueCoding, valueCodeableConcept, valueCode }) => [
    ...asObjects(valueCoding),
    ...asObjects(valueCodeableConcept).flatMap((concept) => asObjects(concept['coding'])),
    ...(typeof valueCode === 'string' ? [{ code: valueCode }] : []),
  ]);

/** Its text, else words in the place of codes. */
const findText = (extension: JsonObject): string | null => {
  const parts = asObjects(extension['extension']);
  const stated = [extension, ...parts.filter(({ url }) => CODING_PARTS.some((one) => one === url))];
  return firstMatch(
    [
      ...parts.filter(({ url }) => url === 'text').map((part) => part['valueString']),
      ...stated.flatMap((one) => [
        one['valueString'],
        ...asObjects(one['valueCodeableConcept']).map((concept) => concept['text']),
      ]),
      ...listCodings(extension, ...CODING_PARTS).flatMap(({ code, display }) =>
        asText(code) === null ? [display] : [],
      ),
    ],
    asText,
  );
};

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
  const text = findText(extension);
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
