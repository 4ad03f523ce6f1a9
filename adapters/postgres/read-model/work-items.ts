import { type NotNull, type RawBuilder, sql } from 'kysely';
import { LIFETIME_DAYS, REMINDED_DAYS } from '../../../domain/api-key/lifetime.ts';
import type { Actor } from '../../../domain/event-log.ts';
import { isDate, toDate, toDayNumber } from '../../../domain/fhir/dates.ts';
import {
  isDismissible,
  WORK_KINDS,
  type WorkItemName,
  type WorkKind,
} from '../../../domain/work-items/items.ts';
import type { PairIds } from '../../../projections/lists/duplicates.ts';
import type { ListSlice } from '../../../projections/lists/records.ts';
import {
  LISTED_DAYS,
  type ListedQuestions,
  type ListedRevival,
  MAX_MENU_COUNT,
  MAX_WORK_ITEMS,
  type MenuCounts,
  type RefusedRecord,
  type WorkCounts,
  type WorkDetails,
  type WorkFilter,
  type WorkItem,
  type WorkPage,
  type WorkSeat,
} from '../../../projections/lists/work-items.ts';
import { decodeCourse, type StoredCourse } from '../../../projections/tables/course-codec.ts';
import { CHILD_BITS, decodeBits, encodeBits } from '../../../projections/tables/missing-items.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { createRecordReads } from './record-search.ts';
import { selectOpenPairs } from './suspected-pairs.ts';

/** Days between access reviews. The next one is listed some days earlier. */
const REVIEWED_DAYS = 365;

export const createWorkItems = (db: Db) => ({
  /** A page of matching items: earliest due first, then oldest. */
  async find(seat: WorkSeat, filter: WorkFilter, { skip, most }: ListSlice): Promise<WorkPage> {
    const { rows } = await sql<FoundRow>`
      with item as materialized (${buildItemQuery(seat, { isDismissed: filter.isDismissed })}),
      shown as materialized (select * from item where ${buildCondition(seat, filter)})
      select ${buildCountQuery(seat)} as counts, (select count(*) from shown) as found,
        (select coalesce(json_agg(page order by page.day nulls last, page.since, page.item_key), '[]')
          from (select * from shown order by day nulls last, since, item_key
            limit ${most} offset ${skip}) page
        ) as items`.execute(db);
    const [row] = rows;
    return {
      counts: sumCounts(row?.counts ?? []),
      found: Number(row?.found ?? 0),
      items: (row?.items ?? []).map((one) => toItem(one, seat)),
    };
  },

  async count(seat: WorkSeat): Promise<WorkCounts> {
    const { rows } = await sql<{ counts: readonly CountRow[] | null }>`
      with item as materialized (${buildItemQuery(seat, { isDismissed: false })})
      select ${buildCountQuery(seat)} as counts`.execute(db);
    return sumCounts(rows[0]?.counts ?? []);
  },

  /** Counts the items up to `MAX_MENU_COUNT`. */
  async countForMenu(seat: WorkSeat): Promise<MenuCounts> {
    const { rows } = await sql<{ total: string; is_changing: boolean }>`
      select count(*) as total, exists (
        select from read.ingestion import where import.practice_id = ${seat.practiceId}
          and import.undo_begun_at is not null and import.undone_at is null
      ) or exists (
        select from read.ingestion import where import.practice_id = ${seat.practiceId}
          and import.status in ('queued', 'processing') and import.source = 'csv'
      ) as is_changing from (
        ${buildItemQuery(seat, { isDismissed: false, most: MAX_MENU_COUNT })} limit ${MAX_MENU_COUNT}
      ) item`.execute(db);
    const [row] = rows;
    return { total: Number(row?.total ?? 0), isChanging: row?.is_changing ?? false };
  },

  async findOne(seat: WorkSeat, kind: WorkKind, key: string): Promise<WorkItem | null> {
    for (const isDismissed of isDismissible(kind) ? [false, true] : [false]) {
      const { rows } = await sql<ItemRow>`
        select item.* from (${buildItemQuery(seat, { isDismissed, only: { kind, key } })}) item`.execute(
        db,
      );
      const [row] = rows;
      if (row !== undefined) return toItem(row, seat);
    }
    return null;
  },

  details: createWorkDetails(db),
});

interface ItemRow {
  readonly kind: WorkKind;
  readonly item_key: string;
  /** A timestamp, from JSON or from a column. */
  readonly since: string | Date;
  readonly opened: string | Date | null;
  readonly parts: readonly string[];
  readonly day: string | null;
  readonly taken_by: string | null;
  readonly taken_at: string | Date | null;
}

interface CountRow {
  readonly kind: WorkKind;
  readonly total: number;
  readonly mine: number;
  readonly late: number;
}

interface FoundRow {
  readonly counts: readonly CountRow[] | null;
  readonly found: string;
  readonly items: readonly ItemRow[];
}

interface ItemOptions {
  readonly isDismissed: boolean;
  /** Maximum number per kind. */
  readonly most?: number;
  readonly only?: { readonly kind: WorkKind; readonly key: string };
}

/** Other deadlines are sorted with births: their `day` is this many days before they are due. */
const getDaysUntilDue = ({ daysUntilDue }: WorkSeat): number => daysUntilDue ?? 0;

const toItem = (row: ItemRow, seat: WorkSeat): WorkItem => ({
  kind: row.kind,
  key: row.item_key,
  since: new Date(row.since),
  opened: row.opened === null ? null : new Date(row.opened),
  parts:
    row.kind === 'missing'
      ? row.parts.flatMap(decodeBits).filter((item) => seat.neededItems.includes(item))
      : row.parts,
  due:
    row.day !== null && isDate(row.day)
      ? toDate(toDayNumber(row.day) + getDaysUntilDue(seat))
      : null,
  takenBy: row.taken_by,
  takenAt: row.taken_at === null ? null : new Date(row.taken_at),
});

const sumCounts = (rows: readonly CountRow[]): WorkCounts => {
  const sum = (of: (row: CountRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    byKind: new Map(rows.map(({ kind, total }) => [kind, total])),
    total: sum(({ total }) => total),
    mine: sum(({ mine }) => mine),
    late: sum(({ late }) => late),
  };
};

/** Births before this day are late. */
const getLateLimit = (seat: WorkSeat): string =>
  toDate(toDayNumber(seat.today) - getDaysUntilDue(seat));

const buildCountQuery = (seat: WorkSeat) => sql`(
  select json_agg(counted) from (
    select kind, count(*) as total, count(*) filter (where taken_by = ${seat.memberId}) as mine,
      count(*) filter (where day < ${getLateLimit(seat)}) as late
    from item group by kind
  ) counted)`;

const buildCondition = (seat: WorkSeat, { kind, isMine, isLate }: WorkFilter) => sql`
  (${kind}::text is null or kind = ${kind})
  and (not ${isMine} or taken_by = ${seat.memberId})
  and (not ${isLate} or day < ${getLateLimit(seat)})`;

interface ItemSource {
  readonly key: RawBuilder<unknown>;
  readonly since: RawBuilder<unknown>;
  /** Earlier assignments are void: they were for an earlier issue. Omit if an item never reopens. */
  readonly opened?: RawBuilder<unknown>;
  readonly parts?: RawBuilder<unknown>;
  /** Parts that a dismissal covers, if not all. */
  readonly dismissedParts?: RawBuilder<unknown>;
  readonly day?: RawBuilder<unknown>;
  readonly from: RawBuilder<unknown>;
  /** Order that decides which items are listed if there are too many. */
  readonly order: RawBuilder<unknown>;
}

const NO_PARTS = sql`'{}'::text[]`;
const NO_DAY = sql`null::text`;
const ALWAYS = sql`null::timestamptz`;

const buildItemQuery = (
  seat: WorkSeat,
  { isDismissed, most = MAX_WORK_ITEMS, only }: ItemOptions,
) => {
  const sources = buildSources(seat);
  const kinds = WORK_KINDS.filter(
    (kind) =>
      (only === undefined || only.kind === kind) &&
      (!isDismissed || isDismissible(kind)) &&
      (kind !== 'access-review' || seat.isAdmin),
  );
  const ofKinds = kinds.map((kind) => {
    const one = sources[kind];
    const { key, since, opened = ALWAYS, parts = NO_PARTS, day = NO_DAY, from, order } = one;
    const { dismissedParts = parts } = one;
    const wasDismissed = sql`exists (
      select from read.work_dismissed dismissed
      where dismissed.practice_id = ${seat.practiceId} and dismissed.kind = ${kind}
        and dismissed.item_key = ${key} and ${dismissedParts} <@ dismissed.parts)`;
    return sql`(select ${sql.lit(kind)}::text as kind, ${key} as item_key, ${since} as since,
        ${opened} as opened, ${parts} as parts, ${day} as day
        from ${from}
        ${only === undefined ? sql`` : sql`and ${key} = ${only.key}`}
        ${isDismissible(kind) ? sql`and ${isDismissed ? sql`` : sql`not`} ${wasDismissed}` : sql``}
        order by ${order} limit ${most})`;
  });
  return sql`
    select found.*, taken.taken_by, taken.taken_at
    from (${sql.join(ofKinds, sql` union all `)}) found
    left join read.work_taken taken
      on taken.practice_id = ${seat.practiceId} and taken.kind = found.kind
        and taken.item_key = found.item_key and taken.taken_by is not null
        and (found.opened is null or taken.taken_at >= found.opened)`;
};

const DAY_TEXT = 'YYYY-MM-DD';

const buildSources = (seat: WorkSeat): Readonly<Record<WorkKind, ItemSource>> => {
  const { practiceId, neededItems, daysUntilDue, today, now } = seat;
  const getDayBefore = (days: number) => toDate(toDayNumber(today) - days);
  const buildBirthDay = (day: RawBuilder<unknown>) =>
    daysUntilDue === null ? NO_DAY : sql`case when length(${day}) = 10 then ${day} end`;
  return {
    revived: {
      key: sql`void.submission_uuid::text`,
      since: sql`void.revived_at`,
      opened: sql`void.revived_at`,
      from: sql`read.overruled_void void where void.practice_id = ${practiceId}`,
      order: sql`void.revived_at`,
    },
    question: {
      key: sql`question.submission_uuid::text`,
      since: sql`question.since`,
      opened: sql`question.since`,
      parts: sql`question.paths`,
      day: buildBirthDay(sql`question.born`),
      from: sql`(
        select asked.submission_uuid, asked.held_since, min(asked.since) as since,
          array_agg(asked.path) as paths,
          (select record.born from read.record_listing record
            where record.submission_uuid = asked.submission_uuid) as born
        from read.open_question asked where asked.practice_id = ${practiceId}
        group by asked.held_since, asked.submission_uuid) question where true`,
      order: sql`question.held_since`,
    },
    missing: {
      key: sql`gap.submission_uuid::text`,
      since: sql`(select record.recorded_at from read.birth_record record
        where record.submission_uuid = gap.submission_uuid)`,
      parts: sql`array[gap.open_bits::text]`,
      dismissedParts: sql`array(
        select item from unnest(${neededItems}::text[], ${neededItems.map((item) => encodeBits([item]))}::bigint[])
          as needed (item, bit)
        where gap.open_bits & bit <> 0)`,
      day: buildBirthDay(sql`gap.day`),
      from: sql`(
        select missing.*, ${buildOpenBits(seat)} as open_bits from read.record_gap missing
        where missing.practice_id = ${practiceId}
          and missing.day >= ${getDayBefore(LISTED_DAYS.birth)}
          and missing.item_bits & ${encodeBits(neededItems)}::bigint <> 0) gap
        where gap.open_bits & ${encodeBits(neededItems)}::bigint <> 0`,
      order: sql`gap.day`,
    },
    refused: {
      key: sql`refused.item_key`,
      since: sql`refused.refused_at`,
      parts: sql`refused.reasons`,
      from: sql`read.refused_record refused
        where refused.practice_id = ${practiceId} and refused.is_open
          and refused.refused_at >= ${subtractDays(now, LISTED_DAYS.refused)}`,
      order: sql`refused.refused_at`,
    },
    duplicate: {
      key: sql`flagged.submission_uuid::text`,
      since: sql`(select min(pair.since) from read.duplicate_pair pair
        where pair.submission_uuid = flagged.submission_uuid and not pair.is_dismissed)`,
      from: sql`read.birth_record flagged
        where flagged.practice_id = ${practiceId} and flagged.was_flagged
          and flagged.status = 'live' and ${isInOpenPair(practiceId)}`,
      order: sql`flagged.recorded_at`,
    },
    'import-rows': {
      key: sql`import.ingestion_id`,
      since: sql`import.received_at`,
      from: sql`read.ingestion import
        where import.practice_id = ${practiceId} and import.source = 'csv' and import.rejected > 0
          and import.undo_begun_at is null and import.received_at >= ${subtractDays(now, LISTED_DAYS.refused)}`,
      order: sql`import.received_at`,
    },
    'handed-over': {
      key: sql`handed.id`,
      since: sql`handed.handed_at`,
      from: sql`app.handed_over handed
        where handed.practice_id = ${practiceId} and handed.expires_at > ${now}`,
      order: sql`handed.handed_at`,
    },
    'key-ending': {
      key: sql`key.key_id`,
      since: sql`key.ends_at - ${REMINDED_DAYS} * interval '1 day'`,
      day: sql`to_char(key.ends_at - ${getDaysUntilDue(seat)} * interval '1 day', ${DAY_TEXT})`,
      from: sql`read.api_key key
        where key.practice_id = ${practiceId} and key.revoked_at is null and key.ends_at > ${now}
          and key.scopes <> '[]'
          and key.ends_at - ${REMINDED_DAYS} * interval '1 day' <= ${now}
          and round(extract(epoch from key.ends_at - key.minted_at) / 86400)
            in (${sql.join([...LIFETIME_DAYS])})`,
      order: sql`key.ends_at`,
    },
    'access-review': {
      key: sql`to_char(review.last at time zone 'UTC', ${DAY_TEXT})`,
      since: sql`review.last + ${REVIEWED_DAYS - REMINDED_DAYS} * interval '1 day'`,
      day: sql`to_char(review.last + ${REVIEWED_DAYS - getDaysUntilDue(seat)} * interval '1 day', ${DAY_TEXT})`,
      from: sql`(
        select coalesce(
          (select max(entry.at) from read.audit_entry entry
            where entry.practice_id = ${practiceId} and entry.type = 'AccessReviewed'),
          (select min(member.added_at) from read.member member
            where member.practice_id = ${practiceId})
        ) as last) review
        where review.last + ${REVIEWED_DAYS - REMINDED_DAYS} * interval '1 day' <= ${now}`,
      order: sql`review.last`,
    },
  };
};

/**
 * Bits of `missing` without items that have a reason in every part that lacks them.
 * @see explainMissingItems, which applies the same rule to the events of one record
 */
const buildOpenBits = ({ practiceId, today }: WorkSeat) => sql`
  case when missing.submission_uuid in (
    select submission_uuid from read.item_reason where practice_id = ${practiceId}
  ) then (
    select bit_or(lacking.bits & ~coalesce((
      select bit_or(reason.item_bit) from read.item_reason reason
      where reason.submission_uuid = missing.submission_uuid and reason.part = lacking.part
        and (lacking.children is null or reason.children = lacking.children)
        and (reason.until is null or reason.until > ${today})
    ), 0))
    from (
      select 'course' as part, null::integer as children, missing.item_bits & ~${CHILD_BITS}::bigint as bits
      union all
      select 'children.' || (child.place - 1), coalesce(cardinality(missing.child_bits), 1), child.bits
      from unnest(coalesce(
        missing.child_bits::bigint[], array[missing.item_bits & ${CHILD_BITS}::bigint]
      )) with ordinality as child (bits, place)
    ) lacking
  ) else missing.item_bits end`;

const MS_IN_DAY = 86_400_000;

const subtractDays = (now: Date, days: number): Date => new Date(now.getTime() - days * MS_IN_DAY);

/** The pair named by its flag is quick to check. The others are searched once, all together. */
const isInOpenPair = (practiceId: string) => sql`
  case when exists (
    select from read.birth_record named
    where named.submission_uuid = flagged.duplicate_of and named.status = 'live'
      and named.practice_id = flagged.practice_id
      and named.duplicate_of is distinct from flagged.submission_uuid
      and not exists (
        select from read.duplicate_pair dismissed
        where dismissed.is_dismissed and dismissed.submission_uuid = flagged.submission_uuid
          and dismissed.duplicate_of = named.submission_uuid)
      and not exists (
        select from read.duplicate_pair dismissed
        where dismissed.is_dismissed and dismissed.submission_uuid = named.submission_uuid
          and dismissed.duplicate_of = flagged.submission_uuid)
  ) then true
  else flagged.submission_uuid in (
    select newer from (${selectOpenPairs(practiceId)}) open
    union all
    select older from (${selectOpenPairs(practiceId)}) open
    join read.birth_record other on other.submission_uuid = open.newer
    where not other.was_flagged
  ) end`;

const listKeys = (items: readonly WorkItemName[], kind: WorkKind): readonly string[] =>
  items.filter((item) => item.kind === kind).map(({ key }) => key);

const joinKeys = (keys: readonly string[]) => sql`(${sql.join([...keys])})`;

/** Kinds of items about a record, with its submission UUID as key. */
const OF_RECORDS: readonly WorkKind[] = ['revived', 'question', 'missing', 'duplicate'];

export const createWorkDetails =
  (db: Db) =>
  async (practiceId: string, items: readonly WorkItemName[]): Promise<WorkDetails> => {
    const getKeys = (kind: WorkKind) => listKeys(items, kind);
    const pairs = await loadPairs(db, practiceId, getKeys('duplicate'));
    const alike = [...pairs.values()].flatMap(({ newer, older }) => [newer, older]);
    const ofRecords = items.filter(({ kind }) => OF_RECORDS.includes(kind)).map(({ key }) => key);
    const [records, questions, refused, revived, imports, names] = await Promise.all([
      loadRecords(db, practiceId, [...ofRecords, ...alike]),
      loadQuestions(db, getKeys('question')),
      loadRefusedRecords(db, practiceId, getKeys('refused')),
      loadRevivals(db, getKeys('revived')),
      loadImports(db, getKeys('import-rows')),
      loadKeyNames(db, getKeys('key-ending')),
    ]);
    return { records, questions, pairs, refused, revived, imports, keys: names };
  };

/** Skips the search for match candidates, which would take as long as everything else. */
const loadRecords = async (
  db: Db,
  practiceId: string,
  keys: readonly string[],
): Promise<WorkDetails['records']> => {
  if (keys.length === 0) return new Map();
  const rows = await withCamelCase(db)
    .selectFrom('read.recordListing')
    .select(['submissionUuid', 'chartNumber', 'motherName', 'keyKind', 'born'])
    .select(['children', 'fetalDeaths'])
    .where('practiceId', '=', practiceId)
    .where('submissionUuid', 'in', [...new Set(keys)])
    .execute();
  return new Map(rows.map(({ submissionUuid, ...record }) => [submissionUuid, record]));
};

const loadPairs = async (
  db: Db,
  practiceId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, PairIds>> => {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<PairIds>`
    select newer, older from (${selectOpenPairs(practiceId)}) open
    where newer in ${joinKeys(keys)} or older in ${joinKeys(keys)}`.execute(db);
  const pairs = new Map<string, PairIds>();
  for (const pair of rows) pairs.set(pair.older, pair);
  // The question about a record is the pair in which it is the newer one.
  for (const pair of rows) pairs.set(pair.newer, pair);
  return new Map(keys.flatMap((key) => (pairs.has(key) ? [[key, pairs.get(key) as PairIds]] : [])));
};

const loadQuestions = async (
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
    from read.birth_record record where record.submission_uuid in ${joinKeys(keys)}`.execute(db);
  return new Map(
    rows.map((row) => [
      row.submission_uuid,
      { version: row.version, course: decodeCourse(row), questions: row.questions ?? [] },
    ]),
  );
};

const loadRefusedRecords = async (
  db: Db,
  practiceId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, RefusedRecord>> => {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<Omit<RefusedRecord, 'recordUuid'> & { readonly itemKey: string }>`
    select refused.item_key, refused.ingestion_id, refused.chart_number, refused.rejections,
      coalesce(partner.name, key.name) as sent_by
    from read.refused_record refused
    left join read.ingestion ingestion on ingestion.ingestion_id = refused.ingestion_id
    left join read.api_key key on key.key_id = ingestion.key_id
    left join read.partner partner on partner.partner_id = key.partner_id
    where refused.practice_id = ${practiceId} and refused.item_key in ${joinKeys(keys)}`.execute(
    withCamelCase(db),
  );
  const records = await createRecordReads(db).listNamedRecordsByChartNumber(
    practiceId,
    rows.flatMap(({ chartNumber }) => chartNumber ?? []),
  );
  const uuidsByChart = new Map(
    records.map((record) => [record.chartNumber, record.submissionUuid]),
  );
  return new Map(
    rows.map(({ itemKey, ...refused }) => [
      itemKey,
      { ...refused, recordUuid: uuidsByChart.get(refused.chartNumber) ?? null },
    ]),
  );
};

/** Columns of `read.overruled_void`. */
export const REVIVAL_ACTORS = [
  sql<Actor>`json_build_object('kind', voided_by_kind, 'id', voided_by_id)`.as('voidedBy'),
  sql<Actor>`json_build_object('kind', revived_by_kind, 'id', revived_by_id)`.as('revivedBy'),
] as const;

const loadRevivals = async (
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ListedRevival>> => {
  if (keys.length === 0) return new Map();
  const rows = await withCamelCase(db)
    .selectFrom('read.overruledVoid')
    .select(['submissionUuid', 'nextVersion as version', 'voidedAt', 'reason', 'revivedAt'])
    .select(REVIVAL_ACTORS)
    .where('submissionUuid', 'in', [...keys])
    .execute();
  return new Map(rows.map(({ submissionUuid, ...revival }) => [submissionUuid, revival]));
};

const loadImports = async (db: Db, keys: readonly string[]): Promise<WorkDetails['imports']> => {
  if (keys.length === 0) return new Map();
  const rows = await withCamelCase(db)
    .selectFrom('read.ingestion')
    .select(['ingestionId', 'startedBy as memberId', 'rejected'])
    .where('ingestionId', 'in', [...keys])
    .$narrowType<{ memberId: NotNull; rejected: NotNull }>()
    .execute();
  return new Map(rows.map(({ ingestionId, ...one }) => [ingestionId, one]));
};

const loadKeyNames = async (db: Db, keys: readonly string[]): Promise<WorkDetails['keys']> => {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('read.api_key')
    .select(['key_id', 'name'])
    .where('key_id', 'in', [...keys])
    .execute();
  return new Map(rows.map((row) => [row.key_id, row.name]));
};
