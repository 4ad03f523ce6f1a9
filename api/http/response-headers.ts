import type { ServerResponse } from 'node:http';

/** Sets the headers of all responses. @returns the id that leads to its log lines */
export type SetResponseHeaders = (res: ServerResponse) => string;

/** Policy of answers that are not pages, in case a browser shows one; pages have their own. */
const NOTHING_LOADED = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** @see SetResponseHeaders */
export const createSetResponseHeaders =
  (createCorrelationId: () => string): SetResponseHeaders =>
  (res) => {
    const ownId = createCorrelationId();
    const parent = parseTraceParent(res.req.headers['traceparent']);
    const correlationId = parent === null ? ownId : `${parent.traceId}-${parent.spanId}-${ownId}`;
    res.setHeader('X-Correlation-Id', correlationId);
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Security-Policy', NOTHING_LOADED);
    return correlationId;
  };

interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

/** Version, trace id, parent id and flags; versions after 00 may have more fields. */
const TRACE_PARENT =
  /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(-.*)?$/;

/**
 * An invalid `traceparent` counts as none, so only hexadecimal digits reach the logs.
 * @see https://www.w3.org/TR/trace-context-1/#traceparent-header
 */
const parseTraceParent = (header: string | readonly string[] | undefined): TraceParent | null => {
  if (typeof header !== 'string') return null;
  const [, version, traceId, spanId, more] = TRACE_PARENT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  return version === '00' && more !== undefined ? null : { traceId, spanId };
};
