import type { Request, Response } from 'express';
import type { SignedIn } from '../access/signed-in.ts';
import { hasCsrfToken } from './csrf.ts';
import { formText } from './form-body.ts';
import { signedInOf } from './signed-in-session.ts';

/** Name of the hidden field that says from which seat a form was opened. */
export const SEAT_FIELD = '_seat';

/** Name of the header in which the script of the form of a birth says it. */
const SEAT_HEADER = 'Form-Seat';

const NOBODY = 'nobody';

/** What a form says of the person who opens it. */
export const formSeatOf = (who: SignedIn | null): string => who?.seatId ?? NOBODY;

/**
 * Who opened a form: the one who sends it, another person, a visitor without an account, or no one that it
 * names. Its token cannot tell: who signs in again has another one, and their form is still theirs.
 */
export type OpenedBy = 'sender' | 'another' | 'nobody' | 'unsaid';

/** Who opened a form. @param said what it says of it; empty: nothing @param who sends it */
export const openedBy = (said: string, who: SignedIn | null): OpenedBy => {
  if (said === '') return 'unsaid';
  if (said === formSeatOf(who)) return 'sender';
  return said === NOBODY ? 'nobody' : 'another';
};

/**
 * Who opened a form that is posted, or whose script asks without sending it. What says nothing, but has
 * the token of the session, is of a page of this session: no script is told the token without saying a seat.
 */
export const openerOf = (req: Request, res: Response): OpenedBy => {
  const opener = openedBy(req.get(SEAT_HEADER) ?? formText(req, SEAT_FIELD), signedInOf(res));
  return opener === 'unsaid' && hasCsrfToken(req) ? 'sender' : opener;
};
