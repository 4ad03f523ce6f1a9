import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import { withUnknownCounts } from '../../domain/course/unknown-counts.ts';
import { type Answer, BIRTH_RATES, COURSE_RATES } from '../../domain/statistics/definitions.ts';
import { type Claims, extractFacts, type Period } from '../../domain/statistics/facts.ts';
import { type Change, type Handlers, isFirst, type ReadTable, replace } from '../projection.ts';

/**
 * Row of `read.statistics_fact`: a child of a live record, and a column for each rate. One of the
 * rows of a record is its course of care, too; without children it has one that is only that.
 */
export interface StatisticsFactRow {
  readonly submission_uuid: string;
  /** Zero-based position among the rows of its record. */
  readonly part: number;
  readonly practice_id: string;
  /** It counts as a course of care: one row of each record does. */
  readonly is_course: boolean;
  /** It counts as a birth. */
  readonly is_birth: boolean;
  readonly year: number | null;
  readonly month: number | null;
  /** Of the child; null where no child is counted. */
  readonly sex: string | null;
  readonly fetal_death: boolean | null;
  // Of the course of care, in each of its rows.
  readonly place: string | null;
  readonly source: string;
  readonly plurality: number;
  /** Provider that the sent version names; who stands for it is the merge map's to say. */
  readonly attendant: string | null;
}

/** How the column of a rate holds its answer; null is outside of it. */
export const STORED_ANSWERS = { counted: 1, notCounted: 0, unknown: -1 } as const;

const claimColumns = (rates: readonly { readonly column: string }[]) =>
  Object.fromEntries(rates.map(({ column }) => [column, 'smallint'] as const));

/** @see StatisticsFactRow */
export const statisticsFact: ReadTable = {
  name: 'statistics_fact',
  // Long types first: nothing is filled up to where the next may begin.
  columns: {
    submission_uuid: 'uuid not null',
    plurality: 'integer not null',
    part: 'smallint not null',
    year: 'smallint',
    month: 'smallint',
    is_course: 'boolean not null',
    is_birth: 'boolean not null',
    fetal_death: 'boolean',
    ...claimColumns(COURSE_RATES),
    ...claimColumns(BIRTH_RATES),
    practice_id: 'text not null',
    place: 'text',
    source: 'text not null',
    sex: 'text',
    attendant: 'text',
  },
  key: ['submission_uuid', 'part'],
  indexes: ['(practice_id, year)'],
};

/** What figures are made of: live records only, so that a void leaves them with the same change. */
export const statisticsFacts = {
  name: 'statistics_facts',
  version: 4,
  tables: [statisticsFact],
  on: {
    BirthRecorded: (data, stored) => [factRows(data, isFirst(stored))],
    BirthAmended: (data) => [factRows(data)],
    BirthRetracted: ({ submissionUuid }) => [
      replace('statistics_fact', { submission_uuid: submissionUuid }, []),
    ],
    // The merge map tells who stands for a named provider, before and after this event.
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

const factRows = (data: RecordVersion, isNew = false): Change => {
  const { submissionUuid, practiceId, source } = data;
  const course = withUnknownCounts(data.course);
  const { course: whole, births } = extractFacts(course);
  const rowOf = (part: number, { year, month }: Period): Record<string, unknown> => ({
    submission_uuid: submissionUuid,
    part,
    practice_id: practiceId,
    is_course: false,
    is_birth: false,
    year,
    month,
    place: whole.place,
    source,
    plurality: whole.plurality,
    attendant: course.attendant,
  });
  const rows = births.map((birth, part): Record<string, unknown> => {
    const row = rowOf(part, birth);
    row['is_birth'] = true;
    row['sex'] = birth.sex;
    row['fetal_death'] = birth.fetalDeath;
    return setAnswers(row, birth.claims);
  });
  // A course of care counts in the month of its first dated child, whose row tells of both.
  let ofCourse: Record<string, unknown> | undefined = rows.find(
    ({ year, month }) => year === whole.year && month === whole.month,
  );
  if (ofCourse === undefined) {
    ofCourse = rowOf(rows.length, whole);
    rows.push(ofCourse);
  }
  ofCourse['is_course'] = true;
  setAnswers(ofCourse, whole.claims);
  return replace('statistics_fact', { submission_uuid: submissionUuid }, rows, isNew);
};

const setAnswers = (row: Record<string, unknown>, claims: Claims): Record<string, unknown> => {
  for (const [column, answer] of Object.entries(claims)) row[column] = storedAnswer(answer);
  return row;
};

const storedAnswer = (answer: Answer): number | null => {
  if (answer === 'outside') return null;
  if (answer === null) return STORED_ANSWERS.unknown;
  return answer ? STORED_ANSWERS.counted : STORED_ANSWERS.notCounted;
};
