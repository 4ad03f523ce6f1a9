/**
 * Wrong passwords in a row after which the password alone opens an account only where it was used before.
 * @see NIST SP 800-63B-4, 3.2.2: no more than 100 consecutive failed attempts on a single account
 */
export const MAX_FAILURES = 100;

/** What is known of an account whose right password was typed. */
export interface RightPassword {
  /** Until when one that was handed over is good; null: the owner chose it. */
  readonly endsAt: Date | null;
  /** Wrong passwords since the last right one. */
  readonly failures: number;
  /** Whether the account has signed in from there lately. */
  readonly isKnownPlace: boolean;
}

/**
 * What a right password is good for. After too many wrong ones it may have been guessed: it is then
 * answered like a wrong one, so that the guesser does not learn of it, unless it comes from where the
 * account was used before. A new password, handed over by an Admin, begins anew.
 */
export const passwordOutcome = (
  { endsAt, failures, isKnownPlace }: RightPassword,
  now: Date,
): 'opens' | 'ended' | 'wrong' => {
  if (failures >= MAX_FAILURES && !isKnownPlace) return 'wrong';
  return endsAt !== null && endsAt.getTime() <= now.getTime() ? 'ended' : 'opens';
};
