import { type PageProblem, tooManyAttempts } from '../../web/page-problem.ts';
import type { FieldError } from '../layout/field-errors.ts';
import { formatWait } from '../text/format-times.ts';

export const WRONG_CODE: readonly FieldError[] = [
  {
    field: 'code',
    id: 'wrong-code',
    message:
      'This code is wrong or was used before. Enter the code that your app shows now, and check that the time on your phone is correct.',
  },
];

export const WRONG_PASSKEY: readonly FieldError[] = [
  {
    field: 'passkey',
    id: 'wrong-passkey',
    message:
      'This passkey does not belong to your account, or it could not be verified. Try again.',
  },
];

/** Copied passkey. @see createPasskeyStore */
export const COPIED_PASSKEY: readonly FieldError[] = [
  {
    field: 'passkey',
    id: 'copied-passkey',
    message:
      'This passkey was not accepted because it may have been copied. Sign in another way, remove the passkey, and add a new one.',
  },
];

export const LOST_FACTORS =
  'If you lost your second factor and recovery codes, ask an Admin of your practice, or a colleague on the service staff, for a new password. That also removes your second factor.';

/** The passkey came without a valid challenge. */
export const LATE_PASSKEY: readonly FieldError[] = [
  {
    field: 'passkey',
    id: 'late-passkey',
    message: 'That took too long, or your browser did not send a passkey. Try again.',
  },
];

/** @param waitMs wait in milliseconds */
export const buildTooManyCodes = (waitMs: number): PageProblem =>
  tooManyAttempts(
    `There were too many wrong codes or passkeys for this account. Wait ${formatWait(waitMs)}, then try again. ${LOST_FACTORS}`,
    waitMs,
  );
