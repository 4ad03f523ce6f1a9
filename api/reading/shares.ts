/**
 * Claims an amount, and waits until it is free. A negative amount is given back at once.
 * @returns false if that took too long, so that the sender must try again later
 */
export type Claim = (amount: number) => Promise<boolean>;

/** Something limited that several owners share, such as memory. */
export interface Shares {
  /**
   * Runs work that claims amounts, all of which are given back at its end.
   * @param owner practice, EHR, or address; one of them gets a part only
   */
  readonly run: <T>(owner: string, work: (claim: Claim) => Promise<T>) => Promise<T>;
}

/** Well within the patience of a sender, and long enough for some inputs before it. */
const CLAIM_TIMEOUT_MS = 5_000;

interface Waiting {
  readonly amount: number;
  readonly admit: () => void;
}

/**
 * Owners that wait take turns, so that the many claims of one do not hold up the others.
 * @param most that all owners together may hold, and each of them; and the claims of each that may wait
 */
export const createShares = (most: {
  readonly total: number;
  readonly perOwner: number;
  readonly waitingPerOwner?: number;
  readonly timeoutMs?: number;
}): Shares => {
  const { timeoutMs = CLAIM_TIMEOUT_MS, waitingPerOwner = Number.POSITIVE_INFINITY } = most;
  const held = new Map<string, number>();
  /** By owner, the one whose turn is next first. */
  const waiting = new Map<string, readonly Waiting[]>();
  let total = 0;

  const fits = (owner: string, amount: number): boolean =>
    total + amount <= most.total && (held.get(owner) ?? 0) + amount <= most.perOwner;
  const hold = (owner: string, amount: number): void => {
    total += amount;
    const own = (held.get(owner) ?? 0) + amount;
    if (own > 0) held.set(owner, own);
    else held.delete(owner);
  };
  const leave = (owner: string, one: Waiting): void => {
    const others = waiting.get(owner)?.filter((other) => other !== one) ?? [];
    if (others.length > 0) waiting.set(owner, others);
    else waiting.delete(owner);
  };
  const admitWaiting = (): void => {
    // An owner that is admitted goes behind the others, where the loop meets it again.
    for (const [owner, claims] of waiting) {
      const next = claims.find(({ amount }) => fits(owner, amount));
      if (next === undefined) continue;
      leave(owner, next);
      const others = waiting.get(owner);
      waiting.delete(owner);
      if (others !== undefined) waiting.set(owner, others);
      hold(owner, next.amount);
      next.admit();
    }
  };
  const giveBack = (owner: string, amount: number): void => {
    hold(owner, -amount);
    admitWaiting();
  };
  const take = (owner: string, amount: number): Promise<boolean> =>
    new Promise((resolve) => {
      const before = waiting.get(owner) ?? [];
      if (before.length >= waitingPerOwner && !fits(owner, amount)) {
        resolve(false);
        return;
      }
      const timer = setTimeout(() => {
        leave(owner, one);
        resolve(false);
      }, timeoutMs);
      const one: Waiting = {
        amount,
        admit() {
          clearTimeout(timer);
          resolve(true);
        },
      };
      waiting.set(owner, [...before, one]);
      admitWaiting();
    });

  return {
    async run(owner, work) {
      let claimed = 0;
      try {
        return await work(async (amount) => {
          if (amount <= 0) giveBack(owner, -amount);
          const isTaken = amount <= 0 || (await take(owner, amount));
          if (isTaken) claimed += amount;
          return isTaken;
        });
      } finally {
        giveBack(owner, claimed);
      }
    },
  };
};

const MEBIBYTE = 1024 * 1024;

/** Our choice: leaves most of the documented memory to everything else. */
export const MAX_BYTES_IN_FLIGHT = 256 * MEBIBYTE;

/** Few, because hashing a password takes a processor. */
const MAX_PASSWORDS = 2;
/** More than a hospital behind one address sends at once. */
const MAX_WAITING_PASSWORDS = 40;

/** Turns for hashing passwords. One owner gets one at a time. */
export const createPasswordTurns = (): Shares =>
  createShares({ total: MAX_PASSWORDS, perOwner: 1, waitingPerOwner: MAX_WAITING_PASSWORDS });

/** JavaScript stores a character in up to two bytes. */
const BYTES_PER_CHARACTER = 2;

/** Estimated memory of a long input. @param bytes its unpacked size */
export const estimateMemory = (bytes: number): number => bytes * BYTES_PER_CHARACTER;

/**
 * One ceiling over the memory of all long inputs that are being received or read: bodies, files, and
 * charts. One owner may fill half of it.
 */
export const createMemoryShares = (): Shares =>
  createShares({ total: MAX_BYTES_IN_FLIGHT, perOwner: MAX_BYTES_IN_FLIGHT / 2 });
