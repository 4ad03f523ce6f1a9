import {
  type Claim,
  createReceive,
  type Pace,
  type Receive,
  type SlowArrival,
} from './receiving.ts';

/** Several owners share one limited thing, such as memory. */
export interface Shares {
  /** All claims are given back at the end of the work. @param owner practice, EHR, or address */
  readonly run: <T>(
    owner: string,
    work: (claim: Claim, receive: Receive) => Promise<T>,
  ) => Promise<T>;
}

const ANY_PACE: Pace = { amount: 0, watch: () => () => undefined };

/** Within the patience of a sender, and long enough for some inputs before it. */
const CLAIM_TIMEOUT_MS = 5_000;

interface Claimant {
  readonly owner: string;
}

interface Waiting {
  readonly claimant: Claimant;
  readonly amount: number;
  readonly admit: () => void;
}

/**
 * @param most limits for all owners together, for each, and for the waiting claims of each
 * @param pace senders that fall behind make room for others that wait
 */
export const createShares = (
  most: {
    readonly total: number;
    readonly perOwner: number;
    readonly waitingPerOwner?: number;
    readonly timeoutMs?: number;
  },
  pace: Pace = ANY_PACE,
): Shares => {
  const { timeoutMs = CLAIM_TIMEOUT_MS, waitingPerOwner = Number.POSITIVE_INFINITY } = most;
  const shareByOwner = new Map<string, number>();
  /** By owner, the one whose turn is next first. */
  const waiting = new Map<string, readonly Waiting[]>();
  /** In the order in which they fell behind. */
  const slow = new Map<Claimant, SlowArrival>();
  let total = 0;

  const getShare = (owner: string): number => shareByOwner.get(owner) ?? 0;
  const fits = (owner: string, amount: number, freed = { all: 0, own: 0 }): boolean =>
    total - freed.all + amount <= most.total &&
    getShare(owner) - freed.own + amount <= most.perOwner;
  const hold = (owner: string, amount: number): void => {
    total += amount;
    const own = getShare(owner) + amount;
    if (own > 0) shareByOwner.set(owner, own);
    else shareByOwner.delete(owner);
  };
  const leave = (owner: string, one: Waiting): void => {
    const others = waiting.get(owner)?.filter((other) => other !== one) ?? [];
    if (others.length > 0) waiting.set(owner, others);
    else waiting.delete(owner);
  };
  const isWaiting = (claimant: Claimant): boolean =>
    waiting.get(claimant.owner)?.some((one) => one.claimant === claimant) === true;
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
    // Its end admits others, or ends the next one.
    if (slow.size > 0) findInTheWay()?.end();
  };
  const findInTheWay = (): SlowArrival | null => {
    for (const { claimant, amount } of [...waiting.values()].flat()) {
      const { owner } = claimant;
      const isOwnerFull = getShare(owner) + amount > most.perOwner;
      const freed = { all: 0, own: 0 };
      let first: SlowArrival | null = null;
      for (const [other, arrival] of slow) {
        // A sender that waits itself gets room, or gives up soon.
        if (arrival.getShare() === 0 || isWaiting(other)) continue;
        const isOwn = other.owner === owner;
        // An owner does not make room for one that holds more.
        const mayEnd = isOwn ? arrival.isFarBehind : getShare(other.owner) >= getShare(owner);
        if (!mayEnd) continue;
        freed.all += arrival.getShare();
        if (isOwn) freed.own += arrival.getShare();
        if (isOwn || !isOwnerFull) first ??= arrival;
      }
      if (first !== null && fits(owner, amount, freed)) return first;
    }
    return null;
  };
  const giveBack = (owner: string, amount: number): void => {
    hold(owner, -amount);
    admitWaiting();
  };
  const take = (claimant: Claimant, amount: number): Promise<boolean> =>
    new Promise((resolve) => {
      const { owner } = claimant;
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
        claimant,
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
      const claimant: Claimant = { owner };
      let claimed = 0;
      const claim: Claim = async (amount) => {
        const isTaken = amount <= 0 || (await take(claimant, amount));
        if (isTaken) claimed += amount;
        if (amount <= 0) giveBack(owner, -amount);
        return isTaken;
      };
      const { receive, stop } = createReceive(claim, pace, (arrival) => {
        if (arrival === null) slow.delete(claimant);
        else slow.set(claimant, arrival);
      });
      try {
        return await work(claim, receive);
      } finally {
        stop();
        giveBack(owner, claimed);
      }
    },
  };
};

const MEBIBYTE = 1024 * 1024;

/** Our choice: leaves most of the documented memory to everything else. */
export const MAX_BYTES_IN_FLIGHT = 256 * MEBIBYTE;

/** Hashing a password takes a processor. */
const MAX_PASSWORDS = 2;
/** More than a hospital behind one address sends at once. */
const MAX_WAITING_PASSWORDS = 40;

/** One at a time per owner. */
export const createPasswordTurns = (): Shares =>
  createShares({ total: MAX_PASSWORDS, perOwner: 1, waitingPerOwner: MAX_WAITING_PASSWORDS });

/** JavaScript stores a character in up to two bytes. */
const BYTES_PER_CHARACTER = 2;

/** @param bytes unpacked size */
export const estimateMemory = (bytes: number): number => bytes * BYTES_PER_CHARACTER;

const LOOK_INTERVAL_MS = 2_000;

/** Our choice: 1 MiB per second, less than most hospitals send. */
const MEMORY_PACE: Pace = {
  amount: estimateMemory((MEBIBYTE * LOOK_INTERVAL_MS) / 1_000),
  watch(look) {
    const timer = setInterval(look, LOOK_INTERVAL_MS);
    return () => clearInterval(timer);
  },
};

/** Bodies, files, and charts that are received or read. One owner may fill half of the memory. */
export const createMemoryShares = (): Shares =>
  createShares({ total: MAX_BYTES_IN_FLIGHT, perOwner: MAX_BYTES_IN_FLIGHT / 2 }, MEMORY_PACE);
