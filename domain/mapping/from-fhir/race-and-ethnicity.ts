import {
  ETHNICITIES,
  HISPANIC,
  NOT_HISPANIC,
  OTHER_ASIAN,
  OTHER_HISPANIC,
  RACES,
  type RaceAbsentReason,
} from '../../course/codes.ts';
import {
  CDC_HISPANIC_ORIGINS,
  findOriginInWords,
  findOriginOfCode,
  type HispanicOrigin,
  isGeneralEthnicity,
} from '../../course/hispanic-origins.ts';
import { MAX_TEXT, MAX_WRITE_INS } from '../../course/limits.ts';
import {
  completeOrigins,
  mapWriteIns,
  type Origins,
  WRITE_INS,
  type WriteIn,
} from '../../course/origins.ts';
import { findRaceAbsentReason, pickRaceAbsentReason } from '../../course/race-absent-reason.ts';
import { parseSearchWords } from '../../course/search-words.ts';
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

/**
 * Recorded values, else categories with the known races of their detail, else detail, else text. A
 * refusal is no race. Names of other races, and of Hispanic origins, are those of the detail, else of the
 * text.
 */
export const readRaceAndEthnicity = (patient: JsonObject): Origins => {
  const stated = listExtensions(patient, RACE_EXTENSION).map(readStatedRaces);
  const race = stated.flatMap((one) => one.race).slice(0, MAX_RACES);
  const names = stated.flatMap((one) => one.names);
  return completeOrigins({
    race,
    race_absent_reason:
      race.length + names.length > 0 ? null : pickRaceAbsentReason(stated.map((one) => one.reason)),
    ...mapWriteIns(({ field }) =>
      names.flatMap((one) => (one.field === field ? [one.name] : [])).slice(0, MAX_WRITE_INS),
    ),
    ...readEthnicity(patient),
  });
};

type Ethnicity = Pick<
  Origins,
  'ethnicity' | 'ethnicity_absent_reason' | 'hispanic_origins' | 'other_hispanic_origin'
>;

const readEthnicity = (patient: JsonObject): Ethnicity => {
  const stated = listExtensions(patient, ETHNICITY_EXTENSION).map(readStatedEthnicity);
  const {
    ethnicity = null,
    origins = [],
    reason = pickRaceAbsentReason(stated.map((one) => one.reason)),
  } = stated.find(isAnswered) ?? {};
  return {
    ethnicity,
    ethnicity_absent_reason: reason,
    hispanic_origins: [...new Set(origins.map(({ code }) => code))],
    other_hispanic_origin: joinNames(origins) || null,
  };
};

const joinNames = (origins: readonly HispanicOrigin[]): string =>
  [...new Set(origins.flatMap(({ name }) => name ?? []))].join(', ');

/** Answers that a Patient states, but the registry cannot hold, such as a race beside a category. */
export const listUnreadAnswers = (patient: JsonObject): readonly ('race' | 'ethnicity')[] => [
  ...(listExtensions(patient, RACE_EXTENSION).some((one) => readStatedRaces(one).isUnread)
    ? (['race'] as const)
    : []),
  ...(listExtensions(patient, ETHNICITY_EXTENSION).some((one) => readStatedEthnicity(one).isUnread)
    ? (['ethnicity'] as const)
    : []),
];

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

export const listOfOtherSystem = (patient: JsonObject): readonly ('race' | 'ethnicity')[] => {
  const isStrange = (name: string, isKnown: (code: string) => boolean): boolean => {
    const codings = listExtensions(patient, name).flatMap((one) =>
      CODED_PARTS.flatMap((url) => listCodings(one, url)),
    );
    return isOfOtherSystem(codings, CDC_RACE_AND_ETHNICITY, isKnown);
  };
  return [
    ...(isStrange(RACE_EXTENSION, (code) => RACES.has(code)) ? (['race'] as const) : []),
    ...(isStrange(ETHNICITY_EXTENSION, isEthnicity) ? (['ethnicity'] as const) : []),
  ];
};

const isEthnicity = (code: string): boolean =>
  ETHNICITIES.has(code) || CDC_HISPANIC_ORIGINS.has(code);

/** True if a Patient contains the recorded races, which the worksheet cannot express. */
export const isRaceAsRecorded = (patient: JsonObject): boolean =>
  isRecorded(patient, RACE_EXTENSION);

export const isEthnicityAsRecorded = (patient: JsonObject): boolean =>
  isRecorded(patient, ETHNICITY_EXTENSION);

const isRecorded = (patient: JsonObject, name: string): boolean =>
  listExtensions(patient, name).some((extension) => readRecorded(extension).length > 0);

interface NamedRace {
  readonly field: WriteIn;
  readonly name: string;
}

interface StatedRaces {
  readonly race: readonly string[];
  readonly names: readonly NamedRace[];
  readonly reason: RaceAbsentReason | null;
  readonly isUnread: boolean;
}

const readStatedRaces = (extension: JsonObject): StatedRaces => {
  const recorded = readRecorded(extension).filter(shouldKeep);
  if (recorded.length > 0) return { race: recorded, names: [], reason: null, isUnread: false };
  const reasons = listAbsentReasons(extension);
  const isRace = (value: string, display: string | null): boolean =>
    isAnswer(value, display, RACES, reasons) && findNamedRace(value, display) === null;
  const [categories = [], details = []] = CODED_PARTS.map((url) => listCodings(extension, url));
  const ofCodes = [...categories, ...details].flatMap(
    ({ code, display }) => findNamedRace(code, display) ?? [],
  );
  const race = readStatedAnswers(extension, isRace, ofCodes.length === 0);
  const isInWords = ofCodes.length === 0 && categories.some(({ code }) => code !== null);
  const names = isInWords ? listNamesInWords(extension, [...categories, ...details]) : ofCodes;
  const isNamed = (code: string) => names.some(({ field }) => field === findWriteIn(code));
  const isUnreadDetail = ({ code, display }: Coding): boolean =>
    code !== null && !RACES.has(code) && isRace(code, display) && !isNamed(code);
  const reason = pickRaceAbsentReason(reasons);
  return {
    race,
    names,
    reason,
    isUnread:
      race.length + names.length === 0
        ? reason === null && statesAnswer(extension)
        : hasTooMany(ofCodes) ||
          (categories.some(({ code }) => code !== null) && details.some(isUnreadDetail)),
  };
};

const hasTooMany = (names: readonly NamedRace[]): boolean =>
  WRITE_INS.some((one) => names.filter(({ field }) => field === one.field).length > MAX_WRITE_INS);

/** First and last number of CDC's codes below each category. */
const DETAILS: readonly (readonly [WriteIn, first: number, last: number])[] = [
  ['tribes', 1004, 2027],
  ['other_asian_races', 2029, 2053],
  ['other_pacific_races', 2078, 2105],
];
const CDC_CODE = /^(\d{4})-\d$/;

const findWriteIn = (code: string): WriteIn | null => {
  const number = Number(CDC_CODE.exec(code)?.[1] ?? Number.NaN);
  return DETAILS.find(([, first, last]) => first <= number && number <= last)?.[0] ?? null;
};

/** A race of CDC that the certificate has a line for; its name is the display. */
const findNamedRace = (code: string | null, display: string | null): NamedRace | null => {
  const field = code === null || RACES.has(code) ? null : findWriteIn(code);
  return field === null || display === null || !isName(display) ? null : { field, name: display };
};

const isName = (text: string): boolean =>
  text !== '' && shouldKeep(text) && findRaceAbsentReason(text) === null;

const BETWEEN_NAMES = /[,;/|\n]/;

/** Words about categories, which name no race. */
const GENERAL: ReadonlySet<string> = new Set(
  (
    'american indian alaska alaskan native asian pacific islander hawaiian black african white ' +
    'caucasian other some race races or and of the mixed multiple multiracial biracial two more than ' +
    'one not non hispanic latino latina'
  ).split(' '),
);

const RACE_NAMES: ReadonlySet<string> = new Set(
  [...RACES.values()].map((name) => name.toLowerCase()),
);

/** Names in the text, if only one of the answers has lines for them. */
const listNamesInWords = (
  extension: JsonObject,
  codings: readonly Coding[],
): readonly NamedRace[] => {
  const [one, other] = WRITE_INS.filter(({ category, answer }) =>
    codings.some(({ code }) => code === category || code === answer),
  );
  if (one === undefined || other !== undefined) return [];
  const names = (findWords(extension) ?? '')
    .split(BETWEEN_NAMES)
    .map((part) => part.trim())
    .filter(
      (part) =>
        isName(part) &&
        !RACE_NAMES.has(part.toLowerCase()) &&
        !parseSearchWords(part).every((word) => GENERAL.has(word)),
    );
  // More than there are lines for may be one name with commas.
  const lines = names.length > MAX_WRITE_INS ? [names.join(', ')] : names;
  return lines.map((name) => ({ field: one.field, name }));
};

interface StatedEthnicity {
  readonly ethnicity: string | null;
  readonly origins: readonly HispanicOrigin[];
  readonly reason: RaceAbsentReason | null;
  readonly isUnread: boolean;
}

const isAnswered = ({ ethnicity, origins }: StatedEthnicity): boolean =>
  ethnicity !== null || origins.length > 0;

const readStatedEthnicity = (extension: JsonObject): StatedEthnicity => {
  const reasons = listAbsentReasons(extension);
  const [recorded] = readRecorded(extension).filter(shouldKeep);
  if (recorded !== undefined)
    return {
      ethnicity: recorded,
      origins: [],
      reason: pickRaceAbsentReason(reasons),
      isUnread: false,
    };
  const codings = CODED_PARTS.flatMap((url) => listCodings(extension, url)).flatMap(
    ({ code, display }) =>
      code !== null && isAnswer(code, display, ETHNICITIES, reasons) ? [{ code, display }] : [],
  );
  const states = (category: string) => codings.some(({ code }) => code === category);
  const isHispanic = states(HISPANIC);
  const ofCodes = codings.map(({ code, display }) =>
    ETHNICITIES.has(code)
      ? null
      : (findOriginOfCode(code) ?? (display === null ? null : findOrigin(display, isHispanic))),
  );
  const stray = codings.filter(({ code }, at) => !ETHNICITIES.has(code) && ofCodes[at] === null);
  const text = findWords(extension);
  const known = ofCodes.filter((one) => one !== null);
  // Beside a code, the text usually repeats it in other words.
  const isOpen = isHispanic && (known.length === 0 || stray.length > 0);
  const inWords = states(NOT_HISPANIC) ? [] : listOriginsInWords(text ?? '', isOpen);
  const origins = [...known, ...inWords];
  const category = codings.find(({ code }) => ETHNICITIES.has(code)) ?? null;
  const isText = text !== null && isAnswer(text, null, ETHNICITIES, reasons);
  const ethnicity =
    category?.code ?? (origins.length > 0 ? HISPANIC : (stray[0]?.code ?? (isText ? text : null)));
  const reason = pickRaceAbsentReason(reasons);
  return {
    ethnicity,
    origins,
    reason: ethnicity === null ? reason : null,
    isUnread:
      ethnicity === null
        ? reason === null && statesAnswer(extension)
        : inWords.length === 0 && stray.some(({ code }) => code !== ethnicity),
  };
};

const findOrigin = (text: string, isHispanic: boolean): HispanicOrigin | null =>
  findOriginInWords(text) ??
  (isHispanic && isName(text) && !isGeneralEthnicity(text)
    ? { code: OTHER_HISPANIC, name: text }
    : null);

/** Without the category, only words that are known are a Hispanic origin. */
const listOriginsInWords = (text: string, isHispanic: boolean): readonly HispanicOrigin[] =>
  text.split(BETWEEN_NAMES).flatMap((part) => findOrigin(part.trim(), isHispanic) ?? []);

/** Adds the reason that a value states, if any. */
const isAnswer = (
  value: string,
  display: string | null,
  table: ReadonlyMap<string, string>,
  reasons: (RaceAbsentReason | null)[],
): boolean => {
  if (table.has(value)) return true;
  const reason = findRaceAbsentReason(value) ?? findRaceAbsentReason(display);
  reasons.push(reason);
  return reason === null && shouldKeep(value);
};

/** Reasons beside the values. */
const listAbsentReasons = (extension: JsonObject): (RaceAbsentReason | null)[] => {
  const parts = CODED_PARTS.flatMap((url) => listParts(extension, url));
  const codings = parts.flatMap((part) => asObjects(part['valueCoding']));
  return [extension, ...codings].map(readAbsentReason);
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
  isRace: (value: string, display: string | null) => boolean,
  mayBeText: boolean,
): readonly string[] => {
  const [categories = [], details = []] = CODED_PARTS.map((url) =>
    listCodings(extension, url).flatMap(({ code, display }) =>
      code !== null && isRace(code, display) ? [code] : [],
    ),
  );
  const text = findWords(extension);
  // The only race that has words but no code of CDC.
  const inWords = isOtherAsian(text) ? [OTHER_ASIAN] : [];
  if (categories.length > 0)
    return [...new Set([...categories, ...details.filter((code) => RACES.has(code)), ...inWords])];
  if (details.length > 0) return [...new Set([...details, ...inWords])];
  if (inWords.length > 0) return inWords;
  return mayBeText && text !== null && isRace(text, null) ? [text] : [];
};

const isOtherAsian = (text: string | null): boolean =>
  text?.trim().toLowerCase() === RACES.get(OTHER_ASIAN)?.toLowerCase();

const shouldKeep = (value: string): boolean => value.length <= MAX_TEXT && !statesUnknown(value);
