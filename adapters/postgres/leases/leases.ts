import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { LivenessLock } from './liveness-lock.ts';

/** A lease held: what it protects may be done until `until`. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Monotonic time of this process (`performance.now()`, ms) at which it ends at the latest. */
  readonly until: number;
  /** Position of the last thing that the holders who gave it back wrote to the log. */
  readonly highestPosition: bigint;
  /** A holder before may have written more than `highestPosition` says. */
  readonly seized: boolean;
  /**
   * Whether this process still shows the sign of life that the lease was taken or renewed with: when
   * it does not, as after a restart of Postgres, others take the lease at once.
   */
  readonly isShown: () => boolean;
}

/**
 * Leases on the database's clock. A holder that is gone or frozen loses its lease in `leaseMs`.
 * @param leaseMs how long a lease lasts unless renewed
 * @param presence sign of life of this process, by which others see at once that it is gone; null
 * where connections may be pooled on the way: then a lease ends by time alone
 */
export const createLeases = (db: Db, leaseMs: number, presence: LivenessLock | null) => ({
  /**
   * Takes a lease; null while another holds it.
   * @param givesWay not while anybody waits for it either
   */
  async take(name: string, holder: string, givesWay = false): Promise<Lease | null> {
    const asked = performance.now();
    const key = presence?.key() ?? null;
    // A lease without a past is seized: the database may be younger than the log.
    const { rows } = await sql<LeaseAnswer>`
      insert into app.lease as held (name, holder, presence, expires_at, seized)
      values (${name}, ${holder}, ${key}::bigint,
        clock_timestamp() + ${leaseMs} * interval '1 millisecond', true)
      on conflict (name) do update
        set holder = excluded.holder, presence = excluded.presence,
          expires_at = excluded.expires_at,
          seized = held.seized
            or (held.holder is not null and held.holder <> excluded.holder)
        where (held.holder is null or held.holder = excluded.holder
          or held.expires_at < clock_timestamp()
          or (held.presence is not null and pg_try_advisory_xact_lock(held.presence)))
          and not (${givesWay}::boolean and ${requestedOf(name, holder)})
      returning highest_position, seized`.execute(db);
    return leaseOf(
      { name, holder, until: asked + leaseMs, isShown: readShownName(key, presence) },
      rows[0],
    );
  },

  /** Keeps a lease for longer; null if anybody has had it meanwhile. */
  async renew({ name, holder }: Lease): Promise<Lease | null> {
    const asked = performance.now();
    const key = presence?.key() ?? null;
    const { rows } = await sql<LeaseAnswer>`
      update app.lease
      set expires_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
        presence = ${key}::bigint
      where name = ${name} and holder = ${holder}
      returning highest_position, seized`.execute(db);
    return leaseOf(
      { name, holder, until: asked + leaseMs, isShown: readShownName(key, presence) },
      rows[0],
    );
  },

  /**
   * Gives the lease back.
   * @param highestPosition how far its holder wrote
   * @param isSettled whether that is all that was written up to now: no append of unknown outcome,
   * and nothing of an earlier holder that is not projected
   */
  async release(lease: Lease, highestPosition: bigint, isSettled: boolean): Promise<void> {
    await sql`
      update app.lease
      set holder = null, seized = ${!isSettled},
        highest_position = greatest(highest_position, ${highestPosition.toString()}::bigint)
      where name = ${lease.name} and holder = ${lease.holder}`.execute(db);
  },

  /** Says that another holder waits for the lease. The wish lapses in `leaseMs`. */
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

  /** Whether anybody but the holder waits for the lease. */
  async isRequested(name: string, holder: string): Promise<boolean> {
    const { rows } = await sql<{ found: boolean }>`
      select ${requestedOf(name, holder)} as found`.execute(db);
    return rows[0]?.found ?? false;
  },
});

/** @see createLeases */
export type Leases = ReturnType<typeof createLeases>;

const requestedOf = (name: string, holder: string) => sql`exists (
  select from app.lease_request
  where name = ${name} and requester <> ${holder} and expires_at > clock_timestamp()
)`;

interface LeaseAnswer {
  readonly highest_position: string;
  readonly seized: boolean;
}

// Without a key the lease ends by time alone.
const readShownName =
  (key: string | null, presence: LivenessLock | null): Lease['isShown'] =>
  () =>
    key === null || presence?.key() === key;

/** @param asked its `until` counts from before the request: never later than the database has it */
const leaseOf = (
  asked: Pick<Lease, 'name' | 'holder' | 'until' | 'isShown'>,
  row: LeaseAnswer | undefined,
): Lease | null =>
  row === undefined
    ? null
    : { ...asked, highestPosition: BigInt(row.highest_position), seized: row.seized };
