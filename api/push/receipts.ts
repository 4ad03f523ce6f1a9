import { isKnown } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import type { IngestionEvent } from '../../domain/submission/events.ts';
import { buildReceipt, type Receipt } from '../../domain/submission/receipt.ts';
import { ingestionFold, isTerminal } from '../../domain/submission/state.ts';
import type { ProvedEvent } from '../../transparency-log/event-proof.ts';
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
 */
export const proveReceipt = async (
  ports: Pick<AppPorts, 'hotReads' | 'log'>,
  ingestionId: string,
): Promise<ReceiptProof | null> => {
  if ((await ports.hotReads.findTablesVersion()) === 'newer') return null;
  const stored = await ports.log.readLeaves(ingestionStream(ingestionId));
  const end = stored.findLast(({ type }) => ENDS.includes(type));
  if (end === undefined) return null;
  const outcomes = stored.filter(({ type }) => type === OUTCOMES);
  const [ofEnd, ...proofs] = (await proveEvents(ports, [end, ...outcomes])) ?? [];
  if (ofEnd === undefined) return null;
  return { ...ofEnd, ...(proofs.length > 0 && { proofs }) };
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
  const stored = await log.readStream(ingestionStream(ingestionId));
  const state = stateAfter(stored, ingestionFold);
  if (state.status === 'none') return projected;
  // A member's import is not visible to API keys.
  if (state.practiceId !== practiceId || state.source !== 'fhir_push') return null;
  return buildReceipt(
    ingestionId,
    stored.filter(isKnown).map(({ event }) => event as IngestionEvent),
  );
};
