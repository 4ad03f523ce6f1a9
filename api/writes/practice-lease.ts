import type { AppendToStream } from '../../domain/event-log.ts';
import type { AppPorts } from '../ports/app-ports.ts';

/** The turn ended before its work did: the lease ran out or the records moved under it. */
export class PracticeLeaseLost extends Error {
  override readonly name: string = 'PracticeLeaseLost';
}

/**
 * A record was found at another revision than it was decided on. Unlike a lost lease it costs a
 * try: the next run reads the log, and what does not heal by that must not be tried for ever.
 */
export class ConcurrentModification extends Error {
  override readonly name = 'ConcurrentModification';
}

/** A lease on a practice's turn. */
export type PracticeLease = NonNullable<Awaited<ReturnType<AppPorts['leases']['take']>>>;

/** What holding a lease works with. */
export interface LeaseStores {
  readonly log: Pick<AppPorts['log'], 'append'>;
  readonly leases: Pick<AppPorts['leases'], 'renew' | 'release'>;
  readonly progress: Pick<AppPorts['progress'], 'reach'>;
}

/** A lease that is held, and how far its holders have written. */
export interface AcquiredLease {
  /** Appends while the lease lasts. @throws PracticeLeaseLost */
  readonly append: AppendToStream;
  /** The last position that is known to be written in this practice's turns. */
  highest(): bigint;
  /** Takes it into account that a holder before may have written up to here. */
  raise(position: bigint): void;
  /** Waits until the read tables show what was written up to {@link highest}. */
  reach(): Promise<void>;
  /** Makes the lease last for another batch of appends; costs nothing while it does. @throws PracticeLeaseLost */
  renew(): Promise<void>;
  /** Makes it last as long as it can. @throws PracticeLeaseLost */
  extend(): Promise<void>;
  /**
   * Gives the lease back, unless it is lost.
   * @param isSettled whether the log holds nothing of its holders beyond {@link highest}
   */
  release(isSettled: boolean): Promise<void>;
}

/**
 * An append is sent only while the lease lasts longer than all of its tries can take: the last one
 * begins within two seconds, and the log's answer to it may take another one and a quarter.
 */
const APPEND_GIVE_UP_MS = 2_000;
const APPEND_NEEDS_MS = 3_500;
/** With less left the lease is renewed: before each batch, and before the appends of each step. */
const RENEW_BELOW_MS = 5_500;
const PROJECTION_WITHIN_MS = 10_000;

/** Name of the lease that is a practice's turn. */
export const practiceLeaseName = (practiceId: string): string => `turn:${practiceId}`;

/** A lease that was taken: the fence that every write to the records of its practice goes through. */
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
  // An append whose outcome is unknown must not land behind what the next holder decides.
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
    highest: () => highest,
    raise,
    reach: () => progress.reach(highest, PROJECTION_WITHIN_MS),
    renew: async () => {
      if (leftMs() < RENEW_BELOW_MS) await extend();
    },
    extend,
    release: async (isSettled) => {
      if (lease !== null) await leases.release(lease, highest, isSettled);
    },
  };
};
