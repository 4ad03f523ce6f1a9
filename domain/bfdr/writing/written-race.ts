import type { Mother } from '../../course-of-care/canonical-record.ts';
import { ETHNICITIES, RACES } from '../../course-of-care/codes.ts';
import type { JsonObject } from '../../fhir/json.ts';
import {
  RACE_ANSWERS,
  RACE_OBSERVATION_CODE,
  RACE_OBSERVATION_SYSTEM,
} from '../race-observation.ts';
import { coding, concept, extended } from './elements.ts';

const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';
const RACE_CODES = 'urn:oid:2.16.840.1.113883.6.238';

const ASIAN = '2028-9';

/** The OMB categories among the races; the others are their detail. @see US Core OMB Race Categories */
const CATEGORIES: ReadonlySet<string> = new Set([
  '1002-5',
  ASIAN,
  '2054-5',
  '2076-8',
  '2106-3',
  '2131-1',
]);

const CDC_CODE = /^\d{4}-\d$/;

type Part = 'ombCategory' | 'detailed' | 'text';

const partFor = (value: string, categories: { has(value: string): boolean }): Part => {
  if (categories.has(value)) return 'ombCategory';
  return CDC_CODE.test(value) ? 'detailed' : 'text';
};

/** Race and ethnicity as extensions of US Core, except the races that `raceObservation` states. */
export const raceExtensions = ({
  race,
  ethnicity,
}: Pick<Mother, 'race' | 'ethnicity'>): readonly JsonObject[] => [
  ...(raceAnswers(race) === null
    ? runsOf(race).map(({ part, values }) => extension('us-core-race', part, values, RACES))
    : []),
  ...(ethnicity === null
    ? []
    : [extension('us-core-ethnicity', partFor(ethnicity, ETHNICITIES), [ethnicity], ETHNICITIES)]),
];

type Run = { readonly part: Part; readonly values: string[] };

// The extension is read by its categories, else by its detail, else by its text: what is of another
// kind than the value before it needs an extension of its own.
const runsOf = (race: readonly string[]): readonly Run[] => {
  const runs: Run[] = [];
  for (const value of race) {
    const part = partFor(value, CATEGORIES);
    const last = runs.at(-1);
    if (last?.part === part && part !== 'text' && !last.values.includes(value))
      last.values.push(value);
    else runs.push({ part, values: [value] });
  }
  return runs;
};

const extension = (
  name: string,
  part: Part,
  values: readonly string[],
  table: ReadonlyMap<string, string>,
): JsonObject => {
  const displays = values.map((value) => table.get(value) ?? value);
  return extended(`${US_CORE}/${name}`, [
    ...(part === 'text'
      ? []
      : values.map((value) => ({
          url: part,
          valueCoding: coding(RACE_CODES, value, table.get(value)),
        }))),
    { url: 'text', valueString: displays.join(', ') },
  ]);
};

/**
 * Categories beside their detail, as the worksheet of the birth certificate asks for them: the
 * guide's own Observation states them answer by answer. Null where the extension says as much, or
 * where the worksheet has no such answer.
 */
const raceAnswers = (race: readonly string[]): readonly string[] | null => {
  if (runsOf(race).length < 2 || new Set(race).size < race.length) return null;
  const answers = race.map((code) => ANSWER_OF.get(code));
  return answers.every((answer) => answer !== undefined) ? answers : null;
};

// Two spellings of one answer: the first of the table is that of the guide. The category is read
// where "Other Asian" is answered, but does not say so.
const ANSWER_OF: ReadonlyMap<string, string> = new Map(
  [...RACE_ANSWERS]
    .reverse()
    .filter(([, code]) => code !== ASIAN)
    .map(([answer, code]) => [code, answer]),
);

/** What the Observation of race and ethnicity says, if it is needed. */
export const raceObservation = ({ race }: Pick<Mother, 'race'>): JsonObject | null => {
  const answers = raceAnswers(race);
  if (answers === null) return null;
  return {
    code: concept(RACE_OBSERVATION_SYSTEM, RACE_OBSERVATION_CODE),
    component: answers.map((answer) => ({
      code: concept(RACE_COMPONENT_SYSTEM, answer),
      valueBoolean: true,
    })),
  };
};

const RACE_COMPONENT_SYSTEM =
  'http://hl7.org/fhir/us/vr-common-library/CodeSystem/codesystem-vr-component';
