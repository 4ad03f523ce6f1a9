import { sql } from 'kysely';
import type { StreamEvent } from '../../../domain/event-log.ts';
import { EventInvalid } from '../../../domain/event-log-errors.ts';
import {
  isStorableName,
  kindOfStream,
  REGISTRY_STREAM,
  type StreamKind,
} from '../../../domain/stream-names.ts';
import { deserializeEvent, serializeEvent } from '../../event-log/event-catalog.ts';
import type { Db } from '../connection/database.ts';
import { loadCheckpoint } from '../projector/read-schema.ts';

export interface StreamCache {
  /** Caches a stream that was just read. Deletes the cached copy if the stream has no events. */
  put(stream: string, events: readonly StreamEvent[]): Promise<void>;
  /** `null` if never cached, not whole, or cached by a newer build that this one cannot read. */
  find(stream: string): Promise<readonly StreamEvent[] | null>;
}

const CACHED_KINDS: ReadonlySet<StreamKind | null> = new Set([
  REGISTRY_STREAM,
  'key',
  'partner',
  'practice',
]);

export const isCachedStream = (stream: string): boolean =>
  CACHED_KINDS.has(kindOfStream(stream)) && isStorableName(stream);

/** Longest read of a stream, in seconds. A copy older than this was read earlier. */
const MAX_READ_SECONDS = 60;

export const createStreamCache = (db: Db, registryId: string): StreamCache => ({
  async put(stream, events) {
    const last = events.at(-1);
    if (last === undefined) {
      await db
        .deleteFrom('app.kept_stream')
        .where('registry_id', '=', registryId)
        .where('stream', '=', stream)
        .execute();
      return;
    }
    const texts = JSON.stringify(events.map(serializeEvent));
    // The longer of two concurrent reads is newer. Later, a shorter one wins too: after a restore of the log.
    await sql`
      insert into app.kept_stream as kept (registry_id, stream, revision, events)
      values (${registryId}, ${stream}, ${last.revision.toString()}, ${texts})
      on conflict (registry_id, stream) do update
      set revision = excluded.revision, events = excluded.events, kept_at = excluded.kept_at
      where kept.revision < excluded.revision
        or kept.events -> 0 ->> 'revision' <> '0'
        or kept.kept_at < now() - make_interval(secs => ${MAX_READ_SECONDS})`.execute(db);
  },

  async find(stream) {
    const row = await db
      .selectFrom('app.kept_stream')
      .select('events')
      .where('registry_id', '=', registryId)
      .where('stream', '=', stream)
      .executeTakeFirst();
    // Earlier versions also stored streams whose first events were hidden.
    if (row === undefined || row.events.some(({ revision }, at) => revision !== `${at}`))
      return null;
    try {
      return row.events.map((event) => deserializeEvent(stream, event));
    } catch (error) {
      if (error instanceof EventInvalid) return null;
      throw error;
    }
  },
});

/** Registry of the read tables, else of the latest cached registry stream, else `null`. */
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
