import { sql } from 'kysely';
import type { Rejection } from '../../../domain/course/rejections.ts';
import type { Actor } from '../../../domain/event-log.ts';
import type { WorkKind } from '../../../domain/work-items/items.ts';
import type { PairIds } from '../../../projections/lists/duplicates.ts';
import type {
  ListedQuestions,
  ListedRevival,
  RefusedRecord,
  WorkDetails,
  WorkItem,
} from '../../../projections/lists/work-items.ts';
import { decodeCourse, type StoredCourse } from '../../../projections/tables/course-codec.ts';
import type { Db } from '../connection/database.ts';
import { createNameRecordsByChart } from './named-records.ts';

const keysOf = (items: readonly WorkItem[], kind: WorkKind): readonly string[] =>
  items.filter((item) => item.kind === kind).map(({ key }) => key);

const among = (keys: readonly string[]) => sql`(${sql.join([...keys])})`;

/** Kinds of items about a record, with its submission UUID as key. */
const OF_RECORDS: readonly WorkKind[] = ['revived', 'question', 'missing', 'duplicate'];

/** Loads the data to describe work items, in one query per kind. */
export const createWorkDetails =
  (db: Db) =>
  async (practiceId: string, items: readonly WorkItem[]): Promise<WorkDetails> => {
    const keys = (kind: WorkKind) => keysOf(items, kind);
    const pairs = await pairsOf(db, keys('duplicate'));
    const alike = [...pairs.values()].flat().flatMap(({ newer, older }) => [newer, older]);
    const ofRecords = items.filter(({ kind }) => OF_RECORDS.includes(kind)).map(({ key }) => key);
    const [records, questions, refused, revived, imports, names] = await Promise.all([
      recordsOf(db, practiceId, [...ofRecords, ...alike]),
      questionsOf(db, keys('question')),
      refusedOf(db, practiceId, keys('refused')),
      revivedOf(db, keys('revived')),
      importsOf(db, keys('import-rows')),
      keyNamesOf(db, keys('key-ending')),
    ]);
    return { records, questions, pairs, refused, revived, imports, keys: names };
  };

/** Skips the search for match candidates, which would take as long as everything else. */
const recordsOf = async (
  db: Db,
  practiceId: string,
  keys: readonly string[],
): Promise<WorkDetails['records']> => {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('read.record_listing')
    .select(['submission_uuid', 'chart_number', 'mother_name', 'key_kind', 'born'])
    .select(['children', 'fetal_deaths'])
    .where('practice_id', '=', practiceId)
    .where('submission_uuid', 'in', [...new Set(keys)])
    .execute();
  return new Map(
    rows.map((row) => [
      row.submission_uuid,
      {
        chartNumber: row.chart_number,
        motherName: row.mother_name,
        keyKind: row.key_kind,
        born: row.born,
        children: row.children,
        fetalDeaths: row.fetal_deaths,
      },
    ]),
  );
};

const pairsOf = async (
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly PairIds[]>> => {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<PairIds & { readonly item_key: string }>`
    select distinct flagged.submission_uuid as item_key,
      case when alike.is_newer then flagged.submission_uuid else alike.other_uuid end as newer,
      case when alike.is_newer then alike.other_uuid else flagged.submission_uuid end as older
    from read.birth_record flagged
    cross join lateral (
      select found.other_uuid, found.is_newer from read.look_alike found
      where found.submission_uuid = flagged.submission_uuid
        and (found.is_newer or not found.other_was_flagged)
      offset 0
    ) alike
    where flagged.submission_uuid in ${among(keys)}
    order by 1, 2, 3`.execute(db);
  const byKey = new Map<string, PairIds[]>();
  for (const { item_key, newer, older } of rows)
    byKey.set(item_key, [...(byKey.get(item_key) ?? []), { newer, older }]);
  return byKey;
};

const questionsOf = async (
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ListedQuestions>> => {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{
    submission_uuid: string;
    chart_number: string | null;
    stamp: string | null;
    version: number;
    course: StoredCourse;
    questions: ListedQuestions['questions'];
  }>`
    select record.submission_uuid, record.chart_number, record.stamp, record.version, record.course,
      (select jsonb_agg(jsonb_build_object('path', asked.path, 'doubts', asked.doubts)
          order by asked.path)
        from read.open_question asked where asked.submission_uuid = record.submission_uuid
      ) as questions
    from read.birth_record record where record.submission_uuid in ${among(keys)}`.execute(db);
  return new Map(
    rows.map((row) => [
      row.submission_uuid,
      { version: row.version, course: decodeCourse(row), questions: row.questions ?? [] },
    ]),
  );
};

const refusedOf = async (
  db: Db,
  practiceId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, RefusedRecord>> => {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{
    item_key: string;
    ingestion_id: string;
    chart_number: string | null;
    rejections: readonly Rejection[];
    sent_by: string | null;
  }>`
    select refused.item_key, refused.ingestion_id, refused.chart_number, refused.rejections,
      coalesce(partner.name, key.name) as sent_by
    from read.refused_record refused
    left join read.ingestion ingestion on ingestion.ingestion_id = refused.ingestion_id
    left join read.api_key key on key.key_id = ingestion.key_id
    left join read.partner partner on partner.partner_id = key.partner_id
    where refused.practice_id = ${practiceId} and refused.item_key in ${among(keys)}`.execute(db);
  const held = await createNameRecordsByChart(db)(
    practiceId,
    rows.flatMap((row) => row.chart_number ?? []),
  );
  const heldUnder = new Map(held.map((record) => [record.chartNumber, record.submissionUuid]));
  return new Map(
    rows.map((row) => [
      row.item_key,
      {
        ingestionId: row.ingestion_id,
        chartNumber: row.chart_number,
        recordUuid: heldUnder.get(row.chart_number) ?? null,
        rejections: row.rejections,
        sentBy: row.sent_by,
      },
    ]),
  );
};

const revivedOf = async (
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ListedRevival>> => {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('read.overruled_void')
    .selectAll()
    .where('submission_uuid', 'in', [...keys])
    .execute();
  return new Map(
    rows.map((row) => [
      row.submission_uuid,
      {
        version: row.next_version,
        voidedAt: row.voided_at,
        voidedBy: { kind: row.voided_by_kind, id: row.voided_by_id } as Actor,
        reason: row.reason,
        revivedAt: row.revived_at,
        revivedBy: { kind: row.revived_by_kind, id: row.revived_by_id } as Actor,
      },
    ]),
  );
};

const importsOf = async (db: Db, keys: readonly string[]): Promise<WorkDetails['imports']> => {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('read.ingestion')
    .select(['ingestion_id', 'started_by', 'rejected'])
    .where('ingestion_id', 'in', [...keys])
    .execute();
  return new Map(
    rows.map((row) => [
      row.ingestion_id,
      { memberId: row.started_by ?? '', rejected: row.rejected ?? 0 },
    ]),
  );
};

const keyNamesOf = async (db: Db, keys: readonly string[]): Promise<WorkDetails['keys']> => {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('read.api_key')
    .select(['key_id', 'name'])
    .where('key_id', 'in', [...keys])
    .execute();
  return new Map(rows.map((row) => [row.key_id, row.name]));
};
