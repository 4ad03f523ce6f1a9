import { isKnown } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import type { IngestionEvent } from '../../domain/submission/events.ts';
import { buildReceipt, type Receipt } from '../../domain/submission/receipt.ts';
import { ingestionFold } from '../../domain/submission/state.ts';
import type { AppPorts } from '../ports/app-ports.ts';

/**
 * Falls back to the log: while the tables are being rebuilt, a 202 must not be followed by a 404.
 * The log also has the receipts of ingestions that cannot be projected.
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
  // A member's import is not visible to API keys.
  if (state.practiceId !== practiceId || state.source !== 'fhir_push') return null;
  return buildReceipt(
    ingestionId,
    stored.filter(isKnown).map(({ event }) => event as IngestionEvent),
  );
};
