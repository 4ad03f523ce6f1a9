import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../health/metrics.ts';
import { refuseUnknownExpectation } from '../http/answer-unreadable.ts';
import { readBearerToken } from '../http/bearer-token.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { AnswerFault } from '../http/error-middleware.ts';
import type { SetResponseHeaders } from '../http/response-headers.ts';
import { type FhirRouter, PUSH_LANE } from './push-access.ts';
import type { RecentTokens } from './recent-tokens.ts';

/** A fault of the counter goes to `next`. */
export type LimitRequest = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

export interface PushFastPathOptions {
  readonly lane: FhirRouter;
  /** Requests with other tokens wait for Express, which can find their address behind proxies. */
  readonly recentTokens: RecentTokens;
  readonly getAddress: ClientAddress;
  readonly limit: LimitRequest;
  readonly setResponseHeaders: SetResponseHeaders;
  readonly timeRoute: Metrics['timeRoute'];
  readonly answerFault: AnswerFault;
}

/** @returns false if the fast path does not cover the request */
export type PushFastPath = (req: IncomingMessage, res: ServerResponse) => boolean;

/**
 * Express needs several times the CPU time of Node's own server. Only plain addresses and known
 * tokens qualify; the router handles all others, with the same limiter, lane, and routes.
 */
export const createPushFastPath = (options: PushFastPathOptions): PushFastPath => {
  const { lane } = options;
  const routes = lane.routes.map((route) => ({
    route,
    pattern: new RegExp(
      `^${PUSH_LANE}${route.path.replace(':ingestion', '([A-Za-z0-9_-]{1,64})')}$`,
    ),
  }));
  return (req, res) => {
    const { method, url = '' } = req;
    const found = routes.find(({ route, pattern }) => route.method === method && pattern.test(url));
    if (found === undefined || !hasRecentToken(req, options)) return false;
    const { route, pattern } = found;
    options.timeRoute(route.method, `${PUSH_LANE}${route.path}`, res);
    const correlationId = options.setResponseHeaders(res);
    const answer = async (): Promise<void> => {
      if (!(await isWithinLimit(options.limit, req, res))) return;
      refuseUnknownExpectation(req);
      const caller = lane.requireCaller(await lane.authenticate(req), req);
      const [, ingestionId = ''] = pattern.exec(url) ?? [];
      await lane.answer(route, { req, res, correlationId, caller }, ingestionId);
    };
    answer().catch((error: unknown) => options.answerFault(error, res, correlationId));
    return true;
  };
};

// Without a known token the limiter counts by address, which Express can find behind proxies.
const hasRecentToken = (
  req: IncomingMessage,
  { recentTokens, getAddress }: Pick<PushFastPathOptions, 'recentTokens' | 'getAddress'>,
): boolean => {
  const token = readBearerToken(req);
  return token !== null && recentTokens.has(token, () => getAddress(req));
};

/** @returns false if the limit was exceeded and the response was sent */
const isWithinLimit = (
  limit: LimitRequest,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> =>
  new Promise((resolve, reject) => {
    res.once('close', () => resolve(false));
    limit(req, res, (error) => (error === undefined ? resolve(true) : reject(error)));
  });
