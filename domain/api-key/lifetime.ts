import type { Scope } from './events.ts';

/** Days that a key may be minted for; without them it works until it is revoked. */
export const LIFETIME_DAYS = [90, 365] as const;

/** One of {@link LIFETIME_DAYS}. */
export type LifetimeDays = (typeof LIFETIME_DAYS)[number];

/** How many days before the end of a key its practice is reminded. */
export const REMINDED_DAYS = 14;

const MS_IN_DAY = 86_400_000;

/** When a key ends that is minted now. */
export const computeExpiry = (days: LifetimeDays, now: Date): Date =>
  new Date(now.getTime() + days * MS_IN_DAY);

/** When a key was minted, and when it ends; null: it works until it is revoked. */
export interface KeyTimes {
  readonly mintedAt: Date;
  readonly endsAt: Date | null;
}

/**
 * For how many days a key was minted; null: without an end. A key that was replaced ends at another
 * time, a few hours after its replacement was minted, so it no longer has a lifetime.
 */
export const computeLifetimeDays = ({ mintedAt, endsAt }: KeyTimes): LifetimeDays | null => {
  if (endsAt === null) return null;
  const days = Math.round((endsAt.getTime() - mintedAt.getTime()) / MS_IN_DAY);
  return LIFETIME_DAYS.find((one) => one === days) ?? null;
};

/** Whether another key took the place of this one, so that it only works for a few hours more. */
const isReplaced = (key: KeyTimes): boolean =>
  key.endsAt !== null && computeLifetimeDays(key) === null;

interface KeyStanding extends KeyTimes {
  readonly revokedAt: Date | null;
  readonly scopes: readonly Scope[];
}

/** Whether a key works now and may do something, with none in its place yet. */
export const isReplaceable = (key: KeyStanding, now: Date): boolean =>
  key.scopes.length > 0 &&
  key.revokedAt === null &&
  !isReplaced(key) &&
  (key.endsAt === null || key.endsAt > now);

/** Whether a key works now and ends within 14 days, with none in its place yet. */
export const expiresSoon = (key: KeyStanding, now: Date): boolean =>
  isReplaceable(key, now) &&
  key.endsAt !== null &&
  key.endsAt.getTime() - now.getTime() <= REMINDED_DAYS * MS_IN_DAY;
