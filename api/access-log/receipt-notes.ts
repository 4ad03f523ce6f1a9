import { randomUUID } from 'node:crypto';
import type { EnqueueOutbox } from '../../domain/access-log/ports.ts';
import {
  buildReceiptsRead,
  type ReadReceipt,
  toReadReceipt,
} from '../../domain/access-log/receipts.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import type { Caller } from '../access/authenticate.ts';

export interface ReceiptNotes {
  /** Does not delay the response: entries are written within a second. */
  note(caller: Pick<Caller, 'keyId' | 'practiceId'>, receipt: Receipt): void;
  stop(): Promise<void>;
}

const WRITE_INTERVAL_MS = 1_000;
/** Clients poll one receipt repeatedly. */
const MAX_REMEMBERED = 20_000;
const MAX_WAITING = 20_000;

interface Waiting {
  readonly practiceId: string;
  readonly receipts: ReadReceipt[];
}

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
  let waiting = new Map<string, Waiting>();
  let receiptCount = 0;
  let writing = Promise.resolve();

  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  const write = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.size === 0) return writing;
    const keys = waiting;
    waiting = new Map();
    receiptCount = 0;
    const at = now();
    const notes = [...keys].flatMap(([keyId, { practiceId, receipts }]) =>
      buildReceiptsRead(practiceId, at, receipts).map((event) => ({
        noteId: randomUUID(),
        event,
        actor: { kind: 'key' as const, id: keyId },
        correlationId: 'receipts',
      })),
    );
    writing = writing
      .then(() => noteAccess(notes))
      .catch((error: unknown) => {
        onFault(error);
        for (const [keyId, { practiceId, receipts }] of keys)
          for (const receipt of receipts) keep(keyId, practiceId, receipt);
      });
    return writing;
  };

  const keep = (keyId: string, practiceId: string, receipt: ReadReceipt): void => {
    if (receiptCount >= MAX_WAITING) return;
    receiptCount += 1;
    const ofKey = waiting.get(keyId) ?? { practiceId, receipts: [] };
    ofKey.receipts.push(receipt);
    waiting.set(keyId, ofKey);
    if (!isStopped) timer ??= setTimeout(() => void write(), WRITE_INTERVAL_MS);
  };

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
      keep(keyId, practiceId, read);
    },
    stop() {
      isStopped = true;
      return write();
    },
  };
};
