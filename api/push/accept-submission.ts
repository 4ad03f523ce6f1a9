import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import { createPushId } from '../../domain/stream-names.ts';
import { COURSES_PER_CHUNK } from '../../domain/submission/decide.ts';
import type { QueueContent } from '../../domain/submission/queue-share.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import { practiceShareUsed, queueFull } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import type { App } from '../ports/app-ports.ts';

export interface Submission {
  readonly practiceId: string;
  readonly keyId: string;
  readonly keyKind: 'native' | 'partner';
  readonly courses: readonly QueuedItem[];
  /** If empty or missing, every submission is a separate ingestion. */
  readonly idempotencyKey: string | undefined;
  readonly correlationId: string;
  /** @throws RequestProblem if the sender may no longer submit */
  readonly requirePermission: () => Promise<void>;
}

export interface Acceptance {
  readonly ingestionId: string;
  /** If true, the id is the earlier ingestion's, and nothing new was queued. */
  readonly isReplay: boolean;
}

/**
 * Stored in a single write; the log may be unavailable. A repeat of an Idempotency-Key is only
 * counted.
 * @throws RequestProblem 503 if the queue, or the practice's share, is full, 401 or 403 if the
 * sender may no longer submit, or a database fault; nothing was promised
 */
export const acceptSubmission = async (app: App, submission: Submission): Promise<Acceptance> => {
  const { queue, queueLoad, wakeups, identity, countReplay, now, afterStep } = app;
  const { practiceId, keyId, keyKind, courses, idempotencyKey, correlationId } = submission;
  const { requirePermission } = submission;
  const isKeyed = idempotencyKey !== undefined && idempotencyKey !== '';
  const receivedAt = now();
  const ingestionId = isKeyed
    ? identity.idempotentIngestionId(practiceId, idempotencyKey)
    : createPushId(keyId, receivedAt, nanoid());
  const enqueue = (limits: QueueContent | null) =>
    queue.enqueue(
      {
        ingestionId,
        practiceId,
        keyId,
        keyKind,
        attempt: randomUUID(),
        courses: courses.length,
        correlationId,
        receivedAt: receivedAt.toISOString(),
        isKeyed,
        chunks: inChunks(courses),
      },
      { requirePermission, limits },
    );
  const admission = await queueLoad.admit(practiceId, courses.length);
  const result =
    admission.kind === 'refused'
      ? admission.limit
      : await enqueue(admission.limits).finally(admission.end);
  const isReplay = result !== 'queued';
  if (result === 'practice-share' || result === 'queue') {
    await requirePermission();
    // A repeated request gets its 202 again even if there is no room.
    if (!(isKeyed && (await queue.isKnown(ingestionId)))) {
      const problem = result === 'queue' ? queueFull : practiceShareUsed;
      throw new RequestProblem(problem(queueLoad.refusedForSeconds(practiceId, result)));
    }
  }
  afterStep('row-queued');
  if (isReplay) {
    await countReplay(keyId);
    afterStep('replay-counted');
  } else wakeups.emit('queued');
  return { ingestionId, isReplay };
};

const inChunks = (courses: readonly QueuedItem[]): readonly (readonly QueuedItem[])[] => {
  const chunks: QueuedItem[][] = [];
  for (let from = 0; from < courses.length; from += COURSES_PER_CHUNK)
    chunks.push(courses.slice(from, from + COURSES_PER_CHUNK));
  return chunks;
};
