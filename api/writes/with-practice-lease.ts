import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppendToStream } from '../../domain/event-log.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import {
  acquirePracticeLease,
  type LeaseStores,
  type PracticeLease,
  practiceLeaseName,
} from './practice-lease.ts';

export class PracticeLeaseTimeout extends Error {
  override readonly name = 'PracticeLeaseTimeout';
}

export interface PracticeLeaseScope {
  /** @throws PracticeLeaseLost */
  readonly append: AppendToStream;
  /** @throws PracticeLeaseLost */
  renew(): Promise<void>;
  /** Includes everything in the log before the appends of this lease. */
  settle(): Promise<void>;
}

export interface LeaseDeps extends LeaseStores {
  readonly log: LeaseStores['log'] & Pick<AppPorts['log'], 'head'>;
  readonly leases: LeaseStores['leases'] &
    Pick<AppPorts['leases'], 'takeForReads' | 'request' | 'withdraw'>;
  readonly progress: LeaseStores['progress'] & Pick<AppPorts['progress'], 'observe'>;
}

export type WithPracticeLease = <T>(
  practiceId: string,
  work: (batch: PracticeLeaseScope) => Promise<T>,
) => Promise<T>;

// Longer than a lease, so that the lease of a killed process expires first. Even with the later
// waits for the read tables and the log, saving stays within half a minute.
const PRACTICE_LEASE_TIMEOUT_MS = 10_000;
const PRACTICE_LEASE_POLL_INTERVAL_MS = 25;

/**
 * When the work begins, the read tables show everything written under earlier leases.
 * @throws PracticeLeaseTimeout
 */
export const withPracticeLease = async <T>(
  stores: LeaseDeps,
  practiceId: string,
  work: (batch: PracticeLeaseScope) => Promise<T>,
): Promise<T> => {
  const taken = await takeRequested(practiceLeaseName(practiceId), stores);
  const lease = acquirePracticeLease(taken, stores);
  const giveBack = (isSettled: boolean) =>
    // The lease also expires without a release.
    lease.release(isSettled).catch(() => undefined);
  try {
    // A crashed lease holder may have written up to the current head of the log.
    if (await lease.isSeized()) lease.raise(await stores.log.head());
    await lease.reach();
    await lease.extend();
    const result = await work({ append: lease.append, renew: lease.renew, settle: lease.reach });
    await giveBack(true);
    return result;
  } catch (error) {
    // After a failed append we do not know what is in the log. We do not wait for the release,
    // since the database may be the part that failed.
    void giveBack(false);
    throw error;
  }
};

type TakeDeps = Pick<LeaseDeps, 'leases' | 'progress'>;

/** The holder releases the lease after the running batch. */
const takeRequested = async (name: string, stores: TakeDeps): Promise<PracticeLease> => {
  const { leases } = stores;
  const holder = randomUUID();
  try {
    const lease = await takeInTime(name, holder, stores);
    await leases.withdraw(name, holder);
    return lease;
  } catch (error) {
    // The request also expires by itself, so we do not wait for a database that may have failed.
    leases.withdraw(name, holder).catch(() => undefined);
    throw error;
  }
};

const takeInTime = async (
  name: string,
  holder: string,
  { leases, progress }: TakeDeps,
): Promise<PracticeLease> => {
  const started = performance.now();
  for (;;) {
    await leases.request(name, holder);
    const lease = await leases.takeForReads(name, holder, progress.observe);
    if (lease !== null) return lease;
    if (performance.now() - started > PRACTICE_LEASE_TIMEOUT_MS)
      throw new PracticeLeaseTimeout(
        'Many records of the practice are being written right now. Try again in a minute.',
      );
    await sleep(PRACTICE_LEASE_POLL_INTERVAL_MS);
  }
};
