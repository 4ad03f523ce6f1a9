import { createHash, timingSafeEqual } from 'node:crypto';

/** An unused link expires after this time. */
export const SET_UP_HOURS = 24;

const MS_IN_HOUR = 3_600_000;

/** Exists only in the memory of the process that printed it, so a restart invalidates it. */
export interface SetUpLink {
  /** Invalidates an earlier link. */
  open(): string;
  /** `null` if the token is invalid. */
  enter(token: string): string | null;
  isOpenTo(entry: string | undefined): boolean;
  /**
   * Only one of two concurrent forms is accepted; `null` for the other. If the work throws, the
   * link works again.
   */
  use<T>(entry: string | undefined, work: () => Promise<T>): Promise<T | null>;
}

const computeDigest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @see SetUpLink */
export const createSetUpLink = (now: () => Date, newToken: () => string): SetUpLink => {
  let link: { readonly entry: string; readonly endsAt: number } | null = null;

  const isEntry = (entry: string): boolean =>
    link !== null &&
    now().getTime() < link.endsAt &&
    timingSafeEqual(computeDigest(entry), computeDigest(link.entry));

  // Sessions are stored, so they contain a digest, which does not reveal the link.
  const toEntry = (token: string): string => computeDigest(token).toString('base64url');

  return {
    open() {
      const token = newToken();
      link = { entry: toEntry(token), endsAt: now().getTime() + SET_UP_HOURS * MS_IN_HOUR };
      return token;
    },
    enter: (token) => (isEntry(toEntry(token)) ? toEntry(token) : null),
    isOpenTo: (entry) => entry !== undefined && isEntry(entry),
    async use(entry, work) {
      if (entry === undefined || !isEntry(entry)) return null;
      const used = link;
      link = null;
      try {
        return await work();
      } catch (error) {
        link ??= used;
        throw error;
      }
    },
  };
};
