import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Scope } from '../../domain/api-key/events.ts';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { checkGate, type PartnerGate } from '../../domain/partner/gate.ts';
import { partnerFold } from '../../domain/partner/state.ts';
import { partnerStream } from '../../domain/stream-names.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import { type Caller, createFindLiveKey } from '../access/authenticate.ts';
import type { ReceiptNotes } from '../access-log/receipt-notes.ts';
import { readBearerToken } from '../http/bearer-token.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { sendOutcome } from '../http/operation-outcome.ts';
import { partnerGateClosed, REQUEST_PROBLEMS, scopeMissing } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import { sendCompressible } from '../http/send-compressible.ts';
import type { App } from '../ports/app-ports.ts';
import { findPracticeOffsets } from '../practice-time/practice-offsets.ts';
import { createVersionedCache } from '../process/remember.ts';
import { createTurns } from '../process/turns.ts';
import { acceptSubmission } from './accept-submission.ts';
import { mapBody } from './map-body.ts';
import { getRegistryCodeSystem, type MappingContext } from './map-submission.ts';
import { queuedIssue, replayedIssue } from './queued-issues.ts';
import { readBody } from './read-body.ts';
import { findReceipt, proveReceipt } from './receipts.ts';
import type { RecentTokens } from './recent-tokens.ts';

type FindPartnerPolicy = (partnerId: string) => Promise<PartnerGate>;

/**
 * Reads the log itself, so a change applies immediately; while it is unavailable, the stored copy.
 * @param accessVersion counter of changes to partners; rejects if it is unknown
 * @see spec "Partner contract status"
 */
const createFindPartnerPolicy = (
  readStream: ReadStream,
  accessVersion: () => Promise<bigint>,
): FindPartnerPolicy =>
  createVersionedCache(accessVersion, async (partnerId) => {
    const stored = await readStream(partnerStream(partnerId));
    return checkGate(stateAfter(stored, partnerFold));
  });

export type AuthResult =
  | { readonly kind: 'caller'; readonly caller: Caller }
  /** Missing, unknown, revoked, or expired. */
  | { readonly kind: 'unknown-key' }
  | { readonly kind: 'disallowed-address'; readonly caller: Caller };

export interface PushAccess {
  readonly authenticate: (req: IncomingMessage) => Promise<AuthResult>;
  readonly onIpRefused: (caller: Caller, req: IncomingMessage) => void;
  readonly findPartnerGate: FindPartnerPolicy;
  /** `null` if the practice has set no time zone. */
  readonly findOffsets: (practiceId: string) => Promise<OffsetAt | null>;
  readonly noteReceipt: ReceiptNotes['note'];
}

export interface KeyNotes {
  readonly use: (keyId: string, address: string) => void;
  readonly refusal: (caller: Caller, address: string) => void;
  readonly receipt: PushAccess['noteReceipt'];
}

/** @param accessVersion counter of all changes to keys, partners, and practices */
export const createPushAccess = (
  app: App,
  accessVersion: () => Promise<bigint>,
  getAddress: ClientAddress,
  notes: KeyNotes,
  known: RecentTokens,
): PushAccess => {
  const findLiveKey = createFindLiveKey(app, accessVersion);
  const { readLogOrCache } = app;
  const findOffsets = createVersionedCache(accessVersion, (practiceId) =>
    findPracticeOffsets({ log: { readStream: readLogOrCache } }, practiceId),
  );
  return {
    authenticate: async (req) => {
      const token = readBearerToken(req);
      const key = await findLiveKey(token);
      if (token === null || key === null) {
        if (token !== null) known.drop(token);
        return { kind: 'unknown-key' };
      }
      const { caller, allows } = key;
      known.keep(token, allows);
      const address = getAddress(req);
      if (allows !== null && !allows(address)) return { kind: 'disallowed-address', caller };
      notes.use(caller.keyId, address);
      // Caches the offsets together with the client, so that a push works while the log is unavailable.
      await findOffsets(caller.practiceId);
      return { kind: 'caller', caller };
    },
    onIpRefused: (caller, req) => notes.refusal(caller, getAddress(req)),
    findPartnerGate: createFindPartnerPolicy(readLogOrCache, accessVersion),
    findOffsets,
    noteReceipt: notes.receipt,
  };
};

const INGESTION_ID = /^[A-Za-z0-9_-]{1,64}$/;

export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly correlationId: string;
  readonly caller: Caller;
}

export interface PushRoute {
  readonly method: 'GET' | 'POST';
  /** Relative to {@link PUSH_LANE}, with at most the parameter `:ingestion`. */
  readonly path: string;
  readonly scope: Scope;
  /** @param ingestionId empty if the path has none @throws RequestProblem */
  readonly handle: (exchange: Exchange, ingestionId: string) => Promise<void>;
}

export const PUSH_LANE = '/api/registry/fhir';

/** @see spec "Endpoints" */
export const createFhirRouter = (
  app: App,
  { authenticate, onIpRefused, findPartnerGate, findOffsets, noteReceipt }: PushAccess,
) => {
  const { identity, baseUrl, queueLoad, memory, reader } = app;
  const runInTurn = createTurns();
  /** @throws RequestProblem 404 if the practice has no such receipt */
  const requireReceipt = async (caller: Caller, ingestionId: string): Promise<Receipt> => {
    const receipt = INGESTION_ID.test(ingestionId)
      ? await findReceipt(app, caller.practiceId, ingestionId)
      : null;
    if (receipt === null) throw new RequestProblem(REQUEST_PROBLEMS['no-such-ingestion']);
    return receipt;
  };
  const registryCodeSystems = [getRegistryCodeSystem(baseUrl)];
  /** @throws RequestProblem 401, or 403 for a disallowed address */
  const requireCaller = (sender: AuthResult, req: IncomingMessage): Caller => {
    if (sender.kind === 'unknown-key') throw new RequestProblem(REQUEST_PROBLEMS['key-needed']);
    if (sender.kind === 'caller') return sender.caller;
    onIpRefused(sender.caller, req);
    throw new RequestProblem(REQUEST_PROBLEMS['used-elsewhere']);
  };
  const admitAgain = async (req: IncomingMessage, scope: Scope): Promise<void> =>
    admit(requireCaller(await authenticate(req), req), scope, findPartnerGate);

  const routes: readonly PushRoute[] = [
    {
      method: 'POST',
      path: '/Bundle',
      scope: 'ingest:write',
      async handle({ req, res, correlationId, caller }) {
        const { practiceId, partnerId, keyId, kind: keyKind } = caller;
        const context: MappingContext = {
          practiceId,
          partnerId,
          keyKind,
          providerId: identity.providerId,
          recordHash: identity.recordHash,
          fingerprintKeys: app.fingerprintKeysAt(app.now()),
          offsetAt: await findOffsets(practiceId),
          registryCodeSystems,
        };
        const { ingestionId, isReplay } = await memory.run(practiceId, async (_claim, receive) =>
          acceptSubmission(app, {
            practiceId,
            keyId,
            keyKind,
            courses: await mapBody(
              await readBody(req, receive),
              context,
              reader,
              practiceId,
              runInTurn,
            ),
            idempotencyKey: readIdempotencyKey(req),
            correlationId,
            // While the body arrived, the key may have been revoked, or the partner suspended.
            requirePermission: () => admitAgain(req, 'ingest:write'),
          }),
        );
        const receiptAddress = `${baseUrl}${PUSH_LANE}/ingestions/${ingestionId}`;
        res.setHeader('Content-Location', receiptAddress);
        res.setHeader('Retry-After', String(queueLoad.retryAfterSeconds(practiceId)));
        if (isReplay) res.setHeader('Idempotent-Replayed', 'true');
        const issue = isReplay ? replayedIssue : queuedIssue;
        sendOutcome(res, 202, issue(receiptAddress));
      },
    },
    {
      method: 'GET',
      path: '/ingestions/:ingestion',
      scope: 'ingest:read',
      async handle({ req, res, caller }, ingestionId) {
        const receipt = await requireReceipt(caller, ingestionId);
        const isUnfinished = receipt.status === 'queued' || receipt.status === 'processing';
        if (isUnfinished)
          res.setHeader('Retry-After', String(queueLoad.retryAfterSeconds(caller.practiceId)));
        await sendData(req, res, receipt);
        noteReceipt(caller, receipt);
      },
    },
    {
      method: 'GET',
      path: '/ingestions/:ingestion/proof',
      scope: 'ingest:read',
      async handle({ req, res, caller }, ingestionId) {
        const receipt = await requireReceipt(caller, ingestionId);
        const proof = await proveReceipt(app, ingestionId, caller);
        if (proof === null) throw new RequestProblem(REQUEST_PROBLEMS['no-proof-yet']);
        await sendData(req, res, proof);
        noteReceipt(caller, receipt);
      },
    },
  ];
  return {
    authenticate,
    requireCaller,
    routes,
    /** @throws RequestProblem 403 without the scope of the route */
    async answer(route: PushRoute, exchange: Exchange, ingestionId: string): Promise<void> {
      await admit(exchange.caller, route.scope, findPartnerGate);
      await route.handle(exchange, ingestionId);
    },
  };
};

export type FhirRouter = ReturnType<typeof createFhirRouter>;

const sendData = (req: IncomingMessage, res: ServerResponse, data: object): Promise<void> =>
  sendCompressible(req, res, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(data)));

/** Native keys need no partner contract. */
const admit = async (
  { scopes, partnerId }: Caller,
  scope: Scope,
  findPartnerGate: FindPartnerPolicy,
): Promise<void> => {
  if (!scopes.includes(scope)) throw new RequestProblem(scopeMissing(scope));
  if (partnerId === null) return;
  const gate = await findPartnerGate(partnerId);
  if (gate.kind === 'closed') throw new RequestProblem(partnerGateClosed(gate.reason));
};

/** Node joins repeated headers with a comma. */
const readIdempotencyKey = (req: IncomingMessage): string | undefined => {
  const value = req.headers['idempotency-key'];
  return Array.isArray(value) ? value.join(', ') : value;
};
