import type { ServerResponse } from 'node:http';

/** Begins an answer: an id that leads from it to the log, and the headers that all answers have. */
export type Correlate = (res: ServerResponse) => string;

/** For answers that are no page, should a browser show one; pages have a policy of their own. */
const NOTHING_LOADED = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** @see Correlate */
export const correlateWith =
  (newCorrelationId: () => string): Correlate =>
  (res) => {
    const correlationId = newCorrelationId();
    res.setHeader('X-Correlation-Id', correlationId);
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Security-Policy', NOTHING_LOADED);
    return correlationId;
  };
