import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Scope } from '../../domain/api-key/events.ts';
import type { OffsetAt } from '../../domain/course/practice-clock.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import { type Caller, createFindLiveKey } from '../access/authenticate.ts';
import { createFindPartnerPolicy, type FindPartnerPolicy } from '../access/partner-policy.ts';
import type { ReceiptNotes } from '../access-log/receipt-notes.ts';
import { bearerToken } from '../http/bearer-token.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { sendOutcome } from '../http/operation-outcome.ts';
import { sendCompressible } from '../http/send-compressible.ts';
import type { App } from '../ports/app-ports.ts';
import { findPracticeOffsets } from '../practice-time/practice-offsets.ts';
import { createVersionedCache } from '../process/remember.ts';
import { acceptSubmission } from './accept-submission.ts';
import type { Exchange } from './exchange.ts';
import { findReceipt } from './find-receipt.ts';
import { mapBody } from './map-body.ts';
import { getRegistryCodeSystem } from './map-submission.ts';
import {
  ipNotAllowed,
  keyNeeded,
  noProofYet,
  noSuchIngestion,
  partnerGateClosed,
  queuedIssue,
  replayedIssue,
  scopeMissing,
} from './problems.ts';
import { proveReceipt } from './prove-receipt.ts';
import { readBody } from './read-body.ts';
import type { RecentTokens } from './recent-tokens.ts';

/** Who sent a request. */
export type AuthResult =
  | { readonly kind: 'caller'; readonly caller: Caller }
  /** No key, or one that is unknown, revoked or has ended. */
  | { readonly kind: 'stranger' }
  /** Somebody with a key that may not be used from where they are. */
  | { readonly kind: 'elsewhere'; readonly caller: Caller };

/** Who may push, as of now. */
export interface PushAccess {
  readonly senderOf: (req: IncomingMessage) => Promise<AuthResult>;
  /** Told of each request that was refused because of where it came from. */
  readonly onIpRefused: (caller: Caller, req: IncomingMessage) => void;
  readonly findPartnerGate: FindPartnerPolicy;
  /** The offsets of a practice's time zone; null: it has set none. */
  readonly findOffsets: (practiceId: string) => Promise<OffsetAt | null>;
  /** Told of each receipt that a key was given. */
  readonly noteReceipt: ReceiptNotes['note'];
}

/** What the push lane notes of keys. */
export interface KeyNotes {
  readonly use: (keyId: string, address: string) => void;
  readonly refusal: (caller: Caller, address: string) => void;
  readonly receipt: PushAccess['noteReceipt'];
}

/**
 * Asks the log who may push, and remembers the answers.
 * @param accessVersion counter that goes up with every change to a key, a partner or a practice
 */
export const createPushAccess = (
  registry: App,
  accessVersion: () => Promise<bigint>,
  addressOf: ClientAddress,
  notes: KeyNotes,
  known: RecentTokens,
): PushAccess => {
  const findLiveKey = createFindLiveKey(registry, accessVersion);
  const { readLogOrKept } = registry;
  const findOffsets = createVersionedCache(accessVersion, (practiceId) =>
    findPracticeOffsets({ log: { readStream: readLogOrKept } }, practiceId),
  );
  return {
    senderOf: async (req) => {
      const token = bearerToken(req);
      const key = await findLiveKey(token);
      if (token === null || key === null) {
        if (token !== null) known.drop(token);
        return { kind: 'stranger' };
      }
      const { caller, allows } = key;
      known.keep(token, allows);
      const address = addressOf(req);
      if (allows !== null && !allows(address)) return { kind: 'elsewhere', caller };
      notes.use(caller.keyId, address);
      // Known as long as the caller is: while the log is away, a push needs nothing else from it.
      await findOffsets(caller.practiceId);
      return { kind: 'caller', caller };
    },
    onIpRefused: (caller, req) => notes.refusal(caller, addressOf(req)),
    findPartnerGate: createFindPartnerPolicy(readLogOrKept, accessVersion),
    findOffsets,
    noteReceipt: notes.receipt,
  };
};

const INGESTION_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** What an integrator may ask for: each answers, or throws what is to be answered. @see spec "Endpoints" */
export const createFhirRouter = (
  registry: App,
  { senderOf, onIpRefused, findPartnerGate, findOffsets, noteReceipt }: PushAccess,
) => {
  const { identity, baseUrl, queueLoad } = registry;
  /** @throws RequestProblem 403, or 404 for a receipt that is not the practice's */
  const receiptFor = async (caller: Caller, ingestionId: string): Promise<Receipt> => {
    await admit(caller, 'ingest:read', findPartnerGate);
    const receipt = INGESTION_ID.test(ingestionId)
      ? await findReceipt(registry, caller.practiceId, ingestionId)
      : null;
    if (receipt === null) throw noSuchIngestion();
    return receipt;
  };
  const registryCodeSystems = [getRegistryCodeSystem(baseUrl)];
  return {
    /** Who has sent a request. @throws RequestProblem 401, or 403 for a key that is used elsewhere */
    async authenticate(req: IncomingMessage): Promise<Caller> {
      const sender = await senderOf(req);
      if (sender.kind === 'stranger') throw keyNeeded();
      if (sender.kind === 'caller') return sender.caller;
      onIpRefused(sender.caller, req);
      throw ipNotAllowed();
    },

    /** Takes a Bundle. */
    async submit({ req, res, correlationId, caller }: Exchange): Promise<void> {
      await admit(caller, 'ingest:write', findPartnerGate);
      const { practiceId, partnerId, keyId, kind: keyKind } = caller;
      const courses = await mapBody(await readBody(req), {
        practiceId,
        partnerId,
        keyKind,
        providerId: identity.providerId,
        recordHash: identity.recordHash,
        fingerprintKeys: registry.fingerprintKeysAt(registry.now()),
        offsetAt: await findOffsets(practiceId),
        registryCodeSystems,
      });
      const { ingestionId, isReplay } = await acceptSubmission(registry, {
        practiceId,
        keyId,
        keyKind,
        courses,
        idempotencyKey: idempotencyKeyOf(req),
        correlationId,
      });
      const receiptAddress = `${baseUrl}/api/registry/fhir/ingestions/${ingestionId}`;
      res.setHeader('Content-Location', receiptAddress);
      res.setHeader('Retry-After', String(queueLoad.retryAfterSeconds()));
      if (isReplay) res.setHeader('Idempotent-Replayed', 'true');
      sendOutcome(res, 202, isReplay ? replayedIssue(receiptAddress) : queuedIssue(receiptAddress));
    },

    /** Tells of an ingestion. */
    async status({ req, res, caller }: Exchange, ingestionId: string): Promise<void> {
      const receipt = await receiptFor(caller, ingestionId);
      const isUnfinished = receipt.status === 'queued' || receipt.status === 'processing';
      if (isUnfinished) res.setHeader('Retry-After', String(queueLoad.retryAfterSeconds()));
      await sendData(req, res, receipt);
      noteReceipt(caller, receipt);
    },

    /** Proves what a receipt says. */
    async prove({ req, res, caller }: Exchange, ingestionId: string): Promise<void> {
      const receipt = await receiptFor(caller, ingestionId);
      const proof = await proveReceipt(registry, ingestionId);
      if (proof === null) throw noProofYet();
      await sendData(req, res, proof);
      noteReceipt(caller, receipt);
    },
  };
};

/** @see createFhirRouter */
export type FhirRouter = ReturnType<typeof createFhirRouter>;

const sendData = (req: IncomingMessage, res: ServerResponse, data: object): Promise<void> =>
  sendCompressible(req, res, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(data)));

/** Native keys pass the gate: only a partner's own standing closes it. */
const admit = async (
  { scopes, partnerId }: Caller,
  scope: Scope,
  findPartnerGate: FindPartnerPolicy,
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
