import { sql } from 'kysely';
import type { FileRefusal } from '../../../domain/mapping/csv/header.ts';
import { buildAssociatedData, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';
import type { Db } from '../connection/database.ts';

export interface FileCheck {
  readonly memberId: string;
  /** Rows checked so far, of all rows; 0 of 0 until the file has been read. */
  readonly done: number;
  readonly total: number;
  /** Why the file was refused; `null` while it is checked. */
  readonly refusal: FileRefusal | null;
  readonly isInterrupted: boolean;
}

/** A check is interrupted if its process has not been seen for so long. */
const INTERRUPTED_AFTER_SECONDS = 20;
const RETENTION_HOURS = 24;

/** Files that are checked, by any process. What they contain stays in the process that checks them. */
export const createFileCheckStore = (db: Db, cipher: RowCipher) => ({
  async begin(importId: string, practiceId: string, memberId: string): Promise<void> {
    await db
      .insertInto('app.file_check')
      .values({ import_id: importId, practice_id: practiceId, member_id: memberId, refusal: null })
      .execute();
  },

  async noteProgress(importId: string, done: number, total: number): Promise<void> {
    await sql`
      update app.file_check set seen_at = now(), done_rows = ${done}, total_rows = ${total}
      where import_id = ${importId}`.execute(db);
  },

  async refuse(importId: string, practiceId: string, refusal: FileRefusal): Promise<void> {
    const sealed = sealJson(cipher, refusal, buildBinding(practiceId, importId));
    await sql`
      update app.file_check set refusal = ${sealed} where import_id = ${importId}`.execute(db);
  },

  /** Ends a check: its staged import, or the page that refused the file, replaces it. */
  async end(importId: string): Promise<void> {
    await db.deleteFrom('app.file_check').where('import_id', '=', importId).execute();
  },

  async find(practiceId: string, importId: string): Promise<FileCheck | null> {
    const row = await db
      .selectFrom('app.file_check')
      .select(['member_id', 'done_rows', 'total_rows', 'refusal'])
      .select(
        sql<boolean>`seen_at < now() - make_interval(secs => ${INTERRUPTED_AFTER_SECONDS})`.as(
          'is_unseen',
        ),
      )
      .where('practice_id', '=', practiceId)
      .where('import_id', '=', importId)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { member_id: memberId, done_rows: done, total_rows: total, refusal, is_unseen } = row;
    return {
      memberId,
      done,
      total,
      refusal:
        refusal === null
          ? null
          : await openJson<FileRefusal>(cipher, refusal, buildBinding(practiceId, importId)),
      isInterrupted: refusal === null && is_unseen,
    };
  },

  async listRunning(practiceId: string, memberId: string): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('app.file_check')
      .select('import_id')
      .where('practice_id', '=', practiceId)
      .where('member_id', '=', memberId)
      .where('refusal', 'is', null)
      .where(sql<boolean>`seen_at >= now() - make_interval(secs => ${INTERRUPTED_AFTER_SECONDS})`)
      .orderBy('begun_at', 'desc')
      .execute();
    return rows.map((row) => row.import_id);
  },

  async dropExpired(): Promise<void> {
    await sql`
      delete from app.file_check
      where begun_at < now() - make_interval(hours => ${RETENTION_HOURS})`.execute(db);
  },
});

/** A refusal moved to another practice cannot be decrypted. */
const buildBinding = (practiceId: string, importId: string) =>
  buildAssociatedData(`file check ${importId}`, practiceId);
