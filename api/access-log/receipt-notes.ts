import { randomUUID } from 'node:crypto';
import type { EnqueueOutbox } from '../../domain/access-log/ports.ts';
import {
  buildReceiptsRead,
  type ReadReceipt,
  toReadReceipt,
} from '../../domain/access-log/receipts.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import type { Caller } from '../access/authenticate.ts';
import { createWriteBehind } from '../process/write-behind.ts';

export interface ReceiptNotes {
  /** Does not delay the response: entries are written within a second. */
  note(caller: Pick<Caller, 'keyId' | 'practiceId'>, receipt: Receipt): void;
  stop(): Promise<void>;
}

const WRITE_INTERVAL_MS = 1_000;
/** Clients poll one receipt repeatedly. */
const MAX_REMEMBERED = 20_000;
const MAX_WAITING = 20_000;

/**
 * Records a receipt once per key, in batches after the response: receipts name no patient and are
 * polled at high rates.
 */
export const createReceiptNotes = (
  noteAccess: EnqueueOutbox,
  now: () => Date,
  onFault: (error: unknown) => void,
): ReceiptNotes => {
  let noted = new Set<string>();
  let notedBefore = new Set<string>();
  const { note, stop } = createWriteBehind<{
    practiceId: string;
    receipts: ReadReceipt[];
  }>({
    intervalMs: WRITE_INTERVAL_MS,
    isPrompt: false,
    merge: (earlier, { receipts }) => {
      earlier.receipts.push(...receipts);
      return earlier;
    },
    write: (reads) => {
      const at = now();
      return noteAccess(
        [...reads].flatMap(([keyId, { practiceId, receipts }]) =>
          buildReceiptsRead(practiceId, at, receipts).map((event) => ({
            noteId: randomUUID(),
            event,
            actor: { kind: 'key' as const, id: keyId },
            correlationId: 'receipts',
          })),
        ),
      );
    },
    onFault,
    maxWaiting: MAX_WAITING,
  });

  return {
    note({ keyId, practiceId }, receipt) {
      const read = toReadReceipt(receipt);
      if (read === null) return;
      const id = `${keyId} ${read.ingestionId}`;
      if (noted.has(id) || notedBefore.has(id)) return;
      if (noted.size >= MAX_REMEMBERED) {
        notedBefore = noted;
        noted = new Set();
      }
      noted.add(id);
      note(keyId, { practiceId, receipts: [read] });
    },
    stop,
  };
};
