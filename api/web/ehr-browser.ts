import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { moveVisitorSession } from './signed-in-session.ts';

declare module 'express-session' {
  interface SessionData {
    /** Names the browser to what it launched from an EHR. */
    ehrBrowser: string;
    /** The session began after a launch was finished, or at a sign-in: it cannot have been planted. */
    seesPrefills: boolean;
  }
}

/** The name under which pre-fills are kept for a browser; null if it never finished a launch. */
export const ehrBrowserOf = (req: Request): string | null =>
  req.session.seesPrefills === true ? launchingBrowserOf(req) : null;

/** The name under which a browser's launches wait for their callback; null if it never launched. */
export const launchingBrowserOf = (req: Request): string | null => req.session.ehrBrowser ?? null;

/**
 * Names the browser, so that it is known again when the EHR sends it back. The name follows from
 * the session: launches of several tabs at once name the browser alike.
 */
export const nameEhrBrowser = (req: Request): string => {
  req.session.ehrBrowser ??= createHash('sha256')
    .update(`ehr-browser ${req.sessionID}`)
    .digest('base64url');
  return req.session.ehrBrowser;
};

/**
 * Lets the browser see its pre-fills, a visitor's under a new session id: a person who planted the old
 * one sees nothing with it. The old session stays for the callbacks of other tabs on their way.
 */
export const letSeePrefills = (req: Request): void => {
  if (req.session.seesPrefills === true) return;
  if (req.session.accountId === undefined) moveVisitorSession(req);
  req.session.seesPrefills = true;
};
