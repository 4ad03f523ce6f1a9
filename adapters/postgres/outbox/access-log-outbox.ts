import { sql } from 'kysely';
import type { AccessEvent } from '../../../domain/access-log/events.ts';
import type {
  DeadLetter,
  DeleteFromOutbox,
  EnqueueOutbox,
  OutboxEntry,
  PeekOutbox,
} from '../../../domain/access-log/ports.ts';
import type { Actor } from '../../../domain/event-log.ts';
import type { Db } from '../connection/database.ts';
import { groupCommit } from '../connection/group-commit.ts';

/** Notes of the access log between the request and the log. */
export interface AccessLogOutbox {
  readonly note: EnqueueOutbox;
  readonly oldest: PeekOutbox;
  readonly forget: DeleteFromOutbox;
  readonly setAside: DeadLetter;
  /** Puts those that were set aside among the others again, for a build that may know better. */
  takeBack(): Promise<void>;
  /** Whether any note is on its way: as quick to ask as a table is empty. */
  isAnyWaiting(): Promise<boolean>;
}

/** Whether a database has a place for notes: one that an older build has made has none. */
export const acceptsEntries = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('app.noted_access') is not null as found`.execute(db);
  return rows[0]?.found ?? false;
};

const MAX_PER_WRITE = 200;

/**
 * Keeps notes in `app.noted_access`. Requests that come together share one write: a page that
 * shows a record waits for one commit, and many pages for not many more.
 */
export const createAccessLogOutbox = (db: Db): AccessLogOutbox => {
  const write = async (groups: readonly (readonly OutboxEntry[])[]): Promise<void> => {
    await db
      .insertInto('app.noted_access')
      .values(
        groups.flat().map(({ noteId, event, actor, correlationId }) => ({
          note_id: noteId,
          event: JSON.stringify(event),
          actor: JSON.stringify(actor),
          correlation_id: correlationId,
        })),
      )
      .execute();
  };
  return {
    note: groupCommit(write, { most: MAX_PER_WRITE, weightOf: (notes) => notes.length }),

    async oldest(most, after) {
      const rows = await db
        .selectFrom('app.noted_access')
        .select(['note_id', 'seq', 'event', 'actor', 'correlation_id'])
        .where('set_aside_at', 'is', null)
        .where('seq', '>', String(after ?? 0n))
        .orderBy('seq')
        .limit(most)
        .execute();
      return rows.map((row) => ({
        noteId: row.note_id,
        seq: BigInt(row.seq),
        event: row.event as AccessEvent,
        actor: row.actor as Actor,
        correlationId: row.correlation_id,
      }));
    },

    async forget(noteIds) {
      if (noteIds.length === 0) return;
      await sql`delete from app.noted_access where note_id = any(${[...noteIds]}::uuid[])`.execute(
        db,
      );
    },

    async setAside(noteIds) {
      if (noteIds.length === 0) return;
      await sql`
        update app.noted_access set set_aside_at = now()
        where note_id = any(${[...noteIds]}::uuid[])`.execute(db);
    },

    async takeBack() {
      await sql`
        update app.noted_access set set_aside_at = null
        where set_aside_at is not null`.execute(db);
    },

    async isAnyWaiting() {
      const { rows } = await sql<{ found: boolean }>`
        select exists (select from app.noted_access where set_aside_at is null) as found`.execute(
        db,
      );
      return rows[0]?.found ?? false;
    },
  };
};
