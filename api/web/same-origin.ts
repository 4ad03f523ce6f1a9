import type { Request, RequestHandler } from 'express';
import { foreignForm } from './page-problem.ts';

/**
 * Refuses what a page of another site sends. Browsers say where a request comes from; what says
 * nothing is no browser and has only the token of its form to show.
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export const sameOriginOnly = (baseUrl: string): RequestHandler => {
  const publicHost = new URL(baseUrl).host;
  return (req, _res, next) => {
    if (!isReading(req) && isForeign(req, publicHost)) throw foreignForm();
    next();
  };
};

/** Whether a request only asks. */
export const isReading = (req: Request): boolean => req.method === 'GET' || req.method === 'HEAD';

const isForeign = (req: Request, publicHost: string): boolean => {
  const site = req.get('Sec-Fetch-Site');
  if (site !== undefined && site !== 'same-origin') return true;
  const origin = req.get('Origin');
  if (origin === undefined) return false;
  const host = URL.canParse(origin) ? new URL(origin).host : '';
  return host !== publicHost && host !== req.get('Host');
};
