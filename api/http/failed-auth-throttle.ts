import type { Request, RequestHandler } from 'express';
import { getAddressBucket, refuse } from './rate-limiter.ts';

/**
 * Counts failed authentications per address in memory, so a flood of invalid tokens costs neither a
 * read nor a row. Each process counts separately.
 */
export interface FailedAuthThrottle {
  /** Counts a request of an address without a valid key. */
  failed(req: Request): void;
  /** Milliseconds until requests of the address are processed again; `null` if there is no wait. */
  waitMs(req: Request): number | null;
}

interface Window {
  failures: number;
  readonly endsAt: number;
}

/** Maximum number of addresses; the oldest ones are dropped. */
const MAX_ADDRESSES = 10_000;

/** @param limit failures per address and window */
export const createFailedAuthThrottle = (limit: number, windowMs: number): FailedAuthThrottle => {
  const windows = new Map<string, Window>();

  const openWindow = (address: string): Window | null => {
    const held = windows.get(address);
    if (held === undefined) return null;
    if (performance.now() < held.endsAt) return held;
    windows.delete(address);
    return null;
  };

  return {
    failed(req) {
      const address = getAddressBucket(req);
      const held = openWindow(address);
      if (held !== null) {
        held.failures += 1;
        return;
      }
      const [oldest] = windows.keys();
      if (windows.size >= MAX_ADDRESSES && oldest !== undefined) windows.delete(oldest);
      windows.set(address, { failures: 1, endsAt: performance.now() + windowMs });
    },
    waitMs(req) {
      const held = openWindow(getAddressBucket(req));
      return held === null || held.failures < limit
        ? null
        : Math.max(1, held.endsAt - performance.now());
    },
  };
};

const MS_IN_SECOND = 1_000;

/**
 * Responds with 429 to an address with too many failures, before anything is read.
 * @param isKnown true if a request shows a credential that worked before; it is always processed
 */
export const failedAuthWait =
  (
    throttle: FailedAuthThrottle,
    isKnown: (req: Request) => boolean,
    limit: number,
    onRefused: () => void,
  ): RequestHandler =>
  (req, res, next) => {
    const waitMs = isKnown(req) ? null : throttle.waitMs(req);
    if (waitMs === null) {
      next();
      return;
    }
    onRefused();
    res.setHeader('X-RateLimit-Limit', String(limit));
    res.setHeader('X-RateLimit-Remaining', '0');
    res.setHeader('Retry-After', String(Math.ceil(waitMs / MS_IN_SECOND)));
    refuse(req, res);
  };
