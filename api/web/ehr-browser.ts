import { createHash } from 'node:crypto';
import type { Request } from 'express';

declare module 'express-session' {
  interface SessionData {
    /** Names the browser to what it launched from an EHR. */
    ehrBrowser: string;
  }
}

/** The name under which a browser's launches and pre-fills are kept; null if it never launched. */
export const ehrBrowserOf = (req: Request): string | null => req.session.ehrBrowser ?? null;

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
