import express, { type RequestHandler, type Response, type Router } from 'express';
import type { Scope } from '../../domain/api-key/events.ts';
import type { JsonObject } from '../../domain/bfdr/json.ts';
import type { QueuedCourse } from '../../domain/ingestion/queued-course.ts';
import type { FindReceipt } from '../../domain/ingestion/receipt.ts';
import type { Authenticate, Caller } from '../access/authenticate.ts';
import type { FindPartnerGate } from '../access/partner-gate.ts';
import { bearerToken } from '../http/bearer-token.ts';
import { notFound } from '../http/error-middleware.ts';
import { sendOutcome } from '../http/operation-outcome.ts';
import type { AcceptSubmission } from '../write-path/accept-submission.ts';
import { parseBundle } from './parse-bundle.ts';
import {
  keyNeeded,
  methodNotSupported,
  noSuchIngestion,
  partnerGateClosed,
  QUEUED_ISSUE,
  scopeMissing,
} from './problems.ts';
import { readBody } from './read-body.ts';

/** What the push lane works with. */
export interface PushRouterParts {
  readonly authenticate: Authenticate;
  readonly findPartnerGate: FindPartnerGate;
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
  const partnerGate = requirePartnerGate(parts.findPartnerGate);

  router.post('/Bundle', requireScope('ingest:write'), partnerGate, async (req, res) => {
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
    sendOutcome(res, 202, QUEUED_ISSUE);
  });
  router.all('/Bundle', allowOnly('POST'));

  router.get(
    '/ingestions/:ingestion',
    requireScope('ingest:read'),
    partnerGate,
    async (req, res) => {
      const id = String(req.params['ingestion']);
      const receipt = INGESTION_ID.test(id)
        ? await parts.findReceipt(callerOf(res).practiceId, id)
        : null;
      if (receipt === null) throw noSuchIngestion();
      const isUnfinished = receipt.status === 'queued' || receipt.status === 'processing';
      if (isUnfinished) res.set('Retry-After', String(parts.retryAfterSeconds()));
      res.type('application/json').send(JSON.stringify(receipt));
    },
  );
  router.all('/ingestions/:ingestion', allowOnly('GET, HEAD'));

  router.use(notFound);
  return router;
};

const requireKey =
  (authenticate: Authenticate): RequestHandler =>
  async (req, res, next) => {
    const caller = await authenticate(bearerToken(req));
    if (caller === null) throw keyNeeded();
    res.locals['caller'] = caller;
    next();
  };

const callerOf = (res: Response): Caller => res.locals['caller'] as Caller;

const requireScope =
  (scope: Scope): RequestHandler =>
  (_req, res, next) => {
    if (!callerOf(res).scopes.includes(scope)) throw scopeMissing(scope);
    next();
  };

/** Native keys pass: only a partner's own standing closes its gate. */
const requirePartnerGate =
  (findPartnerGate: FindPartnerGate): RequestHandler =>
  async (_req, res, next) => {
    const { partnerId } = callerOf(res);
    const gate = partnerId === null ? null : await findPartnerGate(partnerId);
    if (gate?.kind === 'closed') throw partnerGateClosed(gate.reason);
    next();
  };

const allowOnly =
  (methods: string): RequestHandler =>
  () => {
    throw methodNotSupported(methods);
  };
