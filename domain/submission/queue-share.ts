export interface QueueContent {
  readonly courses: number;
  /** Total size of the encrypted courses. */
  readonly bytes: number;
}

export interface QueueUse {
  /** Content of the practice, from all its keys and files. */
  readonly own: QueueContent;
  /** Content of all other practices. */
  readonly others: QueueContent;
  readonly otherPractices: number;
}

export const toQueueUse = (
  contents: ReadonlyMap<string, QueueContent>,
  practiceId: string,
): QueueUse => {
  const own = contents.get(practiceId) ?? NOTHING;
  let others = NOTHING;
  for (const [id, content] of contents) if (id !== practiceId) others = add(others, content);
  return { own, others, otherPractices: contents.size - (contents.has(practiceId) ? 1 : 0) };
};

const NOTHING: QueueContent = { courses: 0, bytes: 0 };

const add = (one: QueueContent, other: QueueContent): QueueContent => ({
  courses: one.courses + other.courses,
  bytes: one.bytes + other.bytes,
});

/** Limit that a submission would exceed: that of its practice, or that of the whole queue. */
export type QueueLimit = 'practice-share' | 'queue';

/** The rest is for practices that have no work in the queue yet. */
const MAX_PART_OF_FREE = 0.8;

/**
 * 80 % of what others leave free, and never less than an equal share with one practice more than there
 * are. Several that send all they can leave room for the next one.
 */
const computeShare = (limit: number, others: number, otherPractices: number): number =>
  Math.floor(Math.max(MAX_PART_OF_FREE * (limit - others), limit / (otherPractices + 2)));

/** An unknown size counts as 1. */
const isOver = (current: number, added: number, most: number): boolean =>
  current + Math.max(1, added) > most;

/**
 * Anything fits while there is nothing else: otherwise it could never be sent.
 * @param added 0 bytes if its size in Postgres is not known yet
 */
export const findExceededLimit = (
  { own, others, otherPractices }: QueueUse,
  added: QueueContent,
  limits: QueueContent,
): QueueLimit | null => {
  const isOverShare = (unit: keyof QueueContent): boolean =>
    isOver(own[unit], added[unit], computeShare(limits[unit], others[unit], otherPractices));
  if (own.courses > 0 && (isOverShare('courses') || isOverShare('bytes'))) return 'practice-share';
  const isOverQueue = (unit: keyof QueueContent): boolean =>
    isOver(own[unit] + others[unit], added[unit], limits[unit]);
  const isEmpty = own.courses + others.courses === 0;
  return !isEmpty && (isOverQueue('courses') || isOverQueue('bytes')) ? 'queue' : null;
};
