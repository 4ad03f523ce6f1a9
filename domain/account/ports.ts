/** The password of an account while it is locked against other changes. */
export interface HeldAccount {
  hasPassword(): Promise<boolean>;
  /**
   * Takes effect with the end of the work.
   * @param mustChange it was handed over: only good for choosing another
   */
  setPassword(passwordHash: string, mustChange?: boolean): Promise<void>;
  /** Takes effect with the end of the work: the account opens nothing any more. */
  dropPassword(): Promise<void>;
}

/**
 * Holds an account while the work runs: in all processes, one at a time. What the work has set is
 * kept if it ends well, and dropped if it throws.
 */
export type HoldAccount = <T>(
  accountId: string,
  work: (account: HeldAccount) => Promise<T>,
) => Promise<T>;

/** Whether an account's password was handed over, so that its owner has to choose another. */
export type MustChangePassword = (accountId: string) => Promise<boolean>;

/**
 * Whether an account has signed in from a place lately.
 * @param place keyed hash of the account and the address
 */
export type IsKnownPlace = (place: string) => Promise<boolean>;

/** Remembers that an account has signed in from a place. @see IsKnownPlace */
export type RememberPlace = (place: string) => Promise<void>;

/** The hash of an account's password; null if it has none. */
export type FindPasswordHash = (accountId: string) => Promise<string | null>;
