import { setTimeout as sleep } from 'node:timers/promises';
import type { AppendToStream } from '../../domain/event-log.ts';
import { heldLease, type TurnLease, type TurnLeaseParts, turnName } from './turn-lease.ts';

/** The turn of a practice stayed with another for too long. */
export class TurnBusy extends Error {
  override readonly name = 'TurnBusy';
}

/** A practice's turn in the hands of a command or a page. */
export interface HeldTurn {
  /** Appends while the turn lasts. @throws TurnLost */
  readonly append: AppendToStream;
  /** Keeps the turn for another batch of appends. @throws TurnLost */
  renew(): Promise<void>;
  /** The read tables hold what was appended in this turn, and all that was in the log before it. */
  settle(): Promise<void>;
}

/**
 * Does something in a practice's turn: asks the worker for it, waits, and gives it back. When the
 * work begins, the read tables hold everything that earlier turns have written.
 * @throws TurnBusy
 */
export type HoldTurn = <T>(practiceId: string, work: (turn: HeldTurn) => Promise<T>) => Promise<T>;

/** What holding a turn works with. */
export interface HoldTurnParts extends TurnLeaseParts {
  /** Position of the last event of ours in the log. */
  readonly head: () => Promise<bigint>;
  readonly requestLease: (name: string, requester: string) => Promise<void>;
  readonly withdrawRequest: (name: string, requester: string) => Promise<void>;
  readonly newId: () => string;
}

// Longer than a lease: the turn of a process that was killed ends before the wait does. With the
// waits behind it, for the read tables and for the log, whoever saves is answered in half a minute.
const TURN_WITHIN_MS = 10_000;
const TURN_POLL_MS = 25;

/** @see HoldTurn */
export const holdTurnWith =
  (parts: HoldTurnParts): HoldTurn =>
  async (practiceId, work) => {
    const name = turnName(practiceId);
    const taken = await takeRequested(name, parts.newId(), parts);
    const lease = heldLease(taken, parts);
    const giveBack = (isSettled: boolean) =>
      // It would end by itself.
      lease.release(isSettled).catch(() => undefined);
    try {
      // A holder that is gone has told nobody how far it wrote: not beyond what the log holds now.
      if (taken.seized) lease.raise(await parts.head());
      await lease.reach();
      await lease.extend();
      const result = await work({ append: lease.append, renew: lease.renew, settle: lease.reach });
      await giveBack(true);
      return result;
    } catch (error) {
      // An append that fails leaves it open what the log holds. Where the database does not
      // answer, nobody waits for it once more.
      void giveBack(false);
      throw error;
    }
  };

/** Waits for the turn, saying so that whoever holds it gives it back after the batch under way. */
const takeRequested = async (
  name: string,
  holder: string,
  parts: HoldTurnParts,
): Promise<TurnLease> => {
  try {
    const lease = await takeInTime(name, holder, parts);
    await parts.withdrawRequest(name, holder);
    return lease;
  } catch (error) {
    // It would run out by itself: where the database does not answer, nobody waits for it twice.
    parts.withdrawRequest(name, holder).catch(() => undefined);
    throw error;
  }
};

const takeInTime = async (
  name: string,
  holder: string,
  parts: HoldTurnParts,
): Promise<TurnLease> => {
  const started = performance.now();
  for (;;) {
    await parts.requestLease(name, holder);
    const lease = await parts.takeLease(name, holder);
    if (lease !== null) return lease;
    if (performance.now() - started > TURN_WITHIN_MS)
      throw new TurnBusy(
        'Many records of the practice are being written right now. Try again in a minute.',
      );
    await sleep(TURN_POLL_MS);
  }
};
