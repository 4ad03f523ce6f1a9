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
import { hasTable, queryBoolean } from '../connection/conditions.ts';
import type { Db } from '../connection/database.ts';
import { groupCommit } from '../connection/group-commit.ts';

export interface AccessLogOutbox {
  readonly enqueue: EnqueueOutbox;
  readonly peek: PeekOutbox;
  readonly delete: DeleteFromOutbox;
  readonly deadLetter: DeadLetter;
  /** Returns dead letters to the outbox, for a release that may accept them. */
  requeueDeadLetters(): Promise<void>;
  isAnyWaiting(): Promise<boolean>;
}

/** False if an older release, without an outbox, migrated the database. */
export const acceptsEntries = (db: Db): Promise<boolean> => hasTable(db, 'app.noted_access');

const MAX_PER_WRITE = 200;

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
    enqueue: groupCommit(write, { most: MAX_PER_WRITE, weightOf: (notes) => notes.length }),

    async peek(most, after) {
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

    async delete(noteIds) {
      if (noteIds.length === 0) return;
      await sql`delete from app.noted_access where note_id = any(${[...noteIds]}::uuid[])`.execute(
        db,
      );
    },

    async deadLetter(noteIds) {
      if (noteIds.length === 0) return;
      await sql`
        update app.noted_access set set_aside_at = now()
        where note_id = any(${[...noteIds]}::uuid[])`.execute(db);
    },

    async requeueDeadLetters() {
      await sql`
        update app.noted_access set set_aside_at = null
        where set_aside_at is not null`.execute(db);
    },

    isAnyWaiting: () =>
      queryBoolean(db, sql`exists (select from app.noted_access where set_aside_at is null)`),
  };
};
