import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { moveVisitorSession } from './session/signed-in-session.ts';

declare module 'express-session' {
  interface SessionData {
    /** Stays across launches from an EHR. */
    ehrBrowser: string;
    /** True after a finished launch, which also changes the session id, against fixation. */
    seesPrefills: boolean;
  }
}

/** Names stored pre-fills; `null` if the browser has not finished a launch. */
export const getEhrBrowser = (req: Request): string | null =>
  req.session.seesPrefills === true ? getLaunchingBrowser(req) : null;

/** Names launches that wait for their callback; `null` if the browser has not launched. */
export const getLaunchingBrowser = (req: Request): string | null => req.session.ehrBrowser ?? null;

/** Derived from the session id, so concurrent launches in several tabs agree on it. */
export const nameEhrBrowser = (req: Request): string => {
  req.session.ehrBrowser ??= createHash('sha256')
    .update(`ehr-browser ${req.sessionID}`)
    .digest('base64url');
  return req.session.ehrBrowser;
};

/**
 * A visitor gets a new session id, against fixation. The old session remains for the pending
 * callbacks of other tabs.
 */
export const allowPrefills = (req: Request): void => {
  if (req.session.seesPrefills === true) return;
  if (req.session.accountId === undefined) moveVisitorSession(req);
  req.session.seesPrefills = true;
};
