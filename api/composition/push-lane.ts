import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import { hashApiToken, keyIdOf, looksLikeApiToken } from '../../adapters/crypto/api-tokens.ts';
import { idOf } from '../../adapters/crypto/deterministic-ids.ts';
import { countReplayIn } from '../../adapters/postgres/access/idempotent-replays.ts';
import { findReceiptIn } from '../../adapters/postgres/queries/receipts.ts';
import { authenticateWith } from '../access/authenticate.ts';
import { findPartnerGateWith } from '../access/partner-gate.ts';
import { rememberUnder } from '../access/remember.ts';
import { findReceiptWith } from '../push/find-receipt.ts';
import { mapBody } from '../push/map-body.ts';
import { type PushLane, pushLaneWith } from '../push/push-lane.ts';
import { type AcceptSubmission, acceptSubmissionWith } from '../write-path/accept-submission.ts';
import type { DoorFirst } from '../write-path/door-first.ts';
import { findPracticeOffsetsWith } from '../write-path/practice-offsets.ts';
import { queueWaitOf } from '../write-path/queue-wait.ts';
import type { SharedParts } from './parts.ts';

/** The door's budget for `IngestionQueued`: longer, and the caller is better off trying again. */
const DOOR_APPEND_MS = 3_000;

/** Wires the push lane to the stores. */
export const pushLaneOf = (parts: SharedParts): PushLane => {
  const { settings, stores, queue, accessVersion, keyUse, doorFirst, now, afterStep } = parts;
  const { hotDb, log, identity } = stores;
  const access = { readStream: log.readStream, accessVersion: accessVersion.current };
  const authenticate = authenticateWith({ ...access, looksLikeApiToken, hashApiToken, keyIdOf });
  const findOffsets = rememberUnder(accessVersion.current, findPracticeOffsetsWith(log.readStream));
  return pushLaneWith({
    authenticate: async (token) => {
      const caller = await authenticate(token);
      if (caller === null) return null;
      keyUse.note(caller.keyId);
      // Known as long as the caller is: while the log is away, a push needs nothing else from it.
      await findOffsets(caller.practiceId);
      return caller;
    },
    findPartnerGate: findPartnerGateWith(access),
    accept: whileInside(
      doorFirst,
      acceptSubmissionWith({
        enqueue: queue.enqueue,
        dequeue: queue.dequeue,
        append: (stream, expected, events, context) =>
          log.append(stream, expected, events, context, DOOR_APPEND_MS),
        idempotentIngestionId: identity.idempotentIngestionId,
        newIngestionId: nanoid,
        newAttempt: randomUUID,
        countReplay: countReplayIn(hotDb, now),
        idOf,
        now,
        afterStep,
      }),
    ),
    mapBody: async (body, { practiceId, partnerId, kind: keyKind }) =>
      mapBody(body, {
        practiceId,
        partnerId,
        keyKind,
        providerId: identity.providerId,
        recordHash: identity.recordHash,
        fingerprint: identity.fingerprint,
        offsetAt: await findOffsets(practiceId),
        registryCodeSystems: [`${settings.baseUrl}/fhir/CodeSystem/registry`],
      }),
    findReceipt: findReceiptWith(findReceiptIn(hotDb), log.readStream),
    statusUrl: (id) => `${settings.baseUrl}/api/registry/fhir/ingestions/${id}`,
    retryAfterSeconds: queueWaitOf(queue.queuedCourses),
  });
};

const whileInside =
  (doorFirst: DoorFirst, accept: AcceptSubmission): AcceptSubmission =>
  async (submission) => {
    const leave = doorFirst.enter();
    try {
      return await accept(submission);
    } finally {
      leave();
    }
  };
