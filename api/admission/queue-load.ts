import {
  findExceededLimit,
  type QueueContent,
  type QueueLimit,
} from '../../domain/submission/queue-share.ts';

export type Admission =
  | {
      readonly kind: 'admitted';
      /**
       * The write has to check these, because other processes admit, too; `null` if they are far.
       */
      readonly limits: QueueContent | null;
      /** Called when the submission is stored, or will not be. */
      readonly end: () => void;
    }
  | { readonly kind: 'refused'; readonly limit: QueueLimit };

export interface QueueLoad {
  /** Assumes a slow worker; at least 1. */
  retryAfterSeconds(practiceId: string): number;
  refusedForSeconds(practiceId: string, limit: QueueLimit): number;
  /**
   * Waits for the first count, and never refuses because of an old one.
   * @throws a database fault if the queue was never counted
   */
  admit(practiceId: string, courses: number): Promise<Admission>;
}

/** Slow, so that clients do not poll early. */
const COURSES_PER_SECOND = 300;
/** A full queue visibly drains, so clients need not wait for all of it. */
const MAX_WAIT_SECONDS = 60;
/** Age at which a count is renewed. */
const COUNT_INTERVAL_MS = 50;
/** Age at which a count does not admit: other processes may have filled the queue since. */
const MAX_ADMITTING_AGE_MS = 250;
/** Age at which a count does not refuse: callers that ask together share a new one. */
const MAX_REFUSING_AGE_MS = 2;
/** Times the duration of a count. */
const REST_PER_COUNT = 20;
/**
 * A limit is close with less room than this part of it, or than other processes may use at once.
 */
const CLOSE_PART = 0.5;
const CLOSE: QueueContent = { courses: 1_000, bytes: 64 * 1024 * 1024 };

interface Uncounted {
  readonly practiceId: string;
  readonly courses: number;
  hasEnded: boolean;
}

/** @see QueueLoad */
export const createQueueLoad = (
  countQueued: () => Promise<ReadonlyMap<string, QueueContent>>,
  limits: QueueContent,
): QueueLoad => {
  let contentByPractice: Map<string, QueueContent> | null = null;
  let total: QueueContent = { courses: 0, bytes: 0 };
  let uncounted: Uncounted[] = [];
  let counting: Promise<void> | null = null;
  let countedAt = 0;
  let restMs = 0;

  const add = (practiceId: string, { courses, bytes }: QueueContent): void => {
    const own = contentByPractice?.get(practiceId);
    contentByPractice?.set(practiceId, {
      courses: (own?.courses ?? 0) + courses,
      bytes: (own?.bytes ?? 0) + bytes,
    });
    total = { courses: total.courses + courses, bytes: total.bytes + bytes };
  };
  const count = async (): Promise<void> => {
    const startedAt = performance.now();
    const ended = new Set(uncounted.filter(({ hasEnded }) => hasEnded));
    try {
      const counted = await countQueued();
      contentByPractice = new Map();
      total = { courses: 0, bytes: 0 };
      for (const [practiceId, content] of counted) add(practiceId, content);
      uncounted = uncounted.filter((one) => !ended.has(one));
      for (const { practiceId, courses } of uncounted) add(practiceId, { courses, bytes: 0 });
    } finally {
      counting = null;
      countedAt = performance.now();
      restMs = REST_PER_COUNT * (countedAt - startedAt);
    }
  };
  const look = (ageMs: number): void => {
    if (counting !== null || (contentByPractice !== null && performance.now() - countedAt < ageMs))
      return;
    counting = count();
    // Callers that wait for the count get its fault; for others the last count remains valid.
    counting.catch(() => undefined);
  };
  const lookSometimes = (): void => look(Math.max(COUNT_INTERVAL_MS, restMs));
  const find = (practiceId: string, added: QueueContent): QueueLimit | null => {
    const own = contentByPractice?.get(practiceId) ?? { courses: 0, bytes: 0 };
    const others = { courses: total.courses - own.courses, bytes: total.bytes - own.bytes };
    const otherPractices =
      (contentByPractice?.size ?? 0) - (contentByPractice?.has(practiceId) === true ? 1 : 0);
    return findExceededLimit({ own, others, otherPractices }, added, limits);
  };
  const isClose = (practiceId: string, courses: number): boolean =>
    find(practiceId, {
      courses: courses + Math.max(CLOSE_PART * limits.courses, CLOSE.courses),
      bytes: Math.max(CLOSE_PART * limits.bytes, CLOSE.bytes),
    }) !== null;
  /** The practices take turns, so the work of others delays one only as long as it has work. */
  const estimateSeconds = (practiceId: string): number => {
    const own = contentByPractice?.get(practiceId)?.courses ?? 0;
    const ahead = Math.min(total.courses, own * Math.max(1, contentByPractice?.size ?? 0));
    return Math.max(1, Math.ceil(ahead / COURSES_PER_SECOND));
  };
  return {
    retryAfterSeconds(practiceId) {
      lookSometimes();
      return estimateSeconds(practiceId);
    },
    refusedForSeconds(practiceId, limit) {
      const seconds =
        limit === 'queue'
          ? Math.max(1, Math.ceil(total.courses / COURSES_PER_SECOND))
          : estimateSeconds(practiceId);
      return Math.min(seconds, MAX_WAIT_SECONDS);
    },
    async admit(practiceId, courses) {
      lookSometimes();
      const ageMs = performance.now() - countedAt;
      if (contentByPractice === null) await counting;
      else if (ageMs > Math.max(MAX_ADMITTING_AGE_MS, 2 * restMs))
        await counting?.catch(() => undefined);
      if (find(practiceId, { courses, bytes: 0 }) !== null) {
        look(MAX_REFUSING_AGE_MS);
        await counting?.catch(() => undefined);
      }
      const limit = find(practiceId, { courses, bytes: 0 });
      if (limit !== null) return { kind: 'refused', limit };
      const isNearLimit = isClose(practiceId, courses);
      const admitted: Uncounted = { practiceId, courses, hasEnded: false };
      uncounted.push(admitted);
      add(practiceId, { courses, bytes: 0 });
      return {
        kind: 'admitted',
        limits: isNearLimit ? limits : null,
        end() {
          admitted.hasEnded = true;
        },
      };
    },
  };
};
