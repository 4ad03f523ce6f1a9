import {
  ETHNICITIES,
  HISPANIC,
  NOT_HISPANIC,
  OTHER_ASIAN,
  OTHER_HISPANIC,
  RACES,
  type RaceAbsentReason,
} from '../../course/codes.ts';
import { CDC_HISPANIC_ORIGINS, isGeneralEthnicity } from '../../course/hispanic-origins.ts';
import {
  listOtherRaces,
  mapWriteIns,
  type Origins,
  WRITE_INS,
  type WriteIn,
} from '../../course/origins.ts';
import { listRaceAnswers } from '../../course/race-answers.ts';
import { CDC_RACE_AND_ETHNICITY, type CodeTable, statesUnknown } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';
import {
  ANY_ORIGIN,
  HISPANIC_QUESTIONS,
  HISPANIC_TEXT,
  mergeOrigins,
  PLACES,
  RACE_ABSENT_ANSWER,
  RACE_ANSWERS,
  RACE_OBSERVATION_CODE,
  RACE_OBSERVATION_SYSTEM,
  readRaceObservation,
  WRITE_IN_ANSWERS,
} from '../../mapping/bfdr/race-observation.ts';
import { readRaceAndEthnicity } from '../../mapping/from-fhir/race-and-ethnicity.ts';
import {
  addExtension,
  buildAbsent,
  buildCoding,
  buildConcept,
  markRecorded,
  NO,
  NULL_FLAVOR,
  TERMINOLOGY,
  UNKNOWN,
  US_CORE,
  VERBATIM_MARK,
  YES,
} from './elements.ts';

/** Other races are details of these categories. @see US Core OMB Race Categories */
const CATEGORIES: ReadonlySet<string> = new Set([
  '1002-5',
  '2028-9',
  '2054-5',
  '2076-8',
  '2106-3',
  '2131-1',
]);

const ASIAN = '2028-9';

const MAX_CATEGORIES = 5;

const CDC_CODE = /^\d{4}-\d$/;

export const buildRaceExtensions = (mother: Origins): readonly JsonObject[] => {
  const race = buildRaceExtension(mother, []);
  const ethnicity = buildEthnicityExtension(mother, []);
  const patient = { extension: [...race, ...ethnicity] };
  const back = mergeOrigins(
    readRaceAndEthnicity(patient),
    readRaceObservation(buildRaceObservation(mother) ?? {}),
    [patient],
  );
  return [
    ...(isSame(RACE_FIELDS, mother, back) ? race : buildRaceExtension(mother, mother.race)),
    ...(isSame(ETHNICITY_FIELDS, mother, back) || mother.ethnicity === null
      ? ethnicity
      : buildEthnicityExtension(mother, [mother.ethnicity])),
  ];
};

const RACE_FIELDS: readonly (keyof Origins)[] = ['race', ...WRITE_INS.map(({ field }) => field)];
const ETHNICITY_FIELDS: readonly (keyof Origins)[] = [
  ...(['ethnicity', 'ethnicity_absent_reason', 'hispanic_origins'] as const),
  'other_hispanic_origin',
];

// Some races have no worksheet answer, and the reader lists the categories of an extension first.
const isSame = (fields: readonly (keyof Origins)[], one: Origins, other: Origins): boolean =>
  fields.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]));

/** @param recorded races in stored order; empty if the reader can reconstruct them from the extension */
const buildRaceExtension = (
  mother: Origins,
  recorded: readonly string[],
): readonly JsonObject[] => {
  const { race } = mother;
  if (race.length === 0) return [];
  const categories = new Set(
    listCdcCodes(race)
      .filter((code) => CATEGORIES.has(code))
      .slice(0, MAX_CATEGORIES),
  );
  return [
    addExtension(`${US_CORE}/us-core-race`, [
      ...buildCodedParts(listCdcCodes(race), RACES, categories),
      buildText([
        ...race.map((one) => RACES.get(one) ?? one),
        ...WRITE_INS.flatMap(({ field }) => mother[field]),
      ]),
      ...recorded.map(markRecorded),
    ]),
  ];
};

/** @param recorded stored ethnicity; empty if the reader can reconstruct it */
const buildEthnicityExtension = (
  mother: Origins,
  recorded: readonly string[],
): readonly JsonObject[] => {
  const { ethnicity, ethnicity_absent_reason: reason, hispanic_origins: origins } = mother;
  if (ethnicity === null && reason === null) return [];
  // A specific origin counts if it contradicts.
  const codes = [...(origins.length > 0 ? [HISPANIC] : toValues(ethnicity)), ...origins];
  const names = origins.map((code) =>
    code === OTHER_HISPANIC
      ? (mother.other_hispanic_origin ?? `Other ${ANY_ORIGIN}`)
      : (CDC_HISPANIC_ORIGINS.get(code) ?? code),
  );
  const general = codes.map((code) => ETHNICITIES.get(code) ?? code).slice(0, 1);
  return [
    addExtension(`${US_CORE}/us-core-ethnicity`, [
      ...buildCodedParts(codes, CODED_ETHNICITIES, ETHNICITIES),
      buildText([names, general, toValues(reason)].find((words) => words.length > 0) ?? []),
      ...toValues(reason).map((one) => buildAbsent(ABSENT_CODES[one])),
      ...recorded.map(markRecorded),
    ]),
  ];
};

const toValues = <T>(value: T | null): readonly T[] => (value === null ? [] : [value]);

const CODED_ETHNICITIES: CodeTable = new Map([...ETHNICITIES, ...CDC_HISPANIC_ORIGINS]);

const ABSENT_CODES = {
  declined: 'asked-declined',
  'asked but unknown': 'asked-unknown',
  unknown: 'unknown',
} as const satisfies Readonly<Record<RaceAbsentReason, string>>;

const listCdcCodes = (values: readonly string[]): readonly string[] => [
  ...new Set(values.map((value) => (value === OTHER_ASIAN ? ASIAN : value))),
];

const buildCodedParts = (
  values: readonly string[],
  table: CodeTable,
  categories: { has(value: string): boolean },
): readonly JsonObject[] => {
  const part = (url: string) => (value: string) => ({
    url,
    valueCoding: buildCoding(CDC_RACE_AND_ETHNICITY, value, table.get(value)),
  });
  const isDetail = (value: string) =>
    CDC_CODE.test(value) && !categories.has(value) && !CATEGORIES.has(value);
  return [
    ...values.filter((value) => categories.has(value)).map(part('ombCategory')),
    ...values.filter(isDetail).map(part('detailed')),
  ];
};

const buildText = (words: readonly string[]): JsonObject => ({
  url: 'text',
  valueString: words.join(', '),
});

// If an answer has two spellings, the guide's comes first in the table.
const ANSWER_OF: ReadonlyMap<string, string> = new Map(
  [...RACE_ANSWERS].reverse().map(([answer, code]) => [code, answer]),
);

const buildRaceComponents = (mother: Origins): readonly JsonObject[] => {
  const { race } = mother;
  const yes = new Set(listRaceAnswers(race).flatMap(({ code }) => ANSWER_OF.get(code) ?? []));
  const others = [...new Set(ANSWER_OF.values())].filter((one) => !yes.has(one));
  const texts = {
    ...mapWriteIns(({ field }) => mother[field]),
    other_races: listOtherRaces(mother),
  };
  return [
    // Order matters: the reader restores the races in this order.
    ...[...yes].map((answer) => buildComponent(answer, { valueBoolean: true })),
    ...WRITE_INS.flatMap(({ field }) =>
      PLACES.flatMap((place, at) =>
        toValues(texts[field][at] ?? null).map((text) =>
          buildLiteral(`${place}${LITERAL_OF.get(field)}`, text, statesUnknown(text)),
        ),
      ),
    ),
    ...(race.length === 0 ? [] : others).map((answer) =>
      buildComponent(answer, { valueBoolean: false }),
    ),
  ];
};

const LITERAL_OF: ReadonlyMap<WriteIn, string> = new Map(
  [...WRITE_IN_ANSWERS].reverse().map(([answer, field]) => [field, answer]),
);

/** @param isVerbatim true if the text means something else to a reader */
const buildLiteral = (answer: string, text: string, isVerbatim: boolean): JsonObject =>
  buildComponent(answer, {
    valueString: text,
    ...(isVerbatim ? { _valueString: { extension: [VERBATIM_MARK] } } : {}),
  });

const buildEthnicityComponents = (mother: Origins): readonly JsonObject[] => {
  const { ethnicity, hispanic_origins: origins, other_hispanic_origin: text } = mother;
  const answers = (answer: (origin: string) => JsonObject): readonly JsonObject[] =>
    HISPANIC_QUESTIONS.map(([question, origin]) =>
      buildComponent(question, { valueCodeableConcept: answer(origin) }),
    );
  if (origins.length > 0)
    return [
      ...answers((origin) => (origins.includes(origin) ? YES : NO)),
      ...toValues(text).map((one) =>
        buildLiteral(HISPANIC_TEXT, one, statesUnknown(one) || isGeneralEthnicity(one)),
      ),
    ];
  if (ethnicity === NOT_HISPANIC) return answers(() => NO);
  // Without a specific origin, the last answer contains the general term as text.
  if (ethnicity === HISPANIC)
    return [
      ...answers((origin) => (origin === OTHER_HISPANIC ? YES : UNKNOWN)),
      buildComponent(HISPANIC_TEXT, { valueString: ANY_ORIGIN }),
    ];
  return ethnicity === null && mother.ethnicity_absent_reason !== null
    ? answers(() => UNKNOWN)
    : [];
};

const ABSENT_REASONS: Readonly<Record<RaceAbsentReason, JsonObject>> = {
  declined: buildConcept(`${TERMINOLOGY}/v3-ActReason`, 'PREFUS', 'patient refuse'),
  'asked but unknown': buildConcept(NULL_FLAVOR, 'ASKU', 'asked but unknown'),
  unknown: UNKNOWN,
};

const buildComponent = (answer: string, value: JsonObject): JsonObject => ({
  code: buildConcept(RACE_COMPONENT_SYSTEM, answer),
  ...value,
});

const RACE_COMPONENT_SYSTEM =
  'http://hl7.org/fhir/us/vr-common-library/CodeSystem/codesystem-vr-component';

/** `null` if neither race nor ethnicity is known, nor why. */
export const buildRaceObservation = (mother: Origins): JsonObject | null => {
  const { race_absent_reason: reason } = mother;
  const answers = [
    ...buildRaceComponents(mother),
    ...toValues(reason).map((one) =>
      buildComponent(RACE_ABSENT_ANSWER, { valueCodeableConcept: ABSENT_REASONS[one] }),
    ),
    ...buildEthnicityComponents(mother),
  ];
  return answers.length === 0
    ? null
    : { code: buildConcept(RACE_OBSERVATION_SYSTEM, RACE_OBSERVATION_CODE), component: answers };
};
