import type { BirthRecordEvent, RecordVersion } from '../domain/course-of-care/events.ts';
import { BIRTH_RATES, COURSE_RATES } from '../domain/statistics/definitions.ts';
import { factsOf } from '../domain/statistics/facts.ts';
import { type Change, type Handlers, isFirst, type ReadTable, replace } from './projection.ts';

/** Row of `read.course_fact`: a live record for statistics; and a column for each of its rates. */
export interface CourseFactRow {
  readonly submission_uuid: string;
  readonly practice_id: string;
  readonly year: number | null;
  readonly month: number | null;
  readonly place: string | null;
  readonly source: string;
  readonly plurality: number;
  /** Provider whom the version that was sent names; who stands for it is the merge map's to say. */
  readonly attendant: string | null;
}

/** Row of `read.birth_fact`: a child of a live record; and a column for each rate of births. */
export interface BirthFactRow {
  readonly submission_uuid: string;
  /** Zero-based position among the children. */
  readonly child: number;
  readonly practice_id: string;
  readonly year: number | null;
  readonly month: number | null;
  readonly sex: string | null;
  readonly fetal_death: boolean;
  // Of its course of care: a figure of births reads one table.
  readonly place: string | null;
  readonly source: string;
  readonly plurality: number;
  readonly attendant: string | null;
}

const claimColumns = (rates: readonly { readonly column: string }[]) =>
  Object.fromEntries(rates.map(({ column }) => [column, 'boolean'] as const));

const OF_THE_COURSE = {
  place: 'text',
  source: 'text not null',
  plurality: 'integer not null',
  attendant: 'text',
} as const;

const courseFact: ReadTable = {
  name: 'course_fact',
  columns: {
    submission_uuid: 'uuid not null',
    practice_id: 'text not null',
    year: 'smallint',
    month: 'smallint',
    ...OF_THE_COURSE,
    ...claimColumns(COURSE_RATES),
  },
  key: ['submission_uuid'],
  indexes: ['(practice_id, year)'],
};

const birthFact: ReadTable = {
  name: 'birth_fact',
  columns: {
    submission_uuid: 'uuid not null',
    child: 'smallint not null',
    practice_id: 'text not null',
    year: 'smallint',
    month: 'smallint',
    sex: 'text',
    fetal_death: 'boolean not null',
    ...OF_THE_COURSE,
    ...claimColumns(BIRTH_RATES),
  },
  key: ['submission_uuid', 'child'],
  indexes: ['(practice_id, year)'],
};

/** What figures are made of: live records only, so that a void leaves them with the same change. */
export const statisticsFacts = {
  name: 'statistics_facts',
  version: 1,
  tables: [courseFact, birthFact],
  on: {
    BirthRecorded: (data, stored) => factRows(data, isFirst(stored)),
    BirthAmended: (data) => factRows(data),
    BirthRetracted: ({ submissionUuid }) => [
      replace('course_fact', { submission_uuid: submissionUuid }, []),
      replace('birth_fact', { submission_uuid: submissionUuid }, []),
    ],
    DuplicateFlagged: () => [],
    DuplicateDismissed: () => [],
    DuplicateFlagRestored: () => [],
    // The merge map tells who stands for a named provider, before and after this event.
    AttributionRepointed: () => [],
  } satisfies Handlers<BirthRecordEvent>,
};

const factRows = (data: RecordVersion, isNew = false): readonly Change[] => {
  const { submissionUuid, practiceId, source, course } = data;
  const facts = factsOf(course);
  const { claims, year, month, place, plurality } = facts.course;
  const { attendant } = course;
  const owner = { submission_uuid: submissionUuid };
  const courseRow = {
    submission_uuid: submissionUuid,
    practice_id: practiceId,
    ...{ year, month, place, source, plurality, attendant },
  };
  return [
    replace('course_fact', owner, [Object.assign(courseRow, claims)], isNew),
    replace(
      'birth_fact',
      owner,
      facts.births.map((birth, child) =>
        Object.assign(
          {
            submission_uuid: submissionUuid,
            child,
            practice_id: practiceId,
            year: birth.year,
            month: birth.month,
            sex: birth.sex,
            fetal_death: birth.fetalDeath,
            ...{ place, source, plurality, attendant },
          },
          birth.claims,
        ),
      ),
      isNew,
    ),
  ];
};
