import { checkEvent } from '../../adapters/event-log/event-catalog.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { createAccessLogOutbox } from '../../adapters/postgres/outbox/access-log-outbox.ts';
import type { EnqueueOutbox } from '../../domain/access-log/ports.ts';

/**
 * Calls `onNoted` after the commit. Rejects an entry that the log would reject, which would block
 * others.
 */
export const createNoteAccess = (db: Db, onNoted: () => void): EnqueueOutbox => {
  const { enqueue } = createAccessLogOutbox(db);
  return async (notes) => {
    for (const { event } of notes) checkEvent(event);
    await enqueue(notes);
    onNoted();
  };
};
