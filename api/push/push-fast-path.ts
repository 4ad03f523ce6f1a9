import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../health/metrics.ts';
import { refuseUnknownExpectation } from '../http/answer-unreadable.ts';
import { bearerToken } from '../http/bearer-token.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { Correlate } from '../http/correlate.ts';
import type { AnswerFault } from '../http/error-middleware.ts';
import type { Exchange } from './exchange.ts';
import type { FhirRouter } from './push-access.ts';
import type { RecentTokens } from './recent-tokens.ts';

/** Counts a request and goes on, or answers by itself; a fault of the counting goes to `next`. */
export type LimitRequest = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

/** What stands around the push lane. */
export interface PushFastPathOptions {
  readonly lane: FhirRouter;
  /** Tokens that others wait for Express with: it knows the address of a stranger. */
  readonly known: RecentTokens;
  readonly addressOf: ClientAddress;
  readonly limit: LimitRequest;
  readonly correlate: Correlate;
  readonly timeRoute: Metrics['timeRoute'];
  readonly answerFault: AnswerFault;
}

/** Answers a request if it is one of those in front. @returns whether it is */
export type PushFastPath = (req: IncomingMessage, res: ServerResponse) => boolean;

const MOUNT = '/api/registry/fhir';
const BUNDLE = `${MOUNT}/Bundle`;
const INGESTION = /^\/api\/registry\/fhir\/ingestions\/([A-Za-z0-9_-]{1,64})$/;

/**
 * Takes the two requests that integrators send by the thousand, written plainly and with a known token,
 * before Express does: its chain takes several times the processor time of Node's own server.
 * Everything else, other spellings of the same
 * addresses included, is for the router; the limiter and the lane are the same.
 */
export const createPushFastPath = (options: PushFastPathOptions): PushFastPath => {
  const { lane } = options;
  return (req, res) => {
    const taken = requestInFront(req, options);
    if (taken === null) return false;
    options.timeRoute(taken.method, taken.route, res);
    const correlationId = options.correlate(res);
    const answer = async (): Promise<void> => {
      if (!(await isLetThrough(options.limit, req, res))) return;
      refuseUnknownExpectation(req);
      const exchange: Exchange = { req, res, correlationId, caller: await lane.authenticate(req) };
      if (taken.ingestionId === null) await lane.submit(exchange);
      else await lane.status(exchange, taken.ingestionId);
    };
    answer().catch((error: unknown) => options.answerFault(error, res, correlationId));
    return true;
  };
};

interface RequestInFront {
  readonly method: 'GET' | 'POST';
  readonly route: string;
  /** Null: a Bundle is submitted. */
  readonly ingestionId: string | null;
}

const SUBMISSION: RequestInFront = { method: 'POST', route: BUNDLE, ingestionId: null };

const requestInFront = (
  req: IncomingMessage,
  { known, addressOf }: Pick<PushFastPathOptions, 'known' | 'addressOf'>,
): RequestInFront | null => {
  const { method, url } = req;
  const token = bearerToken(req);
  // Else it may be counted by its address, which Express knows to find behind proxies.
  if (token === null || !known.has(token, () => addressOf(req))) return null;
  if (method === 'POST') return url === BUNDLE ? SUBMISSION : null;
  const ingestionId = method === 'GET' ? INGESTION.exec(url ?? '')?.[1] : undefined;
  return ingestionId === undefined
    ? null
    : { method: 'GET', route: `${MOUNT}/ingestions/:ingestion`, ingestionId };
};

/** Counts the request. @returns false if it was one too many and has its answer */
const isLetThrough = (
  limit: LimitRequest,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> =>
  new Promise((resolve, reject) => {
    res.once('close', () => resolve(false));
    limit(req, res, (error) => (error === undefined ? resolve(true) : reject(error)));
  });
