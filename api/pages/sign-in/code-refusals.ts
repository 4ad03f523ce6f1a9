import { PageProblem } from '../../web/page-problem.ts';
import type { FieldError } from '../frame/field-errors.ts';
import { waitText } from './sign-in-throttle.ts';

/** A code of a second factor that is not taken. */
export const WRONG_CODE: readonly FieldError[] = [
  {
    field: 'code',
    message:
      'This code is not right, or was used before. Type the one that the app shows now, and check that the clock of your phone is right.',
  },
];

/** No code is looked at for a while. @param waitMs how long, in milliseconds */
export const tooManyCodes = (waitMs: number): PageProblem =>
  new PageProblem(
    429,
    'Too many codes',
    `Too many wrong codes were typed for this account. Wait ${waitText(waitMs)}, then try again. If the app is lost, an Admin can give you a new password, which takes the second factor off.`,
    { 'Retry-After': String(Math.ceil(waitMs / 1_000)) },
  );
