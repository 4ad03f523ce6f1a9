import { createHash, timingSafeEqual } from 'node:crypto';

/** Hours until an unused set-up link expires. */
export const SET_UP_HOURS = 24;

const MS_IN_HOUR = 3_600_000;

/**
 * One-time link that sets up a registry without accounts. It exists only in the memory of the
 * process that printed it, so a restart invalidates it.
 */
export interface SetUpLink {
  /** Makes a link and invalidates an earlier one. @returns its token */
  open(): string;
  /** @returns the session's proof of entry by the link; `null` if the token is invalid */
  enter(token: string): string | null;
  /** True if a session that entered by the link may still use it. */
  isOpenTo(entry: string | undefined): boolean;
  /**
   * Uses up the link while the work runs, so only one of two concurrent forms is accepted. If the
   * work throws, the link works again.
   * @returns `null` if the link no longer works
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

  // Sessions are stored, so they contain a digest, which does not reveal the link.
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
