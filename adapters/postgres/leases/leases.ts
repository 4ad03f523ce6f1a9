import { sql } from 'kysely';
import { queryBoolean } from '../connection/conditions.ts';
import type { Db } from '../connection/database.ts';
import type { LivenessLock } from './liveness-lock.ts';

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Latest end, in monotonic time of this process (`performance.now()`, ms). */
  readonly until: number;
  /** Position of the last log write by holders that released the lease. */
  readonly highestPosition: bigint;
  /** True if an earlier holder may have written past `highestPosition`. */
  readonly seized: boolean;
  /** False once its liveness lock is lost, as after a restart of Postgres: others can take it at once. */
  readonly isLivenessIntact: () => boolean;
}

/** Learns the position of the read tables from the answer of a query. */
export type ObservePosition = <
  Answer extends { readonly position: bigint; readonly epoch: string } | null,
>(
  query: () => Promise<Answer>,
) => Promise<Answer>;

/** Leaves a margin below the promised ten seconds for a busy processor. */
export const LEASE_MS = 6_500;

/**
 * Leases on the database's clock. A holder that is dead or frozen loses its lease after `leaseMs`.
 * @param leaseMs duration of a lease unless renewed
 * @param presence liveness lock of this process, by which others detect its death immediately;
 * `null` if a pooler may be in between, so leases only end by time
 */
export const createLeases = (db: Db, leaseMs: number, presence: LivenessLock | null) => {
  /** Duration and liveness count from before the query, so a lease never ends later than in the database. */
  const startClaim = (name: string, holder: string): Claim => {
    const key = presence?.key() ?? null;
    return {
      name,
      holder,
      key,
      until: performance.now() + leaseMs,
      // Without a key, the lease ends by time alone.
      isLivenessIntact: () => key === null || presence?.key() === key,
    };
  };
  const end = sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;

  // A new lease row counts as seized: the database may be younger than the log.
  const insert = ({ name, holder, key }: Claim, skipIfRequested: boolean) => sql`
    insert into app.lease as held (name, holder, presence, expires_at, seized)
    values (${name}, ${holder}, ${key}::bigint, ${end}, true)
    on conflict (name) do update
      set holder = excluded.holder, presence = excluded.presence,
        expires_at = excluded.expires_at,
        seized = held.seized
          or (held.holder is not null and held.holder <> excluded.holder)
      where (held.holder is null or held.holder = excluded.holder
        or held.expires_at < clock_timestamp()
        or (held.presence is not null and pg_try_advisory_xact_lock(held.presence)))
        and not (${skipIfRequested}::boolean and ${isRequested(name, holder)})
    returning highest_position, seized`;

  return {
    /** `null` while another has it. */
    async take(name: string, holder: string): Promise<Lease | null> {
      const claim = startClaim(name, holder);
      const { rows } = await sql<LeaseAnswer>`${insert(claim, false)}`.execute(db);
      return toLease(claim, rows[0]);
    },

    /**
     * Takes a lease for work that reads the tables. The same query observes their position: one that
     * was known before may be of a database that has crashed since.
     * @param skipIfRequested also returns `null` while another waits for it
     */
    async takeForReads(
      name: string,
      holder: string,
      observe: ObservePosition,
      skipIfRequested = false,
    ): Promise<Lease | null> {
      const claim = startClaim(name, holder);
      const answer = await observe(async () => {
        const { rows } = await sql<LeaseAnswer & { position: string; epoch: string }>`
          ${insert(claim, skipIfRequested)},
            (select position from read.checkpoint), (select epoch from read.checkpoint)`.execute(
          db,
        );
        const [row] = rows;
        return row === undefined ? null : { ...row, position: BigInt(row.position) };
      });
      return toLease(claim, answer);
    },

    async renew({ name, holder }: Lease): Promise<Lease | null> {
      const claim = startClaim(name, holder);
      const { rows } = await sql<LeaseAnswer>`
        update app.lease set expires_at = ${end}, presence = ${claim.key}::bigint
        where name = ${name} and holder = ${holder}
        returning highest_position, seized`.execute(db);
      return toLease(claim, rows[0]);
    },

    /** @param isSettled true if the log has nothing newer: no append of unknown outcome, all writes projected */
    async release(lease: Lease, highestPosition: bigint, isSettled: boolean): Promise<void> {
      await sql`
        update app.lease
        set holder = null, seized = ${!isSettled},
          highest_position = ${highestPosition.toString()}::bigint
        where name = ${lease.name} and holder = ${lease.holder}`.execute(db);
    },

    /** Milliseconds until a lease ends unless its holder renews it; 0 if it is free. */
    async remainingMs(name: string): Promise<number> {
      const { rows } = await sql<{ ms: number }>`
        select greatest(extract(epoch from expires_at - clock_timestamp()) * 1000, 0)::float8 as ms
        from app.lease where name = ${name} and holder is not null`.execute(db);
      return rows[0]?.ms ?? 0;
    },

    async request(name: string, requester: string): Promise<void> {
      await sql`
        insert into app.lease_request (name, requester, expires_at)
        values (${name}, ${requester}, clock_timestamp() + ${leaseMs} * interval '1 millisecond')
        on conflict (name, requester) do update set expires_at = excluded.expires_at`.execute(db);
    },

    async withdraw(name: string, requester: string): Promise<void> {
      await sql`
      delete from app.lease_request where name = ${name} and requester = ${requester}`.execute(db);
    },

    isRequested: (name: string, holder: string): Promise<boolean> =>
      queryBoolean(db, isRequested(name, holder)),
  };
};

/** @see createLeases */
export type Leases = ReturnType<typeof createLeases>;

const isRequested = (name: string, holder: string) => sql`exists (
  select from app.lease_request
  where name = ${name} and requester <> ${holder} and expires_at > clock_timestamp()
)`;

interface LeaseAnswer {
  readonly highest_position: string;
  readonly seized: boolean;
}

interface Claim extends Pick<Lease, 'name' | 'holder' | 'until' | 'isLivenessIntact'> {
  readonly key: string | null;
}

const toLease = (
  { name, holder, until, isLivenessIntact }: Claim,
  row: LeaseAnswer | null | undefined,
): Lease | null =>
  row == null
    ? null
    : {
        ...{ name, holder, until, isLivenessIntact },
        highestPosition: BigInt(row.highest_position),
        seized: row.seized,
      };
