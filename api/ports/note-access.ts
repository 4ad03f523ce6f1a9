import { checkEvent } from '../../adapters/event-log/event-catalog.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { createAccessLogOutbox } from '../../adapters/postgres/outbox/access-log-outbox.ts';
import type { EnqueueOutbox } from '../../domain/access-log/ports.ts';

/**
 * Adds entries to the access log's outbox, and calls `onNoted` after the commit. Rejects an entry here if the log would reject it,
 * because it would block the others.
 */
export const createNoteAccess = (db: Db, onNoted: () => void): EnqueueOutbox => {
  const { enqueue } = createAccessLogOutbox(db);
  return async (notes) => {
    for (const { event } of notes) checkEvent(event);
    await enqueue(notes);
    onNoted();
  };
};
