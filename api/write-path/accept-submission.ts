import { COURSES_PER_CHUNK } from '../../domain/ingestion/decide.ts';
import type { Dequeue, Enqueue } from '../../domain/ingestion/ports.ts';
import type { QueuedCourse } from '../../domain/ingestion/queued-course.ts';
import { type AnnounceIngestionParts, announceIngestionWith } from './announce-ingestion.ts';
import type { AfterStep } from './fault-hook.ts';

/** A mapped submission at the door, and who sent it. */
export interface Submission {
  readonly practiceId: string;
  readonly keyId: string;
  readonly keyKind: 'native' | 'partner';
  readonly courses: readonly QueuedCourse[];
  /** Empty or missing: every submission is an ingestion of its own. */
  readonly idempotencyKey: string | undefined;
  readonly correlationId: string;
}

/** What became of a submission at the door. */
export interface Acceptance {
  readonly ingestionId: string;
  /** The Idempotency-Key was used before: the id is that of the earlier ingestion, and nothing new was queued. */
  readonly isReplay: boolean;
}

/** Takes a submission durably. */
export type AcceptSubmission = (submission: Submission) => Promise<Acceptance>;

/** What the door works with. */
export interface AcceptSubmissionParts extends AnnounceIngestionParts {
  readonly enqueue: Enqueue;
  readonly dequeue: Dequeue;
  readonly idempotentIngestionId: (practiceId: string, idempotencyKey: string) => string;
  readonly newIngestionId: () => string;
  readonly newAttempt: () => string;
  /** Counts a submission that queued nothing, for the key that sent it. */
  readonly countReplay: (keyId: string) => Promise<void>;
  readonly afterStep: AfterStep;
}

/**
 * Two durable writes before anyone is told 202: the sealed courses under a new attempt, then
 * `IngestionQueued` naming that attempt. A request that loses the race for its Idempotency-Key deletes
 * its own row, and is counted.
 * @throws EventLogUnavailable, or a fault of the database: nothing was promised
 */
export const acceptSubmissionWith = (parts: AcceptSubmissionParts): AcceptSubmission => {
  const announce = announceIngestionWith(parts);
  return async (submission) => {
    const { practiceId, keyId, keyKind, courses, idempotencyKey, correlationId } = submission;
    const ingestionId =
      idempotencyKey === undefined || idempotencyKey === ''
        ? parts.newIngestionId()
        : parts.idempotentIngestionId(practiceId, idempotencyKey);
    const attempt = parts.newAttempt();
    const entry = { attempt, ingestionId, practiceId, keyKind, courses: courses.length };
    await parts.enqueue({ ...entry, chunks: inChunks(courses) });
    parts.afterStep('row-queued');

    const announced = await announce(
      { ...entry, keyId, correlationId },
      { kind: 'key', id: keyId },
    );
    parts.afterStep('event-queued');
    const isReplay = announced === 'taken';
    if (isReplay) {
      await parts.dequeue([attempt]);
      parts.afterStep('lost-row-dropped');
      await parts.countReplay(keyId);
    }
    return { ingestionId, isReplay };
  };
};

const inChunks = (courses: readonly QueuedCourse[]): readonly (readonly QueuedCourse[])[] => {
  const chunks: QueuedCourse[][] = [];
  for (let from = 0; from < courses.length; from += COURSES_PER_CHUNK)
    chunks.push(courses.slice(from, from + COURSES_PER_CHUNK));
  return chunks;
};
