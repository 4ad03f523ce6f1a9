import type { Request, RequestHandler } from 'express';
import { getAddressBucket, refuse } from './rate-limiter.ts';

/**
 * Counts in memory what came to nothing from an address, so that a flood of invented tokens costs neither a
 * read nor a row. Each process counts for itself.
 */
export interface FailedAuthThrottle {
  /** One more request of an address came without a key that works. */
  failed(req: Request): void;
  /** Milliseconds until the next one of its address is looked at; null: it is. */
  waitMs(req: Request): number | null;
}

interface Window {
  failures: number;
  readonly endsAt: number;
}

/** Addresses that are counted at once; the oldest make room. */
const MAX_ADDRESSES = 10_000;

/** @param limit failures of an address in a window, whatever its size */
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
 * Answers 429 to an address that has failed too often, before anything is read.
 * @param isKnown whether a request shows what has worked before: it is looked at in any case
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
