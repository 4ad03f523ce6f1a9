import type { Request, RequestHandler } from 'express';
import { foreignForm } from './page-problem.ts';

/**
 * Refuses what a page of another site sends. Browsers say where a request comes from; what says
 * nothing is no browser and has only the token of its form to show.
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export const sameOriginOnly = (baseUrl: string): RequestHandler => {
  const home = new URL(baseUrl);
  return (req, _res, next) => {
    if (!isReading(req) && isForeign(req, home)) throw foreignForm();
    next();
  };
};

/** Whether a request only asks. */
export const isReading = (req: Request): boolean => req.method === 'GET' || req.method === 'HEAD';

const isForeign = (req: Request, home: URL): boolean => {
  const site = req.get('Sec-Fetch-Site');
  if (site !== undefined && site !== 'same-origin') return true;
  const sent = req.get('Origin');
  if (sent === undefined) return false;
  if (!URL.canParse(sent)) return true;
  const { host, protocol } = new URL(sent);
  // Anybody on the way can answer for our host over plain HTTP.
  if (home.protocol === 'https:' && protocol !== 'https:') return true;
  return host !== home.host && host !== req.get('Host');
};
