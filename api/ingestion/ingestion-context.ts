import { randomUUID } from 'node:crypto';
import type { AppendContext, Fact, NewEvent } from '../../domain/event-log.ts';
import type { QueueEntry } from '../../domain/submission/queue-entry.ts';
import type { WorkerPorts } from './worker-ports.ts';

export const SERVICE_ACTOR = { kind: 'service', id: 'ingestion-worker' } as const;

/** Random: of two workers that begin the same run, one must fail. */
export const withIds = <E extends Fact>(
  events: readonly E[],
  { deriveId }: Pick<WorkerPorts, 'deriveId'>,
): readonly NewEvent<E>[] => {
  const run = randomUUID();
  return events.map((event, step) => ({ id: deriveId(run, step), event }));
};

export const buildContext = ({ correlationId, attempt }: QueueEntry): AppendContext => ({
  correlationId,
  causationId: attempt,
  actor: SERVICE_ACTOR,
});
