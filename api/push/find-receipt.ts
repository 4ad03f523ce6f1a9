import { stateAfter } from '../../domain/fold.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import type { IngestionEvent } from '../../domain/submission/events.ts';
import { buildReceipt, type Receipt } from '../../domain/submission/receipt.ts';
import { ingestionFold } from '../../domain/submission/state.ts';
import type { AppPorts } from '../ports/app-ports.ts';

/**
 * Finds a receipt in the read tables or the queue, and asks the log before it says that there is
 * none: while the tables are being filled anew, a 202 must not be followed by a 404. What has ended and
 * cannot be applied to the tables has its receipt by its events.
 */
export const findReceipt = async (
  { hotReads, log }: Pick<AppPorts, 'hotReads' | 'log'>,
  practiceId: string,
  ingestionId: string,
): Promise<Receipt | null> => {
  const projected = await hotReads.findReceipt(practiceId, ingestionId);
  if (projected !== null) return projected;
  const stored = await log.readStream(ingestionStream(ingestionId));
  const state = stateAfter(stored, ingestionFold);
  if (state.status === 'none') return null;
  // An import of a member's is no business of an API key.
  if (state.practiceId !== practiceId || state.source !== 'fhir_push') return null;
  return buildReceipt(
    ingestionId,
    stored.map(({ event }) => event as IngestionEvent),
  );
};
