import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { ReadEnded } from '../store/errors.ts';
import type { Writer } from '../store/writer.ts';

/** Faults that EventStoreDB has occasionally, but this node never. Only tests enable them. */
export interface Faults {
  /** Drops a live subscriber to all streams if more events than this are waiting for it. */
  readonly mostWaiting?: number;
  /** Refuses an append repeated while the first is in flight, as too late, after this delay. */
  readonly repeatAnsweredAfterMs?: number;
  readonly onFault?: () => void;
}

/** Drops a live subscriber with too many waiting events. @throws ReadEnded */
export const dropSlowSubscriber = ({ mostWaiting, onFault }: Faults, waiting: number): void => {
  if (mostWaiting === undefined || waiting <= mostWaiting) return;
  onFault?.();
  throw new ReadEnded(
    status.ABORTED,
    'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
  );
};

export type Appender = Pick<Writer, 'submit'>;

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
