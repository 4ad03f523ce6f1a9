import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../health/metrics.ts';
import { refuseUnknownExpectation } from '../http/answer-unreadable.ts';
import { readBearerToken } from '../http/bearer-token.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { Correlate } from '../http/correlate.ts';
import type { AnswerFault } from '../http/error-middleware.ts';
import type { Exchange } from './exchange.ts';
import type { FhirRouter } from './push-access.ts';
import type { RecentTokens } from './recent-tokens.ts';

/** Counts a request and calls `next`, or refuses the request itself. A fault of the counter goes to `next`. */
export type LimitRequest = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

/** Parts of the service that the fast path uses. */
export interface PushFastPathOptions {
  readonly lane: FhirRouter;
  /** Requests with other tokens wait for Express, which can find their address behind proxies. */
  readonly recentTokens: RecentTokens;
  readonly addressOf: ClientAddress;
  readonly limit: LimitRequest;
  readonly correlate: Correlate;
  readonly timeRoute: Metrics['timeRoute'];
  readonly answerFault: AnswerFault;
}

/** Handles a request if the fast path covers it. @returns true if it does */
export type PushFastPath = (req: IncomingMessage, res: ServerResponse) => boolean;

const MOUNT = '/api/registry/fhir';
const BUNDLE = `${MOUNT}/Bundle`;
const INGESTION = /^\/api\/registry\/fhir\/ingestions\/([A-Za-z0-9_-]{1,64})$/;

/**
 * Handles the two frequent requests of integrators before Express, which needs several times the
 * CPU time of Node's own server. Only plain addresses and known tokens qualify; the router handles
 * all others, with the same limiter and lane.
 */
export const createPushFastPath = (options: PushFastPathOptions): PushFastPath => {
  const { lane } = options;
  return (req, res) => {
    const request = findFrequentRequest(req, options);
    if (request === null) return false;
    options.timeRoute(request.method, request.route, res);
    const correlationId = options.correlate(res);
    const answer = async (): Promise<void> => {
      if (!(await isWithinLimit(options.limit, req, res))) return;
      refuseUnknownExpectation(req);
      const exchange: Exchange = { req, res, correlationId, caller: await lane.authenticate(req) };
      if (request.ingestionId === null) await lane.submit(exchange);
      else await lane.status(exchange, request.ingestionId);
    };
    answer().catch((error: unknown) => options.answerFault(error, res, correlationId));
    return true;
  };
};

interface FrequentRequest {
  readonly method: 'GET' | 'POST';
  readonly route: string;
  /** `null` when submitting a Bundle. */
  readonly ingestionId: string | null;
}

const SUBMISSION: FrequentRequest = { method: 'POST', route: BUNDLE, ingestionId: null };

const findFrequentRequest = (
  req: IncomingMessage,
  { recentTokens, addressOf }: Pick<PushFastPathOptions, 'recentTokens' | 'addressOf'>,
): FrequentRequest | null => {
  const { method, url } = req;
  const token = readBearerToken(req);
  // Without a known token the limiter counts by address, which Express can find behind proxies.
  if (token === null || !recentTokens.has(token, () => addressOf(req))) return null;
  if (method === 'POST') return url === BUNDLE ? SUBMISSION : null;
  const ingestionId = method === 'GET' ? INGESTION.exec(url ?? '')?.[1] : undefined;
  return ingestionId === undefined
    ? null
    : { method: 'GET', route: `${MOUNT}/ingestions/:ingestion`, ingestionId };
};

/** Counts the request. @returns false if the limit was exceeded and the response was sent */
const isWithinLimit = (
  limit: LimitRequest,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> =>
  new Promise((resolve, reject) => {
    res.once('close', () => resolve(false));
    limit(req, res, (error) => (error === undefined ? resolve(true) : reject(error)));
  });
