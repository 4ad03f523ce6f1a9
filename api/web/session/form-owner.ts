import type { Request, Response } from 'express';
import type { SignedIn } from '../../access/signed-in.ts';
import { readFormText } from '../form-body.ts';
import { hasCsrfToken } from './csrf.ts';
import { getSignedIn } from './signed-in-session.ts';

/** Hidden field with the seat that opened the form. */
export const OWNER_FIELD = '_seat';

/** Header in which the script of the birth form sends the same value. */
const SEAT_HEADER = 'Form-Seat';

const NOBODY = 'nobody';

/** Value of {@link OWNER_FIELD} for the person who opens the form. */
export const getFormOwner = (who: SignedIn | null): string => who?.seatId ?? NOBODY;

/**
 * Opener of a form: its sender, another person, a visitor without an account, or not named. The
 * CSRF token cannot answer this: it changes when the same person signs in again.
 */
export type FormOwner = 'sender' | 'another' | 'nobody' | 'unsaid';

/**
 * Opener of a form.
 * @param said value of {@link OWNER_FIELD}, empty if missing
 * @param who sender of the form
 */
export const identifyFormOwner = (said: string, who: SignedIn | null): FormOwner => {
  if (said === '') return 'unsaid';
  if (said === getFormOwner(who)) return 'sender';
  return said === NOBODY ? 'nobody' : 'another';
};

/**
 * Opener of a posted form, or of one whose script sends a request. A form that names no seat but
 * has the session's token was opened in this session: every script that gets the token also sends a
 * seat.
 */
export const readFormOwner = (req: Request, res: Response): FormOwner => {
  const opener = identifyFormOwner(
    req.get(SEAT_HEADER) ?? readFormText(req, OWNER_FIELD),
    getSignedIn(res),
  );
  return opener === 'unsaid' && hasCsrfToken(req) ? 'sender' : opener;
};
