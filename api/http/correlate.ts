import type { ServerResponse } from 'node:http';

/** Begins an answer: an id that leads from it to the log, and the headers that all answers have. */
export type Correlate = (res: ServerResponse) => string;

/** @see Correlate */
export const correlateWith =
  (newCorrelationId: () => string): Correlate =>
  (res) => {
    const correlationId = newCorrelationId();
    res.setHeader('X-Correlation-Id', correlationId);
    res.setHeader('Cache-Control', 'no-store');
    return correlationId;
  };
