import type { Receipt } from '../submission/receipt.ts';
import { MAX_RECORDS } from './decide.ts';
import type { AccessEvent } from './events.ts';

export interface ReadReceipt {
  readonly ingestionId: string;
  readonly recordIds: readonly string[];
}

/** Returns `null` for an unfinished receipt, which names no records yet. */
export const toReadReceipt = (receipt: Receipt): ReadReceipt | null => {
  switch (receipt.status) {
    case 'queued':
    case 'processing':
      return null;
    case 'failed':
      return { ingestionId: receipt.id, recordIds: [] };
    case 'completed':
      return {
        ingestionId: receipt.id,
        recordIds: receipt.outcome.accepted.map(({ submission_uuid }) => submission_uuid),
      };
  }
};

export const buildReceiptsRead = (
  practiceId: string,
  at: Date,
  receipts: readonly ReadReceipt[],
): readonly AccessEvent<'ReceiptsRead'>[] => {
  const parts: ReadReceipt[][] = [];
  let room = 0;
  for (const { ingestionId, recordIds } of receipts) {
    const ids = [...new Set(recordIds)];
    for (let from = 0; from === 0 || from < ids.length; from += MAX_RECORDS) {
      const part = { ingestionId, recordIds: ids.slice(from, from + MAX_RECORDS) };
      const weight = Math.max(1, part.recordIds.length);
      if (weight > room) {
        parts.push([]);
        room = MAX_RECORDS;
      }
      parts.at(-1)?.push(part);
      room -= weight;
    }
  }
  return parts.map((part) => ({
    type: 'ReceiptsRead',
    data: {
      at: at.toISOString(),
      practiceId,
      ingestionIds: part.map(({ ingestionId }) => ingestionId),
      recordIds: part.flatMap(({ recordIds }) => recordIds),
    },
  }));
};
