import type { AppendToStream } from '../../domain/event-log.ts';
import type { AppPorts } from '../ports/app-ports.ts';

/** The practice lease expired, or another process has it now. */
export class PracticeLeaseLost extends Error {
  override readonly name: string = 'PracticeLeaseLost';
}

/**
 * A record has a newer revision than its decision expected. Unlike a lost lease this costs an attempt:
 * the next run reads the log, and a conflict that remains after that must not be retried forever.
 */
export class ConcurrentModification extends Error {
  override readonly name = 'ConcurrentModification';
}

/** The right of one process to write the records of a practice. */
export type PracticeLease = NonNullable<Awaited<ReturnType<AppPorts['leases']['take']>>>;

export interface LeaseStores {
  readonly log: Pick<AppPorts['log'], 'append' | 'end'>;
  readonly leases: Pick<AppPorts['leases'], 'renew' | 'release'>;
  readonly progress: Pick<AppPorts['progress'], 'reach' | 'position'>;
}

/** An acquired lease, with the last position written under the practice's leases. */
export interface AcquiredLease {
  /** Appends while the lease lasts. @throws PracticeLeaseLost */
  readonly append: AppendToStream;
  /**
   * True if earlier holders may have written past {@link highest}. A position past the end of the log is of a
   * newer log that was lost, so it is dropped: nothing would ever reach it.
   */
  isSeized(): Promise<boolean>;
  /** Last position known to be written under this practice's leases. */
  highest(): bigint;
  /** Raises {@link highest}, because a former lease holder may have written up to this position. */
  raise(position: bigint): void;
  /** Waits until the read tables show everything up to {@link highest}. */
  reach(): Promise<void>;
  /** Renews the lease for another batch of appends if it expires soon. @throws PracticeLeaseLost */
  renew(): Promise<void>;
  /** Extends the lease to its full length. @throws PracticeLeaseLost */
  extend(): Promise<void>;
  /**
   * Releases the lease unless it is lost.
   * @param isSettled true if its holders wrote nothing beyond {@link highest}
   */
  release(isSettled: boolean): Promise<void>;
}

/**
 * An append is sent only if the lease outlasts all of its retries: the last one begins within the
 * first limit, and the log may need the rest of the second to answer it.
 */
const APPEND_GIVE_UP_MS = 2_000;
const APPEND_NEEDS_MS = 3_500;
/** The lease is renewed if it has less time left than this. */
const RENEW_BELOW_MS = 5_500;
const PROJECTION_TIMEOUT_MS = 10_000;

/** Name of a practice's lease. */
export const practiceLeaseName = (practiceId: string): string => `turn:${practiceId}`;

/** Wraps an acquired lease as the fence for every write to the practice's records. */
export const acquirePracticeLease = (
  taken: PracticeLease,
  { log, leases, progress }: LeaseStores,
): AcquiredLease => {
  let lease: PracticeLease | null = taken;
  let highest = taken.highestPosition;
  const current = (): PracticeLease => {
    if (lease === null) throw new PracticeLeaseLost('The turn was taken by another.');
    return lease;
  };
  const leftMs = (): number => {
    const { until, isShown } = current();
    return isShown() ? until - performance.now() : 0;
  };
  // An append with an unknown outcome must not be retried after the next lease holder has decided.
  const mayTryAgain = (): boolean => lease?.isShown() === true;
  const extend = async (): Promise<void> => {
    lease = await leases.renew(current());
    current();
  };
  const raise = (position: bigint): void => {
    if (position > highest) highest = position;
  };
  return {
    async append(stream, expected, events, context) {
      if (leftMs() < APPEND_NEEDS_MS)
        throw new PracticeLeaseLost('The turn does not last long enough for another append.');
      const appended = await log.append(
        stream,
        expected,
        events,
        context,
        APPEND_GIVE_UP_MS,
        mayTryAgain,
      );
      if (appended.kind === 'appended') raise(appended.position);
      return appended;
    },
    async isSeized() {
      const { highestPosition, seized } = taken;
      if (highestPosition <= progress.position() || highestPosition <= (await log.end()))
        return seized;
      highest = 0n;
      return true;
    },
    highest: () => highest,
    raise,
    reach: () => progress.reach(highest, PROJECTION_TIMEOUT_MS),
    renew: async () => {
      if (leftMs() < RENEW_BELOW_MS) await extend();
    },
    extend,
    release: async (isSettled) => {
      if (lease !== null) await leases.release(lease, highest, isSettled);
    },
  };
};
