import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import { COURSES_PER_CHUNK } from '../../domain/submission/decide.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import type { App } from '../ports/app-ports.ts';
import { queueFull } from './problems.ts';

/** A mapped submission, and who sent it. */
export interface Submission {
  readonly practiceId: string;
  readonly keyId: string;
  readonly keyKind: 'native' | 'partner';
  readonly courses: readonly QueuedItem[];
  /** Empty or missing: every submission is an ingestion of its own. */
  readonly idempotencyKey: string | undefined;
  readonly correlationId: string;
}

/** What became of a submission. */
export interface Acceptance {
  readonly ingestionId: string;
  /** The Idempotency-Key was used before: the id is that of the earlier ingestion, and nothing new was queued. */
  readonly isReplay: boolean;
}

/**
 * Takes a submission durably, by one write: its sealed courses, and all that its ingestion begins with. The
 * log need not be there. What is queued under an Idempotency-Key that was used before is counted only.
 * @throws RequestProblem 503 when the queue is full, or a fault of the database: nothing was promised
 */
export const acceptSubmission = async (
  registry: App,
  submission: Submission,
): Promise<Acceptance> => {
  const { intakePriority, queue, queueLoad, queued, identity, countReplay, now, afterStep } =
    registry;
  const { practiceId, keyId, keyKind, courses, idempotencyKey, correlationId } = submission;
  const leave = intakePriority.trackRequest();
  try {
    const isKeyed = idempotencyKey !== undefined && idempotencyKey !== '';
    const ingestionId = isKeyed
      ? identity.idempotentIngestionId(practiceId, idempotencyKey)
      : nanoid();
    const isFull = await queueLoad.isFull();
    // A 202 that was given is given again, however much waits.
    if (isFull && !(isKeyed && (await queue.isKnown(ingestionId))))
      throw queueFull(queueLoad.retryAfterSeconds());
    const enqueue = () =>
      queue.enqueue({
        ingestionId,
        practiceId,
        keyId,
        keyKind,
        attempt: randomUUID(),
        courses: courses.length,
        correlationId,
        receivedAt: now().toISOString(),
        isKeyed,
        chunks: inChunks(courses),
      });
    const isReplay = isFull || (await enqueue()) === 'known';
    afterStep('row-queued');
    if (isReplay) {
      await countReplay(keyId);
      afterStep('replay-counted');
    } else queued.signal();
    return { ingestionId, isReplay };
  } finally {
    leave();
  }
};

const inChunks = (courses: readonly QueuedItem[]): readonly (readonly QueuedItem[])[] => {
  const chunks: QueuedItem[][] = [];
  for (let from = 0; from < courses.length; from += COURSES_PER_CHUNK)
    chunks.push(courses.slice(from, from + COURSES_PER_CHUNK));
  return chunks;
};
