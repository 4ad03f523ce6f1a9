import { createHash, timingSafeEqual } from 'node:crypto';

/** Hours that a set-up link works, unless it is used before. */
export const SET_UP_HOURS = 24;

const MS_IN_HOUR = 3_600_000;

/**
 * The one-time link that sets up a registry without accounts. It lives in the memory of the process
 * that printed it: a restart ends it, and nothing of it is stored.
 */
export interface SetUpLink {
  /** Makes a link; an earlier one ends. @returns its token */
  open(): string;
  /** @returns what a session keeps to show that it came by the link; null if the token opens nothing */
  enter(token: string): string | null;
  /** Whether a session that came by the link may still use it. */
  isOpenTo(entry: string | undefined): boolean;
  /**
   * Uses the link up while the work runs: of two forms sent at once, one is taken. If the work
   * throws, the link works again.
   * @returns null if the link does not work any more
   */
  use<T>(entry: string | undefined, work: () => Promise<T>): Promise<T | null>;
}

const computeDigest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @see SetUpLink */
export const createSetUpLink = (now: () => Date, newToken: () => string): SetUpLink => {
  let held: { readonly entry: string; readonly endsAt: number } | null = null;

  const isEntry = (entry: string): boolean =>
    held !== null &&
    now().getTime() < held.endsAt &&
    timingSafeEqual(computeDigest(entry), computeDigest(held.entry));

  // Sessions are stored: they hold a digest, which does not give the link away.
  const entryOf = (token: string): string => computeDigest(token).toString('base64url');

  return {
    open() {
      const token = newToken();
      held = { entry: entryOf(token), endsAt: now().getTime() + SET_UP_HOURS * MS_IN_HOUR };
      return token;
    },
    enter: (token) => (isEntry(entryOf(token)) ? entryOf(token) : null),
    isOpenTo: (entry) => entry !== undefined && isEntry(entry),
    async use(entry, work) {
      if (entry === undefined || !isEntry(entry)) return null;
      const used = held;
      held = null;
      try {
        return await work();
      } catch (error) {
        held ??= used;
        throw error;
      }
    },
  };
};
