import { HISPANIC, HISPANIC_ORIGINS, OTHER_ASIAN, OTHER_HISPANIC } from './codes.ts';
import type { Mother } from './course.ts';
import { listRaceAnswers, OTHER_RACE } from './race-answers.ts';

/** Lines of the certificate beside an answer about race, with that answer and its OMB category. */
export const WRITE_INS = [
  { field: 'tribes', answer: '1002-5', category: '1002-5' },
  { field: 'other_asian_races', answer: OTHER_ASIAN, category: '2028-9' },
  { field: 'other_pacific_races', answer: '2500-7', category: '2076-8' },
  { field: 'other_races', answer: OTHER_RACE, category: OTHER_RACE },
] as const satisfies readonly {
  readonly field: keyof Mother;
  readonly answer: string;
  readonly category: string;
}[];

export type WriteIn = (typeof WRITE_INS)[number]['field'];

export const mapWriteIns = (
  read: (row: (typeof WRITE_INS)[number]) => readonly string[],
): Pick<Mother, WriteIn> => ({
  tribes: read(WRITE_INS[0]),
  other_asian_races: read(WRITE_INS[1]),
  other_pacific_races: read(WRITE_INS[2]),
  other_races: read(WRITE_INS[3]),
});

/** Answers of a mother about race and Hispanic origin. */
export type Origins = Pick<
  Mother,
  | 'race'
  | 'race_absent_reason'
  | WriteIn
  | 'ethnicity'
  | 'ethnicity_absent_reason'
  | 'hispanic_origins'
  | 'other_hispanic_origin'
>;

/**
 * Adds what follows: a text answers the question that it is written beside, and any Hispanic origin is
 * Hispanic. An ethnicity that contradicts it stays, and draws a question.
 */
export const completeOrigins = <T extends Origins>(mother: T): T =>
  hasDetails(mother)
    ? { ...mother, ...completeRace(mother), ...completeEthnicity(mother) }
    : mother;

// Few mothers have any.
const hasDetails = (mother: Origins): boolean =>
  mother.hispanic_origins.length > 0 ||
  mother.other_hispanic_origin !== null ||
  WRITE_INS.some(({ field }) => mother[field].length > 0);

// In this order: an answer of a category leaves nothing of the category to be another race.
const completeRace = (mother: Origins): Pick<Origins, 'race' | 'other_races'> => {
  const race = SPECIFIC_WRITE_INS.reduce(
    (known, { field, answer }) => (mother[field].length > 0 ? addAnswer(known, answer) : known),
    mother.race,
  );
  // Other races may also be texts among the races.
  const texts = listRaceTexts(race);
  const other_races = mother.other_races.filter((text) => !texts.includes(text));
  return { race: other_races.length > 0 ? addAnswer(race, OTHER_RACE) : race, other_races };
};

const SPECIFIC_WRITE_INS = WRITE_INS.filter(({ field }) => field !== 'other_races');

const addAnswer = (race: readonly string[], answer: string): readonly string[] =>
  listRaceAnswers(race).some(({ code }) => code === answer) ? race : [...race, answer];

const listRaceTexts = (race: readonly string[]): readonly string[] =>
  listRaceAnswers(race).flatMap(({ text }) => text ?? []);

/** Texts beside the answer “other race”, of both fields. */
export const listOtherRaces = ({
  race,
  other_races,
}: Pick<Mother, 'race' | 'other_races'>): readonly string[] => [
  ...other_races,
  ...listRaceTexts(race),
];

const completeEthnicity = ({
  ethnicity,
  hispanic_origins: stated,
  other_hispanic_origin: other,
}: Origins): Pick<Origins, 'ethnicity' | 'hispanic_origins'> => {
  const origins = new Set(other === null ? stated : [...stated, OTHER_HISPANIC]);
  if (origins.size === 0) return { ethnicity, hispanic_origins: stated };
  const known = [...HISPANIC_ORIGINS.keys()].filter((code) => origins.delete(code));
  return { ethnicity: ethnicity ?? HISPANIC, hispanic_origins: [...known, ...origins] };
};
