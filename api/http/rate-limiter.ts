import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit, type Store } from 'express-rate-limit';
import type { BearerToken } from './bearer-token.ts';
import { normalizeAddress } from './client-address.ts';
import { sendJson } from './operation-outcome.ts';
import { REQUEST_PROBLEMS } from './problems.ts';

export interface RateLimiterOptions {
  /** Shared by all processes. */
  readonly store: Store;
  readonly limit: number;
  readonly windowMs: number;
  /** Never a token or an address: it is stored. */
  readonly getBucket: (req: Request, res: Response) => string | Promise<string>;
  readonly onRefused?: () => void;
}

/** @see spec "Limits" */
export const WINDOW_MS = 60_000;

export const BARE_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

export const TOO_MANY_REQUESTS = REQUEST_PROBLEMS['too-many-requests'].diagnostics;

/**
 * Limits requests per fixed window. If the store is unavailable, the caller answers 503, because
 * neither unlimited requests nor a 429 would be right.
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
    // Our choice: while requests cannot be counted, all are rejected.
    res.setHeader('X-RateLimit-Limit', String(options.limit));
    res.setHeader('X-RateLimit-Remaining', '0');
    return limiter(req, res, next);
  };
};

/** @see spec "Limits" */
export const getTokenBucket = ({ hash }: BearerToken): string => `token:${hash}`;

/** An IPv6 /56 network is one bucket. */
export const getAddressBucket = (req: Request): string =>
  `address:${sha256(ipKeyGenerator(normalizeAddress(req.ip ?? '')))}`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** @see spec "Errors": clients branch on the status code and Retry-After */
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
