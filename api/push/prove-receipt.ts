import { ingestionStream } from '../../domain/stream-names.ts';
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
