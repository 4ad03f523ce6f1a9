import { sql } from 'kysely';
import type { FileRow } from '../../../domain/mapping/csv/row.ts';
import { COURSES_PER_CHUNK } from '../../../domain/submission/decide.ts';
import type { QueuedItem } from '../../../domain/submission/queued-item.ts';
import type {
  Confirmation,
  EarlierImport,
  FoundImport,
  ImportDraft,
  ImportSummary,
  PreviewRow,
  StagedImport,
} from '../../../domain/submission/staged-import.ts';
import { openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { openCourses, sealCourses } from '../queue/sealed-courses.ts';

export const IMPORT_TTL_HOURS = 24;
/** Maximum number of unconfirmed previews per member. A new one replaces the oldest. */
const MAX_PER_MEMBER = 5;
const MAX_BYTES_PER_INSERT = 1024 * 1024;

interface SealedChunk {
  readonly kind: 'courses' | 'preview' | 'cells';
  readonly chunk: number;
  readonly sealed: Buffer;
}

/** Courses are bound to their later attempt in the queue, so a confirmation moves them without decrypting. */
export const createStagedImportStore = (db: Db, cipher: RowCipher, queueTtlSeconds: number) => ({
  begin: (begun: Begun): ImportDraft => createDraft(db, cipher, begun),

  /** Returns `null` if the import is unknown, expired or another member's. */
  async find(practiceId: string, memberId: string, importId: string): Promise<FoundImport | null> {
    const row = await openImport(db, practiceId, memberId, importId).executeTakeFirst();
    if (row === undefined) return null;
    const { importable: _, summary, expiresAt, ...staged } = row;
    const binding = buildBinding(row.attempt, practiceId, 'summary', 0);
    return {
      staged,
      summary: await openJson<ImportSummary>(cipher, summary, binding),
      expiresAt,
    };
  },

  /** Rows of the preview in file order. Empty after confirmation. */
  async preview({ importId, attempt, practiceId }: StagedImport): Promise<readonly PreviewRow[]> {
    const chunks = await loadChunks(db, importId, 'preview');
    const opened = await Promise.all(
      chunks.map(({ chunk, sealed }) =>
        openJson<PreviewRow[]>(cipher, sealed, buildBinding(attempt, practiceId, 'preview', chunk)),
      ),
    );
    return opened.flat();
  },

  /** Courses of the rows in file order. Empty after confirmation. */
  async courses({ importId, attempt, practiceId }: StagedImport): Promise<readonly QueuedItem[]> {
    const chunks = await loadChunks(db, importId, 'courses');
    const opened: QueuedItem[] = [];
    for (const { chunk, sealed } of chunks) {
      const binding = buildBinding(attempt, practiceId, 'courses', chunk);
      opened.push(...(await openCourses(cipher, sealed, binding)));
    }
    return opened;
  },

  /** Rows as in the file, one chunk in memory at a time. */
  async *cells({ importId, attempt, practiceId }: StagedImport): AsyncIterable<FileRow> {
    const chunks = await loadChunks(db, importId, 'cells');
    for (const { chunk, sealed } of chunks) {
      const binding = buildBinding(attempt, practiceId, 'cells', chunk);
      yield* await openJson<FileRow[]>(cipher, sealed, binding);
    }
  },

  /** False if the import is already confirmed or deleted. */
  updateStaged: (
    staged: StagedImport,
    fill: (draft: Pick<ImportDraft, 'addCourses' | 'addPreview'>) => Promise<void>,
    summary: ImportSummary,
  ): Promise<boolean> => updateStagedIn(db, cipher, staged, fill, summary),

  /** Latest other import of the same file that was confirmed and not undone. */
  earlier: (staged: StagedImport): Promise<EarlierImport | null> => findEarlierImport(db, staged),

  /** One transaction, idempotent. Refuses if the consent question is still open. */
  confirm: (
    practiceId: string,
    memberId: string,
    importId: string,
    mayRepeat: boolean,
    correlationId: string,
  ): Promise<Confirmation> =>
    db.transaction().execute(async (transaction) => {
      const staged = await openImport(transaction, practiceId, memberId, importId)
        .forUpdate()
        .executeTakeFirst();
      if (staged === undefined) return { kind: 'gone' };
      const { attempt, isConfirmed, importable, summary } = staged;
      if (isConfirmed) return { kind: 'confirmed' };
      if (importable === 0) return { kind: 'nothing-to-import' };
      const binding = buildBinding(attempt, practiceId, 'summary', 0);
      const { asksConsent, consent } = await openJson<ImportSummary>(cipher, summary, binding);
      if (asksConsent === true && consent === undefined) return { kind: 'consent-open' };
      // If two previews of one file are confirmed concurrently, the second sees the first.
      await sql`select pg_advisory_xact_lock(hashtextextended(${staged.fileHash}, 0))`.execute(
        transaction,
      );
      const earlier = mayRepeat ? null : await findEarlierImport(transaction, staged);
      if (earlier !== null) return { kind: 'repeated', earlier };
      await transaction
        .updateTable('app.staged_import')
        .set({ confirmed_at: sql<Date>`now()` })
        .where('import_id', '=', importId)
        .execute();
      await queueConfirmed(transaction, importId, { queueTtlSeconds, correlationId });
      return { kind: 'confirmed' };
    }),

  async dropExpired(): Promise<void> {
    await sql`
      delete from app.staged_import
      where expires_at < now() and (confirmed_at is null or announced_at is not null)`.execute(db);
  },
});

/** The worker picks them up. Import and ingestion share their id. */
const queueConfirmed = async (
  db: Db,
  importId: string,
  as: { queueTtlSeconds: number; correlationId: string },
): Promise<void> => {
  await sql`
    with staged as (
      update app.staged_import set announced_at = now()
      where import_id = ${importId} and confirmed_at is not null and announced_at is null
      returning *
    ), courses as (
      select part.chunk, part.sealed from app.staged_import_chunk part
      where part.import_id in (select import_id from staged) and part.kind = 'courses'
    ), entry as (
      insert into app.submission
        (ingestion_id, attempt, practice_id, key_kind, sender_id, file_hash, empty_rows,
          correlation_id, received_at, courses, bytes, sealed, expires_at)
      select import_id, attempt, practice_id, null, member_id, file_hash, empty_rows,
        ${as.correlationId}, confirmed_at, courses,
        (select coalesce(sum(octet_length(sealed)), 0) from courses),
        (select sealed from courses where staged.courses <= ${COURSES_PER_CHUNK}),
        now() + ${as.queueTtlSeconds} * interval '1 second'
      from staged
      on conflict (ingestion_id) do nothing
      returning ingestion_id, courses
    ), chunks as (
      insert into app.submission_chunk (ingestion_id, chunk, sealed)
      select entry.ingestion_id, courses.chunk, courses.sealed
      from entry cross join courses where entry.courses > ${COURSES_PER_CHUNK}
    )
    delete from app.staged_import_chunk
    where import_id in (select import_id from staged) and kind <> 'cells'`.execute(db);
};

const loadChunks = (db: Db, importId: string, kind: 'preview' | 'courses' | 'cells') =>
  db
    .selectFrom('app.staged_import_chunk')
    .select(['chunk', 'sealed'])
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .orderBy('chunk')
    .execute();

/** Courses are bound as in the queue. Everything that never moves there has its own binding. */
const buildBinding = (
  attempt: string,
  practiceId: string,
  kind: 'courses' | 'preview' | 'summary' | 'cells',
  chunk: number,
) => ({
  practiceId,
  part: chunk,
  keyKind: null,
  row: kind === 'courses' ? attempt : `${kind} of ${attempt}`,
});

const findEarlierImport = async (db: Db, staged: StagedImport): Promise<EarlierImport | null> => {
  const { practiceId, fileHash, importId } = staged;
  // The read tables contain all imports except the most recent ones, which are only here.
  const { rows } = await sql<EarlierImport>`
    select ingestion_id as import_id, started_by as member_id, received_at as at
    from read.ingestion
    where practice_id = ${practiceId} and file_hash = ${fileHash}
      and ingestion_id <> ${importId} and status <> 'failed' and undone_at is null
    union all
    select import_id, member_id, confirmed_at from app.staged_import
    where practice_id = ${practiceId} and file_hash = ${fileHash}
      and import_id <> ${importId} and confirmed_at is not null
      and not exists (
        select from read.ingestion ended
        where ended.ingestion_id = staged_import.import_id
          and (ended.status = 'failed' or ended.undone_at is not null)
      )
    order by at desc limit 1`.execute(withCamelCase(db));
  return rows[0] ?? null;
};

const openImport = (db: Db, practiceId: string, memberId: string, importId: string) =>
  withCamelCase(db)
    .selectFrom('app.stagedImport')
    .select(['importId', 'practiceId', 'memberId', 'attempt', 'fileHash', 'courses', 'emptyRows'])
    .select(sql<boolean>`confirmed_at is not null`.as('isConfirmed'))
    .select(['importable', 'summary', 'expiresAt'])
    .where('importId', '=', importId)
    .where('practiceId', '=', practiceId)
    .where('memberId', '=', memberId)
    .where('expiresAt', '>', sql<Date>`now()`);

type Begun = Pick<StagedImport, 'importId' | 'practiceId' | 'memberId' | 'attempt' | 'fileHash'>;

const updateStagedIn = async (
  db: Db,
  cipher: RowCipher,
  staged: StagedImport,
  fill: (draft: Pick<ImportDraft, 'addCourses' | 'addPreview'>) => Promise<void>,
  summary: ImportSummary,
): Promise<boolean> => {
  const { importId, attempt, practiceId, courses } = staged;
  const chunks = createChunkSealer(cipher, staged);
  await fill(chunks);
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('app.staged_import')
      .set({
        importable: courses - summary.counts.refused,
        summary: sealJson(cipher, summary, buildBinding(attempt, practiceId, 'summary', 0)),
      })
      .where('import_id', '=', importId)
      .where('confirmed_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await transaction
      .deleteFrom('app.staged_import_chunk')
      .where('import_id', '=', importId)
      .where('kind', 'in', ['courses', 'preview'])
      .execute();
    for (const some of inBatches(chunks.sealed)) await insertChunks(transaction, importId, some);
    return true;
  });
};

const createChunkSealer = (cipher: RowCipher, { attempt, practiceId }: Begun) => {
  const sealed: SealedChunk[] = [];
  let courseChunks = 0;
  let previewChunks = 0;
  let cellChunks = 0;
  return {
    sealed,
    addCells(rows: readonly FileRow[]) {
      const chunk = cellChunks++;
      const binding = buildBinding(attempt, practiceId, 'cells', chunk);
      sealed.push({ kind: 'cells', chunk, sealed: sealJson(cipher, rows, binding) });
    },
    addCourses(courses: readonly QueuedItem[]) {
      const chunk = courseChunks++;
      sealed.push({
        kind: 'courses',
        chunk,
        sealed: sealCourses(cipher, courses, buildBinding(attempt, practiceId, 'courses', chunk)),
      });
    },
    addPreview(rows: readonly PreviewRow[]) {
      const chunk = previewChunks++;
      sealed.push({
        kind: 'preview',
        chunk,
        sealed: sealJson(cipher, rows, buildBinding(attempt, practiceId, 'preview', chunk)),
      });
    },
  } satisfies Omit<ImportDraft, 'save'> & { sealed: SealedChunk[] };
};

const createDraft = (db: Db, cipher: RowCipher, begun: Begun): ImportDraft => {
  const { importId, practiceId, memberId, attempt, fileHash } = begun;
  const { sealed, addCourses, addPreview, addCells } = createChunkSealer(cipher, begun);
  return {
    addCells,
    addCourses,
    addPreview,
    save: (emptyRows, courses, summary) =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('app.staged_import')
          .values({
            import_id: importId,
            practice_id: practiceId,
            member_id: memberId,
            attempt,
            file_hash: fileHash,
            courses,
            importable: courses - summary.counts.refused,
            empty_rows: JSON.stringify(emptyRows),
            summary: sealJson(cipher, summary, buildBinding(attempt, practiceId, 'summary', 0)),
            expires_at: sql<Date>`now() + ${IMPORT_TTL_HOURS} * interval '1 hour'`,
            confirmed_at: null,
            announced_at: null,
          })
          .execute();
        for (const chunks of inBatches(sealed)) await insertChunks(transaction, importId, chunks);
        await sql`
          delete from app.staged_import where import_id in (
            select import_id from app.staged_import
            where practice_id = ${practiceId} and member_id = ${memberId} and confirmed_at is null
            order by staged_at desc offset ${MAX_PER_MEMBER}
          )
          -- one that is confirmed while this waits for its row stays
          and confirmed_at is null`.execute(transaction);
      }),
  };
};

const insertChunks = async (
  db: Db,
  importId: string,
  chunks: readonly SealedChunk[],
): Promise<void> => {
  await sql`
    insert into app.staged_import_chunk (import_id, kind, chunk, sealed)
    select ${importId}, new_chunk.* from unnest(
      ${chunks.map(({ kind }) => kind)}::text[],
      ${chunks.map(({ chunk }) => chunk)}::integer[],
      ${chunks.map(({ sealed }) => sealed)}::bytea[]
    ) as new_chunk`.execute(db);
};

const inBatches = (chunks: readonly SealedChunk[]): readonly (readonly SealedChunk[])[] => {
  const batches: SealedChunk[][] = [];
  let bytes = MAX_BYTES_PER_INSERT;
  for (const one of chunks) {
    if (bytes >= MAX_BYTES_PER_INSERT) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(one);
    bytes += one.sealed.length;
  }
  return batches;
};
