import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit, type Store } from 'express-rate-limit';
import type { BearerToken } from './bearer-token.ts';
import { normalizeAddress } from './client-address.ts';
import { sendJson } from './operation-outcome.ts';
import { REQUEST_PROBLEMS } from './problems.ts';

export interface RateLimiterOptions {
  /** Counts per bucket; shared by all processes. */
  readonly store: Store;
  /** Maximum number of requests per bucket in a window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Bucket of a request. Never a token or an address: it is stored. */
  readonly getBucket: (req: Request, res: Response) => string | Promise<string>;
  /** Called for each request over the limit. */
  readonly onRefused?: () => void;
}

/** Window of the limits in the specification. @see spec "Limits" */
export const WINDOW_MS = 60_000;

/** Policy for a page that loads nothing and may not be framed. */
export const BARE_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Text of a 429, as JSON and as a page. */
export const TOO_MANY_REQUESTS = REQUEST_PROBLEMS['too-many-requests'].diagnostics;

/**
 * Allows `limit` requests of a bucket in a fixed window and responds to others with 429. Every
 * response has `X-RateLimit-Limit` and `X-RateLimit-Remaining`. An unavailable store results in a
 * 503 by the caller, because neither unlimited requests nor a 429 would be right.
 * @see spec "Limits"
 */
export const rateLimiter = (options: RateLimiterOptions): RequestHandler => {
  const limiter = rateLimit({
    store: options.store,
    limit: options.limit,
    windowMs: options.windowMs,
    keyGenerator: options.getBucket,
    legacyHeaders: true,
    standardHeaders: false,
    passOnStoreError: false,
    // The library's checks write to the console; tests cover these problems instead.
    validate: false,
    handler: (req, res) => {
      options.onRefused?.();
      refuse(req, res);
    },
  });
  return (req, res, next) => {
    // Our choice: while requests cannot be counted, all are rejected. The count replaces this
    // header.
    res.setHeader('X-RateLimit-Limit', String(options.limit));
    res.setHeader('X-RateLimit-Remaining', '0');
    return limiter(req, res, next);
  };
};

/** Bucket of an API token. @see spec "Limits" */
export const getTokenBucket = ({ hash }: BearerToken): string => `token:${hash}`;

/** Bucket of a source address; an IPv6 /56 network is one bucket. */
export const getAddressBucket = (req: Request): string =>
  `address:${sha256(ipKeyGenerator(normalizeAddress(req.ip ?? '')))}`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Responds with 429. @see spec "Errors": clients branch on the status code and Retry-After */
export const refuse = (req: IncomingMessage, res: ServerResponse): void => {
  // The library may round the last second to 0.
  if (!(Number(res.getHeader('Retry-After')) >= 1)) res.setHeader('Retry-After', '1');
  const asksForJson = /[/+]json\b/i.test(req.headers.accept ?? '');
  if (asksForJson) {
    sendJson(res, 429, 'application/json', { message: TOO_MANY_REQUESTS });
    return;
  }
  res.statusCode = 429;
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Security-Policy', BARE_PAGE_POLICY);
  res.setHeader('Content-Length', Buffer.byteLength(TOO_MANY_REQUESTS_PAGE));
  res.end(TOO_MANY_REQUESTS_PAGE);
};

export const TOO_MANY_REQUESTS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Too many requests</title>
</head>
<body>
<h1>Too many requests</h1>
<p>${TOO_MANY_REQUESTS}</p>
</body>
</html>
`;
