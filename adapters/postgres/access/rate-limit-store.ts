import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { deleteInSlices } from '../connection/delete-in-slices.ts';
import { groupCommit } from '../connection/group-commit.ts';
import { DatabaseSilent } from '../connection/outage.ts';

export interface CountedHit {
  readonly totalHits: number;
  /** End of the window, on this process's clock. */
  readonly resetTime: Date;
}

export interface RateLimitStore {
  increment(key: string): Promise<CountedHit>;
  decrement(key: string): Promise<void>;
  resetKey(key: string): Promise<void>;
}

const MAX_HITS_PER_STATEMENT = 500;
/** Every request first waits for its count, so a hanging database must not block it for long. */
const ANSWER_MS = 4_000;

interface Hit {
  readonly bucket: string;
  counted: CountedHit | null;
}

interface BucketRow {
  readonly bucket: string;
  readonly hits: number;
  readonly remaining_ms: number;
}

/** Fixed window on the database's clock, for all processes. Hits during a statement share the next one. */
export const createRateLimitStore = (db: Db, name: string, windowMs: number): RateLimitStore => {
  const buildBucket = (key: string) => `${name}:${key}`;
  let nextCleaning = performance.now() + windowMs;

  const count = groupCommit(
    async (hits: readonly Hit[]) => {
      const rows = await countIn(db, hits, windowMs);
      handOut(hits, rows);
      if (performance.now() < nextCleaning) return;
      nextCleaning = performance.now() + windowMs;
      // Not awaited. The next cleanup deletes the rows that a failed one leaves.
      void dropExpired(db).catch(() => undefined);
    },
    { most: MAX_HITS_PER_STATEMENT },
  );

  return {
    async increment(key) {
      const hit: Hit = { bucket: buildBucket(key), counted: null };
      await inTime(count(hit));
      if (hit.counted === null) throw new TypeError('The statement gave no row for a bucket.');
      return hit.counted;
    },

    async decrement(key) {
      await sql`
        update app.rate_limit set hits = hits - 1
        where bucket = ${buildBucket(key)} and hits > 0 and resets_at > clock_timestamp()`.execute(
        db,
      );
    },

    async resetKey(key) {
      await sql`delete from app.rate_limit where bucket = ${buildBucket(key)}`.execute(db);
    },
  };
};

const inTime = (counting: Promise<void>): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new DatabaseSilent(`The hit was not counted within ${ANSWER_MS} ms.`));
    }, ANSWER_MS);
    counting.then(resolve, reject).finally(() => clearTimeout(late));
  });

const countIn = async (
  db: Db,
  hits: readonly Hit[],
  windowMs: number,
): Promise<ReadonlyMap<string, BucketRow>> => {
  const added = new Map<string, number>();
  for (const { bucket } of hits) added.set(bucket, (added.get(bucket) ?? 0) + 1);
  // Sorted by bucket, so that two processes do not deadlock. The clock is read once per row, so
  // that hits and window use the same time. A window that ends too late dates from before the
  // database's clock was set back.
  const { rows } = await sql<BucketRow>`
    insert into app.rate_limit as held (bucket, hits, resets_at)
    select bucket, hits, clock_timestamp() + ${windowMs} * interval '1 millisecond'
    from unnest(${[...added.keys()]}::text[], ${[...added.values()]}::integer[])
      as added (bucket, hits)
    order by bucket
    on conflict (bucket) do update set
      hits = excluded.hits + case
        when held.resets_at > excluded.resets_at - ${windowMs} * interval '1 millisecond'
          and held.resets_at < excluded.resets_at + ${windowMs} * interval '1 millisecond'
        then held.hits else 0 end,
      resets_at = case
        when held.resets_at > excluded.resets_at - ${windowMs} * interval '1 millisecond'
          and held.resets_at < excluded.resets_at + ${windowMs} * interval '1 millisecond'
        then held.resets_at else excluded.resets_at end
    returning bucket, hits,
      (extract(epoch from resets_at - clock_timestamp()) * 1000)::float8 as remaining_ms`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.bucket, row]));
};

/** Numbers the hits of a bucket in order of arrival. */
const handOut = (hits: readonly Hit[], rows: ReadonlyMap<string, BucketRow>): void => {
  const given = new Map<string, number>();
  for (const hit of hits.toReversed()) {
    const row = rows.get(hit.bucket);
    if (row === undefined) continue;
    const behind = given.get(hit.bucket) ?? 0;
    given.set(hit.bucket, behind + 1);
    hit.counted = {
      totalHits: row.hits - behind,
      resetTime: new Date(Date.now() + Math.max(0, row.remaining_ms)),
    };
  }
};

/** In slices, because there may be many. */
const dropExpired = (db: Db): Promise<void> =>
  deleteInSlices(db, 'app.rate_limit', sql`resets_at < clock_timestamp()`);
