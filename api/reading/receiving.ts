/**
 * Waits until the amount is free; a negative one is given back at once.
 * @returns false if that took too long, so that the sender must try again later
 */
export type Claim = (amount: number) => Promise<boolean>;

export type Loss = 'no-room' | 'too-slow';

export interface Arrival {
  /** Called before a piece is kept. @returns false if the claim is lost */
  readonly add: (amount: number) => Promise<boolean>;
  /**
   * @param needed to read it: the rest is given back, and missing memory is claimed
   * @returns `null` if the claim is not lost
   */
  readonly end: (needed: number) => Promise<Loss | null>;
}

/**
 * Claims all that an input may need first, so that none is refused halfway. A sender that falls
 * behind the pace keeps only what it has sent, and claims the rest as it arrives.
 * @param onLost called at most once; must drop what has arrived
 */
export type Receive = (expected: number, onLost: () => void) => Promise<Arrival>;

export interface Pace {
  /** From one look to the next. */
  readonly amount: number;
  /** @returns ends it */
  readonly watch: (look: () => void) => () => void;
}

export interface SlowArrival {
  readonly isFarBehind: boolean;
  readonly getShare: () => number;
  readonly end: () => void;
}

const FAR_BEHIND = 1 / 8;

/**
 * @param claim claims bytes of memory for the request that is received
 * @param noteSlow called with `null` when the arrival is not slow, or no longer arrives
 * @returns also what ends an arrival whose work has failed
 */
export const createReceive = (
  claim: Claim,
  pace: Pace,
  noteSlow: (arrival: SlowArrival | null) => void,
): { readonly receive: Receive; readonly stop: () => void } => {
  let stopWatching = (): void => undefined;
  const stop = (): void => {
    stopWatching();
    noteSlow(null);
  };
  const receive: Receive = async (expected, onLost) => {
    let share = 0;
    let arrived = 0;
    let arrivedSinceLook = 0;
    let isWaiting = false;
    let hasWaitedSinceLook = false;
    let loss: Loss | null = null;

    const giveBack = (amount: number): void => {
      share -= amount;
      void claim(-amount);
    };
    const lose = (why: Loss): void => {
      loss = why;
      stop();
      onLost();
      giveBack(share);
    };
    const claimMore = async (amount: number): Promise<void> => {
      isWaiting = true;
      hasWaitedSinceLook = true;
      const isTaken = await claim(amount);
      isWaiting = false;
      if (isTaken) share += amount;
      // It may have been ended, to make room for others, right after its claim was admitted.
      if (loss !== null) giveBack(share);
      else if (!isTaken) lose('no-room');
    };
    const look = (): void => {
      const amount = arrivedSinceLook;
      // While a sender waits for room, nothing is read from it.
      const isPaused = hasWaitedSinceLook;
      arrivedSinceLook = 0;
      hasWaitedSinceLook = isWaiting;
      if (isPaused) return;
      if (amount >= pace.amount) {
        noteSlow(null);
        return;
      }
      const isFarBehind = amount < pace.amount * FAR_BEHIND;
      noteSlow({ isFarBehind, getShare: () => share, end: () => lose('too-slow') });
      giveBack(Math.max(0, share - arrived));
    };

    await claimMore(expected);
    hasWaitedSinceLook = false;
    if (loss === null) stopWatching = pace.watch(look);
    return {
      async add(amount) {
        if (loss !== null) return false;
        arrived += amount;
        arrivedSinceLook += amount;
        if (arrived > share) await claimMore(arrived - share);
        return loss === null;
      },
      async end(needed) {
        if (loss !== null) return loss;
        stop();
        if (needed > share) await claimMore(needed - share);
        else giveBack(share - needed);
        return loss;
      },
    };
  };
  return { receive, stop };
};
