import type { Request, Response } from 'express';
import type { SignedIn } from '../access/signed-in.ts';
import { hasCsrfToken } from './csrf.ts';
import { formText } from './form-body.ts';
import { signedInOf } from './signed-in-session.ts';

/** Hidden field with the seat that opened the form. */
export const SEAT_FIELD = '_seat';

/** Header in which the script of the birth form sends the same value. */
const SEAT_HEADER = 'Form-Seat';

const NOBODY = 'nobody';

/** Value of {@link SEAT_FIELD} for the person who opens the form. */
export const formSeatOf = (who: SignedIn | null): string => who?.seatId ?? NOBODY;

/**
 * Opener of a form: its sender, another person, a visitor without an account, or not named. The
 * CSRF token cannot answer this: it changes when the same person signs in again.
 */
export type OpenedBy = 'sender' | 'another' | 'nobody' | 'unsaid';

/**
 * Opener of a form.
 * @param said value of {@link SEAT_FIELD}, empty if missing
 * @param who sender of the form
 */
export const openedBy = (said: string, who: SignedIn | null): OpenedBy => {
  if (said === '') return 'unsaid';
  if (said === formSeatOf(who)) return 'sender';
  return said === NOBODY ? 'nobody' : 'another';
};

/**
 * Opener of a posted form, or of one whose script sends a request. A form that names no seat but
 * has the session's token was opened in this session: every script that gets the token also sends a
 * seat.
 */
export const openerOf = (req: Request, res: Response): OpenedBy => {
  const opener = openedBy(req.get(SEAT_HEADER) ?? formText(req, SEAT_FIELD), signedInOf(res));
  return opener === 'unsaid' && hasCsrfToken(req) ? 'sender' : opener;
};
