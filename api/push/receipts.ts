import { keyFold } from '../../domain/api-key/state.ts';
import { isKnown } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { getSharedStream, ingestionStream, keyStream } from '../../domain/stream-names.ts';
import type { IngestionEnvelope, IngestionEvent } from '../../domain/submission/events.ts';
import { findPushEnd } from '../../domain/submission/pushes.ts';
import { buildReceipt, type Receipt } from '../../domain/submission/receipt.ts';
import { evolve, type Ingestion, isTerminal, noIngestion } from '../../domain/submission/state.ts';
import type { ProvedEvent } from '../../transparency-log/event-proof.ts';
import type { PlacedLeaf } from '../../transparency-log/leaf-entry.ts';
import type { Caller } from '../access/authenticate.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { proveEvents } from '../transparency-log/prove-events.ts';

export interface ReceiptProof extends ProvedEvent {
  /** Missing if the last event contains the outcomes. */
  readonly proofs?: readonly ProvedEvent[];
}

const ENDS: readonly string[] = ['SubmissionIngested', 'IngestionCompleted', 'IngestionFailed'];
const OUTCOMES = 'RecordsProcessed';

/**
 * `null` if the ingestion has not ended, no checkpoint covers its end, or a newer version keeps the
 * tree.
 * @throws RequestProblem 403 if the event also has pushes of another sender
 */
export const proveReceipt = async (
  ports: Pick<AppPorts, 'hotReads' | 'log'>,
  ingestionId: string,
  caller: Caller,
): Promise<ReceiptProof | null> => {
  if ((await ports.hotReads.findTablesVersion()) === 'newer') return null;
  const stored = await ports.log.readLeaves(ingestionStream(ingestionId));
  const end =
    stored.findLast(({ type }) => ENDS.includes(type)) ??
    (await findSharedLeaf(ports, ingestionId, caller));
  if (end === undefined) return null;
  const outcomes = stored.filter(({ type }) => type === OUTCOMES);
  const [ofEnd, ...proofs] = (await proveEvents(ports, [end, ...outcomes])) ?? [];
  if (ofEnd === undefined) return null;
  return { ...ofEnd, ...(proofs.length > 0 && { proofs }) };
};

const findSharedLeaf = async (
  { log }: Pick<AppPorts, 'log'>,
  ingestionId: string,
  caller: Caller,
): Promise<PlacedLeaf | undefined> => {
  const stream = getSharedStream(ingestionId);
  if (stream === null) return undefined;
  const end = findPushEnd(ingestionId, await log.readStream(stream));
  if (end === null) return undefined;
  if (end.pushes > 1 && !(await isSameSender(log, caller, end.event.data)))
    throw new RequestProblem(REQUEST_PROBLEMS['proof-of-another-sender']);
  const { revision } = end.stored;
  const [leaf] = await log.readLeaves(stream, { from: revision, most: 1 });
  return leaf;
};

/** The practice itself, or a partner of it, whatever key was used. */
const isSameSender = async (
  log: Pick<AppPorts['log'], 'readStream'>,
  caller: Caller,
  { keyId, keyKind }: Pick<IngestionEnvelope, 'keyId' | 'keyKind'>,
): Promise<boolean> => {
  if (caller.keyId === keyId) return true;
  if (caller.partnerId === null || keyId === null) return caller.kind === keyKind;
  const key = stateAfter(await log.readStream(keyStream(keyId)), keyFold);
  return key.status !== 'unknown' && key.partnerId === caller.partnerId;
};

/**
 * Falls back to the log: while the tables are being rebuilt, a 202 must not be followed by a 404, and
 * after a crash of Postgres no receipt goes back. The log also has the receipts of ingestions that
 * cannot be projected.
 */
export const findReceipt = async (
  { hotReads, log }: Pick<AppPorts, 'hotReads' | 'log'>,
  practiceId: string,
  ingestionId: string,
): Promise<Receipt | null> => {
  const projected = await hotReads.findReceipt(practiceId, ingestionId);
  if (projected !== null && (isTerminal(projected) || !hotReads.mayLagAfterCrash()))
    return projected;
  const events = await readIngestion(log, ingestionId);
  const state = events.reduce<Ingestion>(evolve, noIngestion);
  if (state.status === 'none') return projected;
  // A member's import is not visible to API keys.
  if (state.practiceId !== practiceId || state.source !== 'fhir_push') return null;
  return buildReceipt(ingestionId, events);
};

const readIngestion = async (
  log: Pick<AppPorts['log'], 'readStream'>,
  ingestionId: string,
): Promise<readonly IngestionEvent[]> => {
  const stream = getSharedStream(ingestionId);
  const end = stream && findPushEnd(ingestionId, await log.readStream(stream));
  if (end) return [end.event];
  const stored = await log.readStream(ingestionStream(ingestionId));
  return stored.filter(isKnown).map(({ event }) => event as IngestionEvent);
};
