import { randomUUID } from 'node:crypto';
import { checkEvent } from '../../adapters/event-log/event-catalog.ts';
import { createAccessLogOutbox } from '../../adapters/postgres/outbox/access-log-outbox.ts';
import type { OutboxEntry } from '../../domain/access-log/ports.ts';
import { createRelayBatch, type RelayBatch, type RelayDeps } from '../access-log/relay-batch.ts';
import { startOutboxRelay } from '../access-log/start-outbox-relay.ts';
import type { App } from '../ports/app-ports.ts';
import { isOutage } from '../ports/outage.ts';
import type { Stores } from '../stores/stores.ts';

class NotesSetAside extends Error {
  override readonly name = 'NotesSetAside';
}

const LEASE = 'access-log';
/** Short, because stopping the service must not wait for it. */
const APPEND_WITHIN_MS = 2_500;

const fits = ({ event }: OutboxEntry): boolean => {
  try {
    checkEvent(event);
    return true;
  } catch {
    return false;
  }
};

export const createAccessLogRelay = (
  { db, log }: Pick<Stores, 'db' | 'log'>,
  onSetAside: RelayDeps['onSetAside'] = () => undefined,
): RelayBatch => {
  return createRelayBatch({
    ...createAccessLogOutbox(db),
    fits,
    isOutage,
    onSetAside,
    readStream: log.readStream,
    append: (stream, expected, events, context) =>
      log.append(stream, expected, events, context, APPEND_WITHIN_MS),
  });
};

/**
 * @param pollMs time after which to look for entries without having been woken
 * @returns stops it
 */
export const startAccessLogRelay = (
  { leases, wakeups, onFault }: Pick<App, 'leases' | 'wakeups' | 'onFault'>,
  stores: Pick<Stores, 'db' | 'log'>,
  pollMs: () => number,
): (() => Promise<void>) => {
  const { isAnyWaiting, requeueDeadLetters } = createAccessLogOutbox(stores.db);
  const onAside = onFault(
    'Notes of the access log were set aside: the log would refuse them. They are kept; a process with the role all or worker tries them again at its start.',
  );
  return startOutboxRelay({
    carry: createAccessLogRelay(stores, (notes) => onAside(new NotesSetAside(`${notes} notes.`))),
    isAnyWaiting,
    requeueDeadLetters,
    alone: aloneWith(leases),
    onWake: (wake) => void wakeups.on('noted', wake),
    pollMs,
    onFault: onFault(
      'Notes of the access log could not be written to the log and are kept; trying again.',
    ),
  });
};

/** The lease only avoids duplicate work; the log itself prevents duplicate entries. */
const aloneWith =
  (leases: App['leases']) =>
  async (work: () => Promise<void>): Promise<boolean> => {
    const lease = await leases.take(LEASE, randomUUID());
    if (lease === null) return false;
    try {
      await work();
      return true;
    } finally {
      await leases.release(lease, 0n, true);
    }
  };
