import type { Scope } from './events.ts';

/** Lifetimes to choose from, in days; without one, a key works until revoked. */
export const LIFETIME_DAYS = [90, 365] as const;

export type LifetimeDays = (typeof LIFETIME_DAYS)[number];

export const REMINDED_DAYS = 14;

const MS_IN_DAY = 86_400_000;

export const computeExpiry = (days: LifetimeDays, now: Date): Date =>
  new Date(now.getTime() + days * MS_IN_DAY);

/** `endsAt` is `null` if the key works until revoked. */
export interface KeyTimes {
  readonly mintedAt: Date;
  readonly endsAt: Date | null;
}

/** `null` also for a replaced key, which ends a few hours after its replacement was minted. */
export const computeLifetimeDays = ({ mintedAt, endsAt }: KeyTimes): LifetimeDays | null => {
  if (endsAt === null) return null;
  const days = Math.round((endsAt.getTime() - mintedAt.getTime()) / MS_IN_DAY);
  return LIFETIME_DAYS.find((one) => one === days) ?? null;
};

const isReplaced = (key: KeyTimes): boolean =>
  key.endsAt !== null && computeLifetimeDays(key) === null;

interface KeyStanding extends KeyTimes {
  readonly revokedAt: Date | null;
  readonly scopes: readonly Scope[];
}

export const isReplaceable = (key: KeyStanding, now: Date): boolean =>
  key.scopes.length > 0 &&
  key.revokedAt === null &&
  !isReplaced(key) &&
  (key.endsAt === null || key.endsAt > now);

export const expiresSoon = (key: KeyStanding, now: Date): boolean =>
  isReplaceable(key, now) &&
  key.endsAt !== null &&
  key.endsAt.getTime() - now.getTime() <= REMINDED_DAYS * MS_IN_DAY;
