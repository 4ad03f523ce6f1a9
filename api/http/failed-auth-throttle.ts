import type { Request, RequestHandler } from 'express';
import { getAddressBucket, refuse } from './rate-limiter.ts';

/**
 * Counts in memory, so that a flood of invented tokens costs neither a read nor a row. Each process
 * counts for itself.
 */
export interface FailedAuthThrottle {
  failed(req: Request): void;
  /** `null` if this address need not wait. */
  waitMs(req: Request): number | null;
}

interface Window {
  failures: number;
  readonly endsAt: number;
}

/** The oldest are dropped first. */
const MAX_ADDRESSES = 10_000;

/** @param limit failures per address and window */
export const createFailedAuthThrottle = (limit: number, windowMs: number): FailedAuthThrottle => {
  const windows = new Map<string, Window>();

  const openWindow = (address: string): Window | null => {
    const window = windows.get(address);
    if (window === undefined) return null;
    if (performance.now() < window.endsAt) return window;
    windows.delete(address);
    return null;
  };

  return {
    failed(req) {
      const address = getAddressBucket(req);
      const window = openWindow(address);
      if (window !== null) {
        window.failures += 1;
        return;
      }
      const [oldest] = windows.keys();
      if (windows.size >= MAX_ADDRESSES && oldest !== undefined) windows.delete(oldest);
      windows.set(address, { failures: 1, endsAt: performance.now() + windowMs });
    },
    waitMs(req) {
      const window = openWindow(getAddressBucket(req));
      return window === null || window.failures < limit
        ? null
        : Math.max(1, window.endsAt - performance.now());
    },
  };
};

const MS_IN_SECOND = 1_000;

/**
 * Runs before anything is read.
 * @param isKnown true if the token worked before: it is never refused
 */
export const createFailedAuthWait =
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
