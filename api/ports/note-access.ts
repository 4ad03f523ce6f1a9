import { checkEvent } from '../../adapters/event-log/event-catalog.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { createAccessLogOutbox } from '../../adapters/postgres/outbox/access-log-outbox.ts';
import type { EnqueueOutbox } from '../../domain/access-log/ports.ts';

/**
 * Keeps notes of the access log. A note that the log would refuse is refused here, where it is made:
 * it would keep the others from getting through.
 */
export const createNoteAccess = (db: Db): EnqueueOutbox => {
  const { enqueue } = createAccessLogOutbox(db);
  return async (notes) => {
    for (const { event } of notes) checkEvent(event);
    await enqueue(notes);
  };
};
