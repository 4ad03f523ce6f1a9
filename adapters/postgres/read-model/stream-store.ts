import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

type StoredStream = readonly [stream: string, text: string];

const MAX_BATCH_SIZE = 5_000;
const PAGE = 1_000;

/** In a temporary table that is dropped after the work. */
export const openStreamStore = <Result>(
  db: Db,
  work: (store: ReturnType<typeof createStore>) => Promise<Result>,
): Promise<Result> =>
  db.connection().execute(async (own) => {
    await sql`
      create temp table seen_stream (stream text collate "C" primary key, seen text not null)`.execute(
      own,
    );
    try {
      return await work(createStore(own));
    } finally {
      await sql`drop table if exists pg_temp.seen_stream`.execute(own).catch(() => undefined);
    }
  });

const createStore = (db: Db) => ({
  async put(streams: readonly StoredStream[]): Promise<void> {
    for (let from = 0; from < streams.length; from += MAX_BATCH_SIZE) {
      const some = streams.slice(from, from + MAX_BATCH_SIZE);
      await sql`
        insert into pg_temp.seen_stream
        select * from unnest(${some.map(([stream]) => stream)}::text[],
          ${some.map(([, text]) => text)}::text[])
        on conflict (stream) do update set seen = excluded.seen`.execute(db);
    }
  },
  async get(streams: readonly string[]): Promise<readonly StoredStream[]> {
    const { rows } = await sql<{ stream: string; seen: string }>`
      select stream, seen from pg_temp.seen_stream where stream = any(${streams}::text[])`.execute(
      db,
    );
    return rows.map(({ stream, seen }) => [stream, seen]);
  },
  async *pages(): AsyncIterable<readonly StoredStream[]> {
    let after = '';
    for (;;) {
      const { rows } = await sql<{ stream: string; seen: string }>`
        select stream, seen from pg_temp.seen_stream where stream > ${after}
        order by stream limit ${PAGE}`.execute(db);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(({ stream, seen }) => [stream, seen] as const);
      after = last.stream;
    }
  },
});
