import { sql } from 'kysely';
import type { StoredEvent } from '../../../domain/event-log.ts';
import { EventInvalid } from '../../../domain/event-log-errors.ts';
import { kindOfStream, REGISTRY_STREAM, type StreamKind } from '../../../domain/stream-names.ts';
import { fromKeptEvent, toKeptEvent } from '../../event-log/event-catalog.ts';
import type { Db } from '../connection/database.ts';
import { loadCheckpoint } from '../projector/read-schema.ts';

/** Streams of a registry's log as they were last read. */
export interface KeptStreams {
  /** Keeps a stream as it was just read; one without events is kept no longer. */
  keep(stream: string, events: readonly StoredEvent[]): Promise<void>;
  /** Null: it was never read, or by a newer build only. */
  find(stream: string): Promise<readonly StoredEvent[] | null>;
}

const KEPT: ReadonlySet<StreamKind | null> = new Set([
  REGISTRY_STREAM,
  'key',
  'partner',
  'practice',
]);

/** Whether taking a submission needs a stream. */
export const isKeptStream = (stream: string): boolean => KEPT.has(kindOfStream(stream));

/** No read of a stream takes longer: what was kept before was not read later. Seconds. */
const MAX_READ_SECONDS = 60;

/** @see KeptStreams */
export const createKeptStreams = (db: Db, registryId: string): KeptStreams => ({
  async keep(stream, events) {
    const last = events.at(-1);
    if (last === undefined) {
      await db
        .deleteFrom('app.kept_stream')
        .where('registry_id', '=', registryId)
        .where('stream', '=', stream)
        .execute();
      return;
    }
    const texts = JSON.stringify(events.map(toKeptEvent));
    // Of two reads at once the longer stream is the later; a log restored from a backup holds less.
    await sql`
      insert into app.kept_stream as kept (registry_id, stream, revision, events)
      values (${registryId}, ${stream}, ${last.revision.toString()}, ${texts})
      on conflict (registry_id, stream) do update
      set revision = excluded.revision, events = excluded.events, kept_at = excluded.kept_at
      where kept.revision < excluded.revision
        or kept.kept_at < now() - make_interval(secs => ${MAX_READ_SECONDS})`.execute(db);
  },

  async find(stream) {
    const row = await db
      .selectFrom('app.kept_stream')
      .select('events')
      .where('registry_id', '=', registryId)
      .where('stream', '=', stream)
      .executeTakeFirst();
    try {
      return row?.events.map((event) => fromKeptEvent(stream, event)) ?? null;
    } catch (error) {
      if (error instanceof EventInvalid) return null;
      throw error;
    }
  },
});

/** The registry that the tables of a database belong to, or were last used with; null: none yet. */
export const findKnownRegistryId = async (db: Db): Promise<string | null> => {
  const checkpoint = await loadCheckpoint(db);
  if (checkpoint !== null) return checkpoint.registryId;
  const row = await db
    .selectFrom('app.kept_stream')
    .select('registry_id')
    .where('stream', '=', REGISTRY_STREAM)
    .orderBy('kept_at', 'desc')
    .executeTakeFirst();
  return row?.registry_id ?? null;
};
