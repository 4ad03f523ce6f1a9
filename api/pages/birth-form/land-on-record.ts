import type { Request, Response } from 'express';
import { seatOf } from '../../web/seats.ts';

declare module 'express-session' {
  interface SessionData {
    /** When a seat that reads no records has last entered one, milliseconds since 1970. */
    enteredAt: number;
  }
}

/** Where a seat that reads no records lands after it has entered one. */
export const ENTERED_PATH = '/registry/records/entered';

/** Leads to what was saved. A seat that reads no records learns that it was, and nothing else. */
export const landOnRecord = (
  req: Request,
  res: Response,
  submissionUuid: string,
  now: Date,
): void => {
  if (seatOf(res).role === 'Scribe') {
    req.session.enteredAt = now.getTime();
    res.redirect(303, ENTERED_PATH);
  } else res.redirect(303, `/registry/records/${submissionUuid}`);
};
