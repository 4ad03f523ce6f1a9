import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import { COURSES_PER_CHUNK } from '../../domain/ingestion/decide.ts';
import type { QueuedCourse } from '../../domain/ingestion/queued-course.ts';
import type { Registry } from '../registry/registry.ts';
import { announceIngestion } from './announce-ingestion.ts';

/** A mapped submission, and who sent it. */
export interface Submission {
  readonly practiceId: string;
  readonly keyId: string;
  readonly keyKind: 'native' | 'partner';
  readonly courses: readonly QueuedCourse[];
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

/** All tries of appending `IngestionQueued` together: after that the caller does better to try again. */
const APPEND_WITHIN_MS = 3_000;

/**
 * Takes a submission durably. Two durable writes before the caller gets its 202: the sealed courses under a
 * new attempt, then `IngestionQueued` naming that attempt. A request that loses the race for its
 * Idempotency-Key deletes its own row, and is counted.
 * @throws EventLogUnavailable, or a fault of the database: nothing was promised
 */
export const acceptSubmission = async (
  registry: Registry,
  submission: Submission,
): Promise<Acceptance> => {
  const { doorFirst, queue, identity, countReplay, afterStep } = registry;
  const { practiceId, keyId, keyKind, courses, idempotencyKey, correlationId } = submission;
  const leave = doorFirst.enter();
  try {
    const ingestionId =
      idempotencyKey === undefined || idempotencyKey === ''
        ? nanoid()
        : identity.idempotentIngestionId(practiceId, idempotencyKey);
    const attempt = randomUUID();
    const entry = { attempt, ingestionId, practiceId, keyKind, courses: courses.length };
    await queue.enqueue({ ...entry, chunks: inChunks(courses) });
    afterStep('row-queued');

    const announced = await announceIngestion(
      registry,
      { ...entry, keyId, correlationId },
      { kind: 'key', id: keyId },
      APPEND_WITHIN_MS,
    );
    afterStep('event-queued');
    const isReplay = announced === 'taken';
    if (isReplay) {
      await queue.dequeue([attempt]);
      afterStep('lost-row-dropped');
      await countReplay(keyId);
    }
    return { ingestionId, isReplay };
  } finally {
    leave();
  }
};

const inChunks = (courses: readonly QueuedCourse[]): readonly (readonly QueuedCourse[])[] => {
  const chunks: QueuedCourse[][] = [];
  for (let from = 0; from < courses.length; from += COURSES_PER_CHUNK)
    chunks.push(courses.slice(from, from + COURSES_PER_CHUNK));
  return chunks;
};
