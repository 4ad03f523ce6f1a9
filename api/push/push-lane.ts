import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Scope } from '../../domain/api-key/events.ts';
import type { QueuedCourse } from '../../domain/ingestion/queued-course.ts';
import type { FindReceipt } from '../../domain/ingestion/receipt.ts';
import type { Authenticate, Caller } from '../access/authenticate.ts';
import type { FindPartnerGate } from '../access/partner-gate.ts';
import { bearerToken } from '../http/bearer-token.ts';
import { sendJson, sendOutcome } from '../http/operation-outcome.ts';
import type { AcceptSubmission } from '../write-path/accept-submission.ts';
import {
  keyNeeded,
  noSuchIngestion,
  partnerGateClosed,
  QUEUED_ISSUE,
  REPLAYED_ISSUE,
  scopeMissing,
} from './problems.ts';
import { type Body, readBody } from './read-body.ts';

/** What the push lane works with. */
export interface PushLaneParts {
  readonly authenticate: Authenticate;
  readonly findPartnerGate: FindPartnerGate;
  readonly accept: AcceptSubmission;
  readonly mapBody: (body: Body, caller: Caller) => Promise<readonly QueuedCourse[]>;
  readonly findReceipt: FindReceipt;
  /** Address of an ingestion's status, absolute. */
  readonly statusUrl: (ingestionId: string) => string;
  /** Whole seconds, at least 1, after which a receipt is worth polling for. */
  readonly retryAfterSeconds: () => number;
}

/** A request that somebody with a key has sent, and the response to it. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly correlationId: string;
  readonly caller: Caller;
}

/** What an integrator may ask for. Each answers, or throws what is to be answered. */
export interface PushLane {
  /** Who has sent a request. @throws RequestProblem 401 */
  authenticate(req: IncomingMessage): Promise<Caller>;
  /** Takes a Bundle. */
  submit(exchange: Exchange): Promise<void>;
  /** Tells of an ingestion. */
  status(exchange: Exchange, ingestionId: string): Promise<void>;
}

const INGESTION_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Submit a Bundle, poll its receipt. @see spec "Endpoints" */
export const pushLaneWith = (parts: PushLaneParts): PushLane => ({
  async authenticate(req) {
    const caller = await parts.authenticate(bearerToken(req));
    if (caller === null) throw keyNeeded();
    return caller;
  },

  async submit({ req, res, correlationId, caller }) {
    await admit(caller, 'ingest:write', parts.findPartnerGate);
    const courses = await parts.mapBody(await readBody(req), caller);
    const { ingestionId, isReplay } = await parts.accept({
      practiceId: caller.practiceId,
      keyId: caller.keyId,
      keyKind: caller.kind,
      courses,
      idempotencyKey: idempotencyKeyOf(req),
      correlationId,
    });
    res.setHeader('Content-Location', parts.statusUrl(ingestionId));
    res.setHeader('Retry-After', String(parts.retryAfterSeconds()));
    if (isReplay) res.setHeader('Idempotent-Replayed', 'true');
    sendOutcome(res, 202, isReplay ? REPLAYED_ISSUE : QUEUED_ISSUE);
  },

  async status({ res, caller }, ingestionId) {
    await admit(caller, 'ingest:read', parts.findPartnerGate);
    const receipt = INGESTION_ID.test(ingestionId)
      ? await parts.findReceipt(caller.practiceId, ingestionId)
      : null;
    if (receipt === null) throw noSuchIngestion();
    const isUnfinished = receipt.status === 'queued' || receipt.status === 'processing';
    if (isUnfinished) res.setHeader('Retry-After', String(parts.retryAfterSeconds()));
    sendJson(res, 200, 'application/json', receipt);
  },
});

/** Native keys pass the gate: only a partner's own standing closes it. */
const admit = async (
  { scopes, partnerId }: Caller,
  scope: Scope,
  findPartnerGate: FindPartnerGate,
): Promise<void> => {
  if (!scopes.includes(scope)) throw scopeMissing(scope);
  if (partnerId === null) return;
  const gate = await findPartnerGate(partnerId);
  if (gate.kind === 'closed') throw partnerGateClosed(gate.reason);
};

/** Node joins repeated ones with a comma, as one value. */
const idempotencyKeyOf = (req: IncomingMessage): string | undefined => {
  const value = req.headers['idempotency-key'];
  return Array.isArray(value) ? value.join(', ') : value;
};
