import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import type { Scope } from '../../domain/api-key/events.ts';
import type { JsonObject } from '../../domain/bfdr/json.ts';
import type { QueuedCourse } from '../../domain/ingestion/queued-course.ts';
import type { FindReceipt } from '../../domain/ingestion/receipt.ts';
import type { Authenticate, Caller } from '../access/authenticate.ts';
import { notFound } from '../http/error-middleware.ts';
import { sendOutcome } from '../http/operation-outcome.ts';
import { RequestProblem } from '../http/request-problem.ts';
import type { AcceptSubmission } from '../write-path/accept-submission.ts';
import { parseBundle } from './parse-bundle.ts';
import { readBody } from './read-body.ts';

/** What the push lane works with. */
export interface PushRouterParts {
  readonly authenticate: Authenticate;
  readonly accept: AcceptSubmission;
  readonly mapSubmission: (bundle: JsonObject, caller: Caller) => readonly QueuedCourse[];
  readonly findReceipt: FindReceipt;
  /** Address of an ingestion's status, absolute. */
  readonly statusUrl: (ingestionId: string) => string;
  /** Whole seconds, at least 1, after which a receipt is worth polling for. */
  readonly retryAfterSeconds: () => number;
}

const INGESTION_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The push lane: submit a Bundle, poll its receipt. @see spec "Endpoints" */
export const pushRouter = (parts: PushRouterParts): Router => {
  const router = express.Router();
  // Authentication first: what is mounted here is nobody's business without a key.
  router.use(requireKey(parts.authenticate));

  router.post('/Bundle', requireScope('ingest:write'), async (req, res) => {
    const caller = callerOf(res);
    const bundle = parseBundle(await readBody(req));
    const ingestionId = await parts.accept({
      practiceId: caller.practiceId,
      keyId: caller.keyId,
      keyKind: caller.kind,
      courses: parts.mapSubmission(bundle, caller),
      idempotencyKey: req.get('Idempotency-Key'),
      correlationId: String(res.locals['correlationId']),
    });
    res.set('Content-Location', parts.statusUrl(ingestionId));
    res.set('Retry-After', String(parts.retryAfterSeconds()));
    sendOutcome(res, 202, {
      severity: 'information',
      code: 'informational',
      diagnostics: 'The Bundle is queued. Poll the address in Content-Location for its receipt.',
    });
  });
  router.all('/Bundle', allowOnly('POST'));

  router.get('/ingestions/:ingestion', requireScope('ingest:read'), async (req, res) => {
    const id = String(req.params['ingestion']);
    const receipt = INGESTION_ID.test(id)
      ? await parts.findReceipt(callerOf(res).practiceId, id)
      : null;
    if (receipt === null)
      throw new RequestProblem(404, 'not-found', 'Your practice has no ingestion with this id.');
    const isUnfinished = receipt.status === 'queued' || receipt.status === 'processing';
    if (isUnfinished) res.set('Retry-After', String(parts.retryAfterSeconds()));
    res.type('application/json').send(JSON.stringify(receipt));
  });
  router.all('/ingestions/:ingestion', allowOnly('GET, HEAD'));

  router.use(notFound);
  return router;
};

const requireKey =
  (authenticate: Authenticate): RequestHandler =>
  async (req, res, next) => {
    const caller = await authenticate(bearerToken(req));
    if (caller === null)
      throw new RequestProblem(
        401,
        'login',
        'A valid API key is needed: send it as Authorization: Bearer <API_KEY>.',
        [],
        { 'WWW-Authenticate': 'Bearer' },
      );
    res.locals['caller'] = caller;
    next();
  };

// RFC 6750: the scheme is case-insensitive.
const bearerToken = (req: Request): string | null =>
  /^Bearer +([^\s]+) *$/i.exec(req.get('Authorization') ?? '')?.[1] ?? null;

const callerOf = (res: Response): Caller => res.locals['caller'] as Caller;

const requireScope =
  (scope: Scope): RequestHandler =>
  (_req, res, next) => {
    if (!callerOf(res).scopes.includes(scope))
      throw new RequestProblem(403, 'forbidden', `This API key does not carry the scope ${scope}.`);
    next();
  };

const allowOnly =
  (methods: string): RequestHandler =>
  () => {
    throw new RequestProblem(405, 'not-supported', `Only ${methods} is supported here.`, [], {
      Allow: methods,
    });
  };
