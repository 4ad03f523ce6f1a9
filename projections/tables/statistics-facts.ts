import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import { upcastUnknownCounts } from '../../domain/course/unknown-counts.ts';
import {
  type Answer,
  BIRTH_RATES,
  COURSE_RATES,
  type RateDefinition,
} from '../../domain/statistics/definitions.ts';
import { extractFacts, type Period, type RateResults } from '../../domain/statistics/facts.ts';
import {
  type Change,
  column,
  defineTable,
  type Handlers,
  isFirst,
  type ReadView,
  replaceAll,
} from '../projection.ts';

/** Values in the column of a rate; null if the row is outside the rate's population. */
export const STORED_ANSWERS = { counted: 1, notCounted: 0, unknown: -1 } as const;

/** Only raw SQL reads them, so they are not part of the row's type. */
const listRateColumns = (rates: readonly RateDefinition[]) =>
  Object.fromEntries(rates.map((rate) => [rate.column, column.smallintOrNull()])) as object;

/** One row per record also counts as its course of care; without children, it is the only row. */
export const statisticsFact = defineTable({
  name: 'statistics_fact',
  // Types with the largest alignment first, which avoids padding.
  columns: {
    submission_uuid: column.uuid(),
    plurality: column.integer(),
    /** Zero-based position among the rows of its record. */
    part: column.smallint(),
    year: column.smallintOrNull(),
    month: column.smallintOrNull(),
    is_course: column.boolean(),
    is_birth: column.boolean(),
    fetal_death: column.booleanOrNull(),
    ...listRateColumns(COURSE_RATES),
    ...listRateColumns(BIRTH_RATES),
    practice_id: column.text(),
    /** Identical in all rows of a course of care, like the source and the plurality. */
    place: column.textOrNull(),
    source: column.text(),
    sex: column.textOrNull(),
    /** Provider named by the submitted version. Resolve it through the merge map. */
    attendant: column.textOrNull(),
  },
  key: ['submission_uuid', 'part'],
  indexes: ['(practice_id, year)'],
});

/** Source of all statistics. Contains only live records: a void deletes the rows. */
export const statisticsFacts = {
  name: 'statistics_facts',
  version: 4,
  tables: [statisticsFact],
  on: {
    BirthRecorded: (data, stored) => [replaceFacts(data, isFirst(stored))],
    BirthAmended: (data) => [replaceFacts(data)],
    BirthRetracted: ({ submissionUuid }) => [
      replaceAll('statistics_fact', { submission_uuid: submissionUuid }, []),
    ],
    // No handler for `AttributionRepointed`: queries resolve providers through the merge map.
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

const replaceFacts = (data: RecordVersion, isNew = false): Change => {
  const { submissionUuid, practiceId, source } = data;
  const course = upcastUnknownCounts(data.course);
  const { course: whole, births } = extractFacts(course);
  const createRow = (part: number, { year, month }: Period): Record<string, unknown> => ({
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
    const row = createRow(part, birth);
    row['is_birth'] = true;
    row['sex'] = birth.sex;
    row['fetal_death'] = birth.fetalDeath;
    return setAnswers(row, birth.claims);
  });
  // A course of care counts in the month of its first dated child, so it shares that row.
  let courseRow: Record<string, unknown> | undefined = rows.find(
    ({ year, month }) => year === whole.year && month === whole.month,
  );
  if (courseRow === undefined) {
    courseRow = createRow(rows.length, whole);
    rows.push(courseRow);
  }
  courseRow['is_course'] = true;
  setAnswers(courseRow, whole.claims);
  return replaceAll('statistics_fact', { submission_uuid: submissionUuid }, rows, isNew);
};

const setAnswers = (row: Record<string, unknown>, claims: RateResults): Record<string, unknown> => {
  for (const [column, answer] of Object.entries(claims)) row[column] = encodeAnswer(answer);
  return row;
};

const encodeAnswer = (answer: Answer): number | null => {
  if (answer === 'not-applicable') return null;
  if (answer === null) return STORED_ANSWERS.unknown;
  return answer ? STORED_ANSWERS.counted : STORED_ANSWERS.notCounted;
};

export interface StatisticsExclusionRow {
  readonly submission_uuid: string;
  readonly practice_id: string;
  /** `sandbox` excludes only from benchmarks, `attendant_other` only from benchmarks by attendant. */
  readonly reason: 'voided' | 'sandbox' | 'attendant_other';
  readonly since: Date;
}

/** A view: a change of practice or provider changes all their records. @see docs/design/statistics.md */
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
    -- Since the record named that attendant, or since that provider was last named.
    select entry.submission_uuid, entry.practice_id, 'attendant_other',
      greatest(entry.named_at, survivor.changed_at)
    from "${schema}".career_entry entry
    join "${schema}".provider named on named.provider_id = entry.provider_id
    join "${schema}".provider survivor on survivor.provider_id = named.survivor_id
    join "${schema}".birth_record record using (submission_uuid)
    where entry.part = 'attendant' and survivor.role = 'other' and record.status = 'live'`,
} as const satisfies ReadView;
