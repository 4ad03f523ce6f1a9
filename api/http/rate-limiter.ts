import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit, type Store } from 'express-rate-limit';
import { normalizeAddress } from './client-address.ts';
import { sendJson } from './operation-outcome.ts';

/** What a limiter counts, where, and how much it lets through. */
export interface RateLimiterOptions {
  /** Hits of a bucket; shared by all processes. */
  readonly store: Store;
  /** Hits that one bucket may have in a window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Bucket of a request. Never a token or an address: it is stored. */
  readonly getBucket: (req: Request) => string | Promise<string>;
  /** Called for each request over the limit. */
  readonly onRefused?: () => void;
}

/** Length of the windows that the specification names. @see spec "Limits" */
export const WINDOW_MS = 60_000;

/** Headers of a page that needs nothing and may not be framed. */
export const BARE_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Text of a 429, in both of its forms. */
export const TOO_MANY_REQUESTS =
  'Too many requests. Wait for the seconds in Retry-After, then send the request again.';

/**
 * Lets `limit` requests of a bucket through in a fixed window and answers the others with 429.
 * Every response gets `X-RateLimit-Limit` and `X-RateLimit-Remaining`. A store that is away is the
 * caller's 503: unlimited would be wrong, and so would be a 429.
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
    // Its checks write to the console; the tests hold the limiter to what they would warn of.
    validate: false,
    handler: (req, res) => {
      options.onRefused?.();
      refuse(req, res);
    },
  });
  return (req, res, next) => {
    // our choice: while requests cannot be counted, none is let through. Replaced by the count.
    res.setHeader('X-RateLimit-Limit', String(options.limit));
    res.setHeader('X-RateLimit-Remaining', '0');
    return limiter(req, res, next);
  };
};

/** The bucket of an API token. @see spec "Limits" */
export const getTokenBucket = (token: string): string => `token:${sha256(token)}`;

/** One bucket per source address; an IPv6 network of 56 bits counts as one. */
export const getAddressBucket = (req: Request): string =>
  `address:${sha256(ipKeyGenerator(normalizeAddress(req.ip ?? '')))}`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Answers with 429. @see spec "Errors": clients branch on the status code and Retry-After */
export const refuse = (req: IncomingMessage, res: ServerResponse): void => {
  // The library may say 0 for what is left of the last second.
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

/** The page of a 429. */
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
