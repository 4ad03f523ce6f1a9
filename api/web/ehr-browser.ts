import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { moveVisitorSession } from './session/signed-in-session.ts';

declare module 'express-session' {
  interface SessionData {
    /** Identifies the browser across its launches from an EHR. */
    ehrBrowser: string;
    /**
     * True if the session began after a finished launch or at a sign-in, so it cannot be fixated.
     */
    seesPrefills: boolean;
  }
}

/** Id under which a browser's pre-fills are stored; `null` if it has not finished a launch. */
export const getEhrBrowser = (req: Request): string | null =>
  req.session.seesPrefills === true ? getLaunchingBrowser(req) : null;

/** Id under which a browser's launches wait for their callback; `null` if it has not launched. */
export const getLaunchingBrowser = (req: Request): string | null => req.session.ehrBrowser ?? null;

/**
 * Gives the browser an id, to recognize it when the EHR redirects back. It is derived from the
 * session id, so concurrent launches in several tabs agree on it.
 */
export const nameEhrBrowser = (req: Request): string => {
  req.session.ehrBrowser ??= createHash('sha256')
    .update(`ehr-browser ${req.sessionID}`)
    .digest('base64url');
  return req.session.ehrBrowser;
};

/**
 * Grants the browser access to its pre-fills. A visitor gets a new session id, against session
 * fixation. The old session remains for the pending callbacks of other tabs.
 */
export const allowPrefills = (req: Request): void => {
  if (req.session.seesPrefills === true) return;
  if (req.session.accountId === undefined) moveVisitorSession(req);
  req.session.seesPrefills = true;
};
