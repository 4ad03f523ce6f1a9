import { ETHNICITIES, OTHER_ASIAN, RACES, type RaceAbsentReason } from '../../course/codes.ts';
import { CDC_RACE_AND_ETHNICITY, type CodeTable } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';
import {
  HISPANIC,
  HISPANIC_QUESTIONS,
  NOT_HISPANIC,
  RACE_ABSENT_ANSWER,
  RACE_ANSWERS,
  RACE_OBSERVATION_CODE,
  RACE_OBSERVATION_SYSTEM,
  readRaceObservation,
} from '../../mapping/bfdr/race-observation.ts';
import {
  type RaceAndEthnicity,
  readRaceAndEthnicity,
} from '../../mapping/from-fhir/race-and-ethnicity.ts';
import { listRaceAnswers } from '../race-answers.ts';
import {
  addExtension,
  buildCoding,
  buildConcept,
  markRecorded,
  NO,
  NULL_FLAVOR,
  TERMINOLOGY,
  UNKNOWN,
  US_CORE,
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

export const buildRaceExtensions = (mother: RaceAndEthnicity): readonly JsonObject[] => {
  const { race, ethnicity } = mother;
  const extension = race.length === 0 ? [] : [buildRaceExtension(race, [])];
  const isReadTheSame = race.join('\n') === readRace(mother, extension).join('\n');
  return [
    ...(isReadTheSame ? extension : [buildRaceExtension(race, race)]),
    ...(ethnicity === null
      ? []
      : [buildUsCoreExtension('us-core-ethnicity', [ethnicity], ETHNICITIES, ETHNICITIES, [])]),
  ];
};

// Some races have no worksheet answer, and the reader lists the categories of an extension first.
const readRace = (
  mother: RaceAndEthnicity,
  extension: readonly JsonObject[],
): readonly string[] => {
  const observedRace = readRaceObservation(buildRaceObservation(mother) ?? {}).race;
  return observedRace.length > 0 ? observedRace : readRaceAndEthnicity({ extension }).race;
};

/** @param recorded races in stored order; empty if the reader can reconstruct them from the extension */
const buildRaceExtension = (race: readonly string[], recorded: readonly string[]): JsonObject => {
  const categories = listCdcCodes(race)
    .filter((code) => CATEGORIES.has(code))
    .slice(0, MAX_CATEGORIES);
  return buildUsCoreExtension('us-core-race', race, RACES, new Set(categories), recorded);
};

const listCdcCodes = (values: readonly string[]): readonly string[] => [
  ...new Set(values.map((value) => (value === OTHER_ASIAN ? ASIAN : value))),
];

const buildUsCoreExtension = (
  name: string,
  values: readonly string[],
  table: CodeTable,
  categories: { has(value: string): boolean },
  recorded: readonly string[],
): JsonObject => {
  const part = (url: string) => (value: string) => ({
    url,
    valueCoding: buildCoding(CDC_RACE_AND_ETHNICITY, value, table.get(value)),
  });
  const distinct = listCdcCodes(values);
  const isDetail = (value: string) =>
    CDC_CODE.test(value) && !categories.has(value) && !CATEGORIES.has(value);
  return addExtension(`${US_CORE}/${name}`, [
    ...distinct.filter((value) => categories.has(value)).map(part('ombCategory')),
    ...distinct.filter(isDetail).map(part('detailed')),
    { url: 'text', valueString: values.map((value) => table.get(value) ?? value).join(', ') },
    ...recorded.map(markRecorded),
  ]);
};

// If an answer has two spellings, the guide's comes first in the table.
const ANSWER_OF: ReadonlyMap<string, string> = new Map(
  [...RACE_ANSWERS].reverse().map(([answer, code]) => [code, answer]),
);

const buildRaceComponents = (race: readonly string[]): readonly JsonObject[] => {
  const answers = listRaceAnswers(race);
  const yes = new Set(answers.flatMap(({ code }) => ANSWER_OF.get(code) ?? []));
  const texts = answers.flatMap(({ text }) => text ?? []).slice(0, PLACES.length);
  const others = [...new Set(ANSWER_OF.values())].filter((one) => !yes.has(one));
  return [
    // Order matters: the reader restores the races in this order.
    ...[...yes].map((answer) => buildComponent(answer, { valueBoolean: true })),
    ...texts.map((text, at) =>
      buildComponent(`${PLACES[at]}OtherRaceLiteral`, { valueString: text }),
    ),
    ...(race.length === 0 ? [] : others).map((answer) =>
      buildComponent(answer, { valueBoolean: false }),
    ),
  ];
};

/** The worksheet has two texts for other races. */
const PLACES = ['First', 'Second'] as const;

const OTHER_ORIGIN = 'HispanicOther';

// The record has no specific Hispanic origin, so the last answer contains the general term as text.
const buildEthnicityComponents = (ethnicity: string | null): readonly JsonObject[] => {
  const answers = (answer: (question: string) => JsonObject): readonly JsonObject[] =>
    HISPANIC_QUESTIONS.map((question) =>
      buildComponent(question, { valueCodeableConcept: answer(question) }),
    );
  if (ethnicity === NOT_HISPANIC) return answers(() => NO);
  if (ethnicity !== HISPANIC) return [];
  return [
    ...answers((question) => (question === OTHER_ORIGIN ? YES : UNKNOWN)),
    buildComponent('HispanicLiteral', { valueString: ETHNICITIES.get(HISPANIC) }),
  ];
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
export const buildRaceObservation = ({
  race,
  race_absent_reason: reason,
  ethnicity,
}: RaceAndEthnicity): JsonObject | null => {
  const answers = [
    ...buildRaceComponents(race),
    ...(reason === null
      ? []
      : [buildComponent(RACE_ABSENT_ANSWER, { valueCodeableConcept: ABSENT_REASONS[reason] })]),
    ...buildEthnicityComponents(ethnicity),
  ];
  return answers.length === 0
    ? null
    : { code: buildConcept(RACE_OBSERVATION_SYSTEM, RACE_OBSERVATION_CODE), component: answers };
};
