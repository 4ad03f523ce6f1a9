import { ETHNICITIES, PACIFIC_ISLANDER, PACIFIC_ISLANDERS, RACES } from '../../course/codes.ts';
import type { Mother } from '../../course/course.ts';
import type { CodeTable } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';
import {
  HISPANIC,
  HISPANIC_QUESTIONS,
  NOT_HISPANIC,
  RACE_ANSWERS,
  RACE_OBSERVATION_CODE,
  RACE_OBSERVATION_SYSTEM,
  readRaceObservation,
} from '../../intake/bfdr/race-observation.ts';
import { readRaceAndEthnicity } from '../../intake/from-fhir/race-and-ethnicity.ts';
import {
  addExtension,
  buildCoding,
  buildConcept,
  markRecorded,
  NO,
  NULL_FLAVOR,
  US_CORE,
  YES,
} from './elements.ts';

const RACE_CODES = 'urn:oid:2.16.840.1.113883.6.238';

type Stated = Pick<Mother, 'race' | 'ethnicity'>;

/** The OMB categories among the races; the others are their detail. @see US Core OMB Race Categories */
const CATEGORIES: ReadonlySet<string> = new Set([
  '1002-5',
  '2028-9',
  '2054-5',
  '2076-8',
  '2106-3',
  '2131-1',
]);

/** US Core has room for so many categories. */
const MAX_CATEGORIES = 5;

const CDC_CODE = /^\d{4}-\d$/;

/** Race and ethnicity as extensions of US Core, one of each. */
export const buildRaceExtensions = (mother: Stated): readonly JsonObject[] => {
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

// The worksheet has no answer for some races, and of an extension the categories alone count.
const readRace = (mother: Stated, extension: readonly JsonObject[]): readonly string[] => {
  const answered = readRaceObservation(buildRaceObservation(mother) ?? {}).race;
  return answered.length > 0 ? answered : readRaceAndEthnicity({ extension }).race;
};

/** @param recorded the races in their order, where the reader could not tell them */
const buildRaceExtension = (race: readonly string[], recorded: readonly string[]): JsonObject => {
  const categories = race.filter((value) => CATEGORIES.has(value)).slice(0, MAX_CATEGORIES);
  return buildUsCoreExtension('us-core-race', race, RACES, new Set(categories), recorded);
};

const buildUsCoreExtension = (
  name: string,
  values: readonly string[],
  table: CodeTable,
  categories: { has(value: string): boolean },
  recorded: readonly string[],
): JsonObject => {
  const part = (url: string) => (value: string) => ({
    url,
    valueCoding: buildCoding(RACE_CODES, value, table.get(value)),
  });
  const distinct = [...new Set(values)];
  const isDetail = (value: string) =>
    CDC_CODE.test(value) && !categories.has(value) && !CATEGORIES.has(value);
  return addExtension(`${US_CORE}/${name}`, [
    ...distinct.filter((value) => categories.has(value)).map(part('ombCategory')),
    ...distinct.filter(isDetail).map(part('detailed')),
    { url: 'text', valueString: values.map((value) => table.get(value) ?? value).join(', ') },
    ...recorded.map(markRecorded),
  ]);
};

// Two spellings of one answer: the first of the table is that of the guide.
const ANSWER_OF: ReadonlyMap<string, string> = new Map(
  [...RACE_ANSWERS].reverse().map(([answer, code]) => [code, answer]),
);

/** One thing that the worksheet says: an answer, perhaps with words for what has no answer of its own. */
interface Answer {
  readonly answer: string;
  readonly words?: string;
}

/** What the worksheet says of a race; nothing where another one says it, null where it has no words for it. */
const findAnswer = (value: string, race: readonly string[]): readonly Answer[] | null => {
  const answer = ANSWER_OF.get(value);
  if (answer !== undefined) return [{ answer }];
  if (value === PACIFIC_ISLANDER)
    return PACIFIC_ISLANDERS.some((detail) => race.includes(detail))
      ? []
      : [{ answer: 'OtherPacificIslander', words: RACES.get(value) ?? value }];
  return CDC_CODE.test(value) ? null : [{ answer: 'OtherRace', words: value }];
};

const buildRaceComponents = (race: readonly string[]): readonly JsonObject[] => {
  const said = race.map((value) => findAnswer(value, race));
  const given = said.flatMap((answers) => answers ?? []);
  const yes = new Set(given.map(({ answer }) => answer));
  // In the order of the record, in which they are read.
  const answers = [...yes].map((answer) => buildComponent(answer, { valueBoolean: true }));
  const literals = [...yes].flatMap((answer) =>
    given
      .flatMap((one) => (one.answer === answer ? (one.words ?? []) : []))
      .slice(0, PLACES.length)
      .map((words, at) => buildComponent(`${PLACES[at]}${answer}Literal`, { valueString: words })),
  );
  // A race that the worksheet does not know may be any of the others.
  const isWhole = race.length > 0 && said.every((one) => one !== null);
  const others = isWhole ? [...new Set(ANSWER_OF.values())].filter((one) => !yes.has(one)) : [];
  return [
    ...answers,
    ...literals,
    ...others.map((answer) => buildComponent(answer, { valueBoolean: false })),
  ];
};

/** The worksheet has room for two texts beside an answer. */
const PLACES = ['First', 'Second'] as const;

const OTHER_ORIGIN = 'HispanicOther';

// Of which origin a mother is who is Hispanic is not kept: the words say so beside the last answer.
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

const UNKNOWN = buildConcept(NULL_FLAVOR, 'UNK', 'unknown');

const buildComponent = (answer: string, value: JsonObject): JsonObject => ({
  code: buildConcept(RACE_COMPONENT_SYSTEM, answer),
  ...value,
});

const RACE_COMPONENT_SYSTEM =
  'http://hl7.org/fhir/us/vr-common-library/CodeSystem/codesystem-vr-component';

/**
 * The worksheet of the birth certificate, answer by answer: the guide's own Observation. Null where
 * neither race nor ethnicity is known.
 */
export const buildRaceObservation = ({ race, ethnicity }: Stated): JsonObject | null => {
  const answers = [...buildRaceComponents(race), ...buildEthnicityComponents(ethnicity)];
  return answers.length === 0
    ? null
    : { code: buildConcept(RACE_OBSERVATION_SYSTEM, RACE_OBSERVATION_CODE), component: answers };
};
