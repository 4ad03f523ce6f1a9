import { findExceededLimit, type QueueUse } from '../../../domain/submission/queue-share.ts';
import { scenarios } from '../../support/scenarios.ts';

const LIMITS = { courses: 100, bytes: 1_000 };

/** Records of a practice in the queue. */
interface Queued {
  readonly practice: string;
  readonly courses: number;
  readonly bytes?: number;
}

/** The queue as `cedar` sees it. */
const seenByCedar = (all: readonly Queued[]): QueueUse => {
  const sum = (some: readonly Queued[]) => ({
    courses: some.reduce((total, { courses }) => total + courses, 0),
    bytes: some.reduce((total, { bytes = 0 }) => total + bytes, 0),
  });
  const others = all.filter(({ practice }) => practice !== 'cedar');
  return {
    own: sum(all.filter(({ practice }) => practice === 'cedar')),
    others: sum(others),
    otherPractices: new Set(others.map(({ practice }) => practice)).size,
  };
};

const push =
  (courses: number, bytes = 0) =>
  (use: QueueUse) =>
    findExceededLimit(use, { courses, bytes }, LIMITS);

scenarios<Queued, QueueUse>('shares of the queue', seenByCedar, [
  { name: 'an empty queue takes a push', given: [], when: push(1), expect: null },
  {
    name: 'a practice alone fills 80 % of the queue',
    given: [{ practice: 'cedar', courses: 79 }],
    when: push(1),
    expect: null,
  },
  {
    name: 'a practice alone does not fill more than 80 %',
    given: [{ practice: 'cedar', courses: 80 }],
    when: push(1),
    expect: 'practice-share',
  },
  {
    name: 'a batch counts with all its records',
    given: [{ practice: 'cedar', courses: 50 }],
    when: push(31),
    expect: 'practice-share',
  },
  {
    name: 'a batch larger than the queue fits into an empty one',
    given: [],
    when: push(101),
    expect: null,
  },
  {
    name: 'a batch larger than the share fits if the practice has nothing in the queue',
    given: [{ practice: 'maple', courses: 1 }],
    when: push(90),
    expect: null,
  },
  {
    name: 'once others have work, a practice gets 80 % of what they leave free',
    given: [
      { practice: 'cedar', courses: 63 },
      { practice: 'maple', courses: 20 },
    ],
    when: push(1),
    expect: null,
  },
  {
    name: 'and no more',
    given: [
      { practice: 'cedar', courses: 64 },
      { practice: 'maple', courses: 20 },
    ],
    when: push(1),
    expect: 'practice-share',
  },
  {
    name: 'others are served while one practice has filled its share',
    given: [{ practice: 'maple', courses: 80 }],
    when: push(1),
    expect: null,
  },
  {
    name: 'others are served until the queue is full',
    given: [
      { practice: 'cedar', courses: 19 },
      { practice: 'maple', courses: 80 },
    ],
    when: push(1),
    expect: null,
  },
  {
    name: 'a full queue takes nothing, and it is not the share that says so',
    given: [
      { practice: 'cedar', courses: 20 },
      { practice: 'maple', courses: 80 },
    ],
    when: push(1),
    expect: 'queue',
  },
  {
    name: 'a full queue takes nothing of a practice that has nothing in it',
    given: [
      { practice: 'maple', courses: 80 },
      { practice: 'oak', courses: 20 },
    ],
    when: push(1),
    expect: 'queue',
  },
  {
    name: 'two practices that send all they can leave room for a third',
    given: [
      { practice: 'cedar', courses: 44 },
      { practice: 'maple', courses: 44 },
    ],
    when: push(1),
    expect: 'practice-share',
  },
  {
    name: 'many practices with little work do not make the share of another small',
    given: [
      { practice: 'cedar', courses: 60 },
      { practice: 'elm', courses: 1 },
      { practice: 'maple', courses: 1 },
      { practice: 'oak', courses: 1 },
    ],
    when: push(1),
    expect: null,
  },
  {
    name: 'bytes have a share, too',
    given: [{ practice: 'cedar', courses: 1, bytes: 800 }],
    when: push(1),
    expect: 'practice-share',
  },
  {
    name: 'bytes fill the queue, too',
    given: [
      { practice: 'cedar', courses: 1, bytes: 200 },
      { practice: 'maple', courses: 1, bytes: 800 },
    ],
    when: push(1),
    expect: 'queue',
  },
]);
