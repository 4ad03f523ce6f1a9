import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { ReadEnded } from '../store/errors.ts';
import type { Writer } from '../store/writer.ts';

/**
 * What EventStoreDB does now and then and this node never does by itself. Only tests switch these
 * on, to show that the registry can live with them.
 */
export interface Faults {
  /** A live subscriber to all streams is dropped when more events than this wait for it. */
  readonly mostWaiting?: number;
  /** An append that is repeated while the first is in flight is refused as too late, after so long. */
  readonly repeatAnsweredAfterMs?: number;
  /** Told each time that one of them is in force. */
  readonly onFault?: () => void;
}

/** Drops a live subscriber that too many events wait for. @throws ReadEnded */
export const dropSlowSubscriber = ({ mostWaiting, onFault }: Faults, waiting: number): void => {
  if (mostWaiting === undefined || waiting <= mostWaiting) return;
  onFault?.();
  throw new ReadEnded(
    status.ABORTED,
    'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
  );
};

/** Where appends go. */
export type Appender = Pick<Writer, 'submit'>;

/** Drops appends that are repeated while the first is in flight, if the faults say so. */
export const dropRepeatedAppends = (
  writer: Writer,
  { repeatAnsweredAfterMs, onFault }: Faults,
): Appender => {
  if (repeatAnsweredAfterMs === undefined) return writer;
  const inFlight = new Set<string>();
  return {
    async submit(write, deadline) {
      const append = [write.stream, ...write.events.map(({ id }) => id)].join(' ');
      if (inFlight.has(append)) {
        onFault?.();
        await delay(repeatAnsweredAfterMs);
        return { kind: 'timeout' };
      }
      inFlight.add(append);
      try {
        return await writer.submit(write, deadline);
      } finally {
        inFlight.delete(append);
      }
    },
  };
};
