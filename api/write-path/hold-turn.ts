import { setTimeout as sleep } from 'node:timers/promises';
import type { AppendContext, AppendToStream } from '../../domain/event-log.ts';
import {
  APPEND_GIVE_UP_MS,
  APPEND_NEEDS_MS,
  PROJECTION_WITHIN_MS,
  RENEW_BELOW_MS,
} from './practice-turn.ts';
import { type TurnLease, TurnLost, type TurnParts } from './turn-parts.ts';

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
export interface HoldTurnParts
  extends Pick<
    TurnParts,
    'append' | 'takeLease' | 'renewLease' | 'releaseLease' | 'reachProjection' | 'newId'
  > {
  /** Position of the last event of ours in the log. */
  readonly head: () => Promise<bigint>;
  readonly requestLease: (name: string, requester: string) => Promise<void>;
  readonly withdrawRequest: (name: string, requester: string) => Promise<void>;
}

// Longer than a lease: the turn of a process that was killed ends before the wait does. With the
// waits behind it, for the read tables and for the log, whoever saves is answered in half a minute.
const TURN_WITHIN_MS = 10_000;
const TURN_POLL_MS = 25;

/** @see HoldTurn */
export const holdTurnWith =
  (parts: HoldTurnParts): HoldTurn =>
  async (practiceId, work) => {
    const name = `turn:${practiceId}`;
    const holder = parts.newId();
    let lease = await takeRequested(name, holder, parts);
    let highest = lease.highestPosition;
    // An append that fails leaves it open what the log holds.
    let isSettled = false;
    const keep = async (): Promise<void> => {
      const renewed = await parts.renewLease(lease);
      if (renewed === null) throw new TurnLost('The turn was taken by another.');
      lease = renewed;
    };
    const reach = () => parts.reachProjection(highest, PROJECTION_WITHIN_MS);
    const turn: HeldTurn = {
      async append(stream, expected, events, context: AppendContext) {
        if (lease.until - performance.now() < APPEND_NEEDS_MS)
          throw new TurnLost('The turn does not last long enough for another append.');
        const appended = await parts.append(stream, expected, events, context, APPEND_GIVE_UP_MS);
        if (appended.kind === 'appended' && appended.position > highest)
          highest = appended.position;
        return appended;
      },
      async renew() {
        if (lease.until - performance.now() < RENEW_BELOW_MS) await keep();
      },
      settle: reach,
    };
    const giveBack = () =>
      // It would end by itself.
      parts.releaseLease(lease, highest, isSettled).catch(() => undefined);
    try {
      // A holder that is gone has told nobody how far it wrote: not beyond what the log holds now.
      if (lease.seized) {
        const head = await parts.head();
        if (head > highest) highest = head;
      }
      await reach();
      await keep();
      const result = await work(turn);
      isSettled = true;
      await giveBack();
      return result;
    } catch (error) {
      // Where the database does not answer, nobody waits for it once more.
      void giveBack();
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
