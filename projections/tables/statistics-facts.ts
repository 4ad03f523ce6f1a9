import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import { upcastUnknownCounts } from '../../domain/course/unknown-counts.ts';
import { type Answer, BIRTH_RATES, COURSE_RATES } from '../../domain/statistics/definitions.ts';
import { extractFacts, type Period, type RateResults } from '../../domain/statistics/facts.ts';
import {
  type Change,
  type Handlers,
  isFirst,
  type ReadTable,
  type ReadView,
  replaceAll,
} from '../projection.ts';

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
      replaceAll('statistics_fact', { submission_uuid: submissionUuid }, []),
    ],
    // The merge map tells who stands for a named provider, before and after this event.
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

const factRows = (data: RecordVersion, isNew = false): Change => {
  const { submissionUuid, practiceId, source } = data;
  const course = upcastUnknownCounts(data.course);
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
  return replaceAll('statistics_fact', { submission_uuid: submissionUuid }, rows, isNew);
};

const setAnswers = (row: Record<string, unknown>, claims: RateResults): Record<string, unknown> => {
  for (const [column, answer] of Object.entries(claims)) row[column] = storedAnswer(answer);
  return row;
};

const storedAnswer = (answer: Answer): number | null => {
  if (answer === 'outside') return null;
  if (answer === null) return STORED_ANSWERS.unknown;
  return answer ? STORED_ANSWERS.counted : STORED_ANSWERS.notCounted;
};

/** Row of `read.statistics_exclusion`: a record that figures or benchmarks leave out, and why. */
export interface StatisticsExclusionRow {
  readonly submission_uuid: string;
  readonly practice_id: string;
  /**
   * `voided`: in no figure. `sandbox`: in no benchmark. `attendant_other`: in no benchmark by
   * attendant.
   */
  readonly reason: 'voided' | 'sandbox' | 'attendant_other';
  readonly since: Date;
}

/**
 * What statistics leave out. A view, for it follows from the records, practices and providers: a
 * practice that becomes a sandbox, or a provider whose role changes, moves all its records at once.
 * @see docs/decisions/2026-11-20-statistics.md
 */
export const STATISTICS_EXCLUSIONS = {
  name: 'statistics_exclusion',
  version: 2,
  query: (schema) => `
    select record.submission_uuid, record.practice_id, 'voided' as reason,
      record.voided_at as since
    from "${schema}".birth_record record
    where record.status = 'voided'
    union all
    select record.submission_uuid, record.practice_id, 'sandbox',
      greatest(practice.sandbox_since, record.recorded_at)
    from "${schema}".birth_record record
    join "${schema}".practice practice using (practice_id)
    where practice.sandbox
    union all
    -- Since the record named that attendant, or since that provider was last told of.
    select entry.submission_uuid, entry.practice_id, 'attendant_other',
      greatest(entry.named_at, survivor.changed_at)
    from "${schema}".career_entry entry
    join "${schema}".provider named on named.provider_id = entry.provider_id
    join "${schema}".provider survivor on survivor.provider_id = named.survivor_id
    join "${schema}".birth_record record using (submission_uuid)
    where entry.part = 'attendant' and survivor.role = 'other' and record.status = 'live'`,
} as const satisfies ReadView & { readonly version: number };
