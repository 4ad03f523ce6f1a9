import type { Request, RequestHandler } from 'express';
import { crossSiteForm } from './page-problem.ts';

/**
 * A client that names no origin is no browser, and its form token is checked instead.
 * @see
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export const requireSameOrigin = (baseUrl: string): RequestHandler => {
  const home = new URL(baseUrl);
  return (req, _res, next) => {
    if (!isSafeMethod(req) && isForeign(req, home)) throw crossSiteForm();
    next();
  };
};

export const isSafeMethod = (req: Request): boolean =>
  req.method === 'GET' || req.method === 'HEAD';

const isForeign = (req: Request, home: URL): boolean => {
  const site = req.get('Sec-Fetch-Site');
  if (site !== undefined && site !== 'same-origin') return true;
  const sent = req.get('Origin');
  if (sent === undefined) return false;
  if (!URL.canParse(sent)) return true;
  const { host, protocol } = new URL(sent);
  // Over plain HTTP, an attacker on the network can impersonate our host.
  if (home.protocol === 'https:' && protocol !== 'https:') return true;
  return host !== home.host && host !== req.get('Host');
};
