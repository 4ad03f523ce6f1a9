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

/** The turn of a practice stayed with another for too long. */
export class PracticeLeaseTimeout extends Error {
  override readonly name = 'PracticeLeaseTimeout';
}

/** A practice's turn in the hands of a command or a page. */
export interface PracticeLeaseScope {
  /** Appends while the turn lasts. @throws PracticeLeaseLost */
  readonly append: AppendToStream;
  /** Keeps the turn for another batch of appends. @throws PracticeLeaseLost */
  renew(): Promise<void>;
  /** The read tables hold what was appended in this turn, and all that was in the log before it. */
  settle(): Promise<void>;
}

/** What a turn is taken with. */
export interface LeaseDeps extends LeaseStores {
  readonly log: LeaseStores['log'] & Pick<AppPorts['log'], 'head'>;
  readonly leases: LeaseStores['leases'] &
    Pick<AppPorts['leases'], 'take' | 'request' | 'withdraw'>;
}

/** {@link withPracticeLease} on some stores. */
export type WithPracticeLease = <T>(
  practiceId: string,
  work: (batch: PracticeLeaseScope) => Promise<T>,
) => Promise<T>;

// Longer than a lease: the turn of a process that was killed ends before the wait does. With the
// waits behind it, for the read tables and for the log, a person who saves is answered in half a minute.
const TURN_WITHIN_MS = 10_000;
const TURN_POLL_MS = 25;

/**
 * Does something in a practice's turn: asks the worker for it, waits, and gives it back. When the
 * work begins, the read tables hold everything that earlier turns have written.
 * @throws PracticeLeaseTimeout
 */
export const withPracticeLease = async <T>(
  stores: LeaseDeps,
  practiceId: string,
  work: (batch: PracticeLeaseScope) => Promise<T>,
): Promise<T> => {
  const taken = await takeRequested(practiceLeaseName(practiceId), stores.leases);
  const lease = acquirePracticeLease(taken, stores);
  const giveBack = (isSettled: boolean) =>
    // It would end by itself.
    lease.release(isSettled).catch(() => undefined);
  try {
    // How far a holder that died has written is not known: not beyond what the log holds now.
    if (taken.seized) lease.raise(await stores.log.head());
    await lease.reach();
    await lease.extend();
    const result = await work({ append: lease.append, renew: lease.renew, settle: lease.reach });
    await giveBack(true);
    return result;
  } catch (error) {
    // An append that fails leaves it open what the log holds. Where the database does not
    // answer, there is no second wait for it.
    void giveBack(false);
    throw error;
  }
};

/** Waits for the turn, and says so: its holder gives it back after the batch under way. */
const takeRequested = async (name: string, leases: LeaseDeps['leases']): Promise<PracticeLease> => {
  const holder = randomUUID();
  try {
    const lease = await takeInTime(name, holder, leases);
    await leases.withdraw(name, holder);
    return lease;
  } catch (error) {
    // It would run out by itself: where the database does not answer, there is no second wait.
    leases.withdraw(name, holder).catch(() => undefined);
    throw error;
  }
};

const takeInTime = async (
  name: string,
  holder: string,
  leases: LeaseDeps['leases'],
): Promise<PracticeLease> => {
  const started = performance.now();
  for (;;) {
    await leases.request(name, holder);
    const lease = await leases.take(name, holder);
    if (lease !== null) return lease;
    if (performance.now() - started > TURN_WITHIN_MS)
      throw new PracticeLeaseTimeout(
        'Many records of the practice are being written right now. Try again in a minute.',
      );
    await sleep(TURN_POLL_MS);
  }
};
