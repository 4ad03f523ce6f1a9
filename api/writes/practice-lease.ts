import type { AppendToStream } from '../../domain/event-log.ts';
import type { AppPorts } from '../ports/app-ports.ts';

export class PracticeLeaseLost extends Error {
  override readonly name: string = 'PracticeLeaseLost';
}

/**
 * Unlike a lost lease this costs an attempt: the next run reads the log, and a conflict that
 * remains after that must not be retried forever.
 */
export class ConcurrentModification extends Error {
  override readonly name = 'ConcurrentModification';
}

export type PracticeLease = NonNullable<Awaited<ReturnType<AppPorts['leases']['takeForReads']>>>;

export interface LeaseStores {
  readonly log: Pick<AppPorts['log'], 'append' | 'end'>;
  readonly leases: Pick<AppPorts['leases'], 'renew' | 'release'>;
  readonly progress: Pick<AppPorts['progress'], 'reach' | 'position'>;
}

export interface AcquiredLease {
  /** @throws PracticeLeaseLost */
  readonly append: AppendToStream;
  /**
   * True if earlier holders may have written past {@link highest}. Drops a position past the end of
   * the log, which is of a newer log that was lost: nothing would ever reach it.
   */
  isSeized(): Promise<boolean>;
  /** Last position known to be written under this practice's leases. */
  highest(): bigint;
  /** A former lease holder may have written up to this position. */
  raise(position: bigint): void;
  /** Waits until the read tables show everything up to {@link highest}. */
  reach(): Promise<void>;
  /** Does nothing unless the lease expires soon. @throws PracticeLeaseLost */
  renew(): Promise<void>;
  /** @throws PracticeLeaseLost */
  extend(): Promise<void>;
  /** @param isSettled true if the holders wrote nothing beyond {@link highest} */
  release(isSettled: boolean): Promise<void>;
}

/**
 * The last retry begins within the first limit, and the log may need the rest of the second one.
 */
const APPEND_GIVE_UP_MS = 2_000;
const APPEND_NEEDS_MS = 3_500;
const RENEW_BELOW_MS = 5_500;
const PROJECTION_TIMEOUT_MS = 10_000;

export const practiceLeaseName = (practiceId: string): string => `turn:${practiceId}`;

export const acquirePracticeLease = (
  taken: PracticeLease,
  { log, leases, progress }: LeaseStores,
): AcquiredLease => {
  let lease: PracticeLease | null = taken;
  let highest = taken.highestPosition;
  const requireLease = (): PracticeLease => {
    if (lease === null)
      throw new PracticeLeaseLost('Another process has taken the practice lease.');
    return lease;
  };
  const computeRemainingMs = (): number => {
    const { until, isLivenessIntact } = requireLease();
    return isLivenessIntact() ? until - performance.now() : 0;
  };
  // An append with an unknown outcome must not be retried after the next lease holder has decided.
  const mayTryAgain = (): boolean => lease?.isLivenessIntact() === true;
  const extend = async (): Promise<void> => {
    lease = await leases.renew(requireLease());
    requireLease();
  };
  const raise = (position: bigint): void => {
    if (position > highest) highest = position;
  };
  return {
    async append(stream, expected, events, context) {
      if (computeRemainingMs() < APPEND_NEEDS_MS)
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
      if (computeRemainingMs() < RENEW_BELOW_MS) await extend();
    },
    extend,
    release: async (isSettled) => {
      if (lease !== null) await leases.release(lease, highest, isSettled);
    },
  };
};
