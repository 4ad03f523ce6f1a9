import { type NotNull, sql } from 'kysely';
import { COURSES_PER_CHUNK } from '../../../domain/submission/decide.ts';
import type {
  FindProgress,
  ImportProgress,
  ReadOutcomes,
} from '../../../domain/submission/import-result.ts';
import type {
  ImportEffect,
  ImportOwner,
  PastImport,
  UndoProgress,
  WaitingCheck,
} from '../../../projections/lists/practice-imports.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';

export const createPracticeImports = (db: Db) => ({
  /** Latest imports, newest first. @param memberId `null` for all members */
  async past(
    practiceId: string,
    memberId: string | null,
    most: number,
  ): Promise<readonly PastImport[]> {
    // An import confirmed a moment ago is only staged. All others are in the read tables.
    const { rows } = await sql<PastImport>`
      select ingestion_id as import_id, started_by as member_id, received_at as at, courses as rows, status,
        accepted, rejected,
        case when undone_at is not null then 'over' when undo_begun_at is not null then 'begun'
          else 'none' end as undo
      from read.ingestion
      where practice_id = ${practiceId} and file_hash is not null
        and (${memberId}::text is null or started_by = ${memberId})
      union all
      select import_id, member_id, confirmed_at, courses, 'queued', null, null, 'none'
      from app.staged_import staged
      where practice_id = ${practiceId} and confirmed_at is not null
        and (${memberId}::text is null or member_id = ${memberId})
        and not exists (select from read.ingestion where ingestion_id = staged.import_id)
      order by at desc limit ${most}`.execute(withCamelCase(db));
    return rows;
  },

  /** A record was changed since if its version is not the import's last, or another lies in between. */
  async effect(practiceId: string, importId: string, most: number): Promise<ImportEffect> {
    const { rows } = await sql<ImportEffect>`
      with written as (
        select (entry ->> 'submission_uuid')::uuid as submission_uuid,
          coalesce((entry ->> 'version')::integer, 1) as version
        from read.ingestion_outcome outcome
        cross join lateral json_array_elements(outcome.accepted) entry
        where outcome.ingestion_id = ${importId}
      ), touched as (
        select submission_uuid, min(version) as first, max(version) as last,
          count(distinct version) as versions
        from written group by submission_uuid
      ), record as (
        select touched.submission_uuid,
          case when touched.first = 1 then 'created'
            when exists (
              select from read.record_void void
              where void.submission_uuid = touched.submission_uuid
                and void.next_version = touched.first) then 'revived'
            else 'amended' end as by_import,
          held.version <> touched.last or touched.versions <> touched.last - touched.first + 1
            as is_changed
        from touched
        join read.birth_record held using (submission_uuid)
        where held.practice_id = ${practiceId}
      )
      select count(*) filter (where by_import = 'created')::integer as created,
        count(*) filter (where by_import = 'amended')::integer as amended,
        count(*) filter (where by_import = 'revived')::integer as revived,
        count(*) filter (where is_changed)::integer as changed,
        array(select submission_uuid::text from record where is_changed
          order by submission_uuid limit ${most}) as "firstChanged"
      from record`.execute(db);
    const [effect] = rows;
    if (effect === undefined) throw new Error('An aggregate gave no row.');
    return effect;
  },

  /** Progress of undoing an import, or `null` if no undo was started. */
  async undoOf(practiceId: string, importId: string): Promise<UndoProgress | null> {
    const progress = await withCamelCase(db)
      .selectFrom('read.ingestion')
      .select(['undoBy as by', 'undoBegunAt as begunAt', 'undoTotal as total'])
      .select(['undone as done', 'undoneAt'])
      .where('ingestionId', '=', importId)
      .where('practiceId', '=', practiceId)
      .where('undoBegunAt', 'is not', null)
      .$narrowType<{ by: NotNull; begunAt: NotNull; total: NotNull }>()
      .executeTakeFirst();
    return progress ?? null;
  },

  /** Imports with an undo in progress, of all practices, earliest first. */
  async beingUndone(): Promise<
    readonly { readonly practiceId: string; readonly importId: string }[]
  > {
    return withCamelCase(db)
      .selectFrom('read.ingestion')
      .select(['practiceId', 'ingestionId as importId'])
      .where('undoBegunAt', 'is not', null)
      .where('undoneAt', 'is', null)
      .orderBy('undoBegunAt')
      .execute();
  },

  /** Checked files that a member has not imported or deleted, newest first. */
  async waiting(practiceId: string, memberId: string): Promise<readonly WaitingCheck[]> {
    return withCamelCase(db)
      .selectFrom('app.stagedImport')
      .select(['importId', 'stagedAt as checkedAt', 'courses as rows'])
      .where('practiceId', '=', practiceId)
      .where('memberId', '=', memberId)
      .where('confirmedAt', 'is', null)
      .where('expiresAt', '>', sql<Date>`now()`)
      .orderBy('stagedAt', 'desc')
      .execute();
  },

  /** Returns `null` if the practice does not have this staged import, or no longer does. */
  async ownerOf(practiceId: string, importId: string): Promise<ImportOwner | null> {
    const owner = await withCamelCase(db)
      .selectFrom('app.stagedImport')
      .select(['memberId', sql<boolean>`confirmed_at is not null`.as('isConfirmed')])
      .select(sql<boolean>`expires_at <= now()`.as('isExpired'))
      .where('practiceId', '=', practiceId)
      .where('importId', '=', importId)
      .executeTakeFirst();
    return owner ?? null;
  },

  /** Deletes a member's own staged import unless it is confirmed. @returns true if deleted */
  async drop(practiceId: string, memberId: string, importId: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('app.staged_import')
      .where('import_id', '=', importId)
      .where('practice_id', '=', practiceId)
      .where('member_id', '=', memberId)
      .where('confirmed_at', 'is', null)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },

  /** If not in the read tables yet, the confirmed staged import, in one snapshot. */
  findProgress: (async (practiceId, importId) => {
    const { rows } = await sql<Found>`
      select status, started_by, received_at as started_at, courses as total, accepted, rejected,
        completed_at, exception, empty_rows, 1 as rank,
        (select count(*) from read.ingestion_outcome done
          where done.ingestion_id = ingestion.ingestion_id) as chunks
      from read.ingestion
      where ingestion_id = ${importId} and practice_id = ${practiceId} and source = 'csv'
      union all
      select 'queued', member_id, confirmed_at, courses, null, null, null, null, empty_rows, 2, 0
      from app.staged_import
      where import_id = ${importId} and practice_id = ${practiceId} and confirmed_at is not null
      order by rank limit 1`.execute(withCamelCase(db));
    const [found] = rows;
    if (found === undefined) return null;
    const { rank: _, chunks, ...progress } = found;
    const processed = Math.min(found.total, Number(chunks) * COURSES_PER_CHUNK);
    return { importId, processed, ...progress };
  }) satisfies FindProgress,

  readOutcomes: async function* (importId) {
    for (let next = 0; ; ) {
      const rows = await withCamelCase(db)
        .selectFrom('read.ingestionOutcome')
        .select(['chunk', 'accepted', 'rejected'])
        .select(sql<readonly number[]>`coalesce(rejected_at, '[]')`.as('rejectedAt'))
        .where('ingestionId', '=', importId)
        .where('chunk', '>=', next)
        .orderBy('chunk')
        .limit(CHUNKS_PER_PAGE)
        .execute();
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) return;
      next = last.chunk + 1;
    }
  } satisfies ReadOutcomes,
});

type Found = Omit<ImportProgress, 'importId' | 'processed'> & {
  readonly chunks: string;
  readonly rank: number;
};

const CHUNKS_PER_PAGE = 20;
