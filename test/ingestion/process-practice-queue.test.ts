import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildEnvelope } from '../../api/ingestion/begin-ingestion.ts';
import { createCompletedIngestions } from '../../api/ingestion/completed-ingestions.ts';
import { processPracticeQueue } from '../../api/ingestion/process-practice-queue.ts';
import type { WorkerPorts } from '../../api/ingestion/worker-ports.ts';
import type { PracticeLease } from '../../api/writes/practice-lease.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import type { QueueEntry } from '../../domain/submission/queue-entry.ts';

const turn = suite('the turn of a practice');

/** Log position that the turn before came to. */
const HIGHEST = 7n;

/** An entry whose ingestion ended in an earlier run: there is nothing left to do but to drop it. */
const entryOf = (ingestionId: string): QueueEntry => ({
  ingestionId,
  practiceId: 'practice',
  keyKind: 'native',
  source: 'fhir_push',
  actor: { kind: 'key', id: 'key' },
  receivedAt: '2026-05-13T11:00:00Z',
  correlationId: 'c',
  courses: 1,
  attempts: 1,
  mayBePartiallyRecorded: true,
  lastFault: null,
  isExpired: false,
  keyId: 'key',
  attempt: 'attempt',
  sealed: null,
  isParked: false,
  revision: 1n,
});

/** The end of its ingestion in the log. */
const ended: StoredEvent = {
  id: 'event',
  stream: 'ingestion',
  revision: 1n,
  position: HIGHEST,
  event: {
    type: 'SubmissionIngested',
    data: { ...buildEnvelope(entryOf('any')), accepted: [], rejected: [] },
  },
  metadata: {
    schemaVersion: 1,
    correlationId: 'c',
    causationId: null,
    actor: { kind: 'key', id: 'key' },
    recordedAt: '2026-05-13T11:00:00Z',
  },
};

interface Look {
  /** What the turn left out. */
  readonly except: readonly string[];
  /** How often it had let a resting projector go on. */
  readonly hurried: number;
}

/**
 * Runs a turn over what each look at the queue finds; later ones find nothing.
 * @param shownAt how far the read tables are at a look
 */
const looksOver = async (
  found: readonly (readonly string[])[],
  shownAt: (look: number) => bigint,
): Promise<readonly Look[]> => {
  const looks: Look[] = [];
  let hurried = 0;
  const registry = {
    leases: {
      takeForReads: async (name: string, holder: string): Promise<PracticeLease> => ({
        name,
        holder,
        until: Number.POSITIVE_INFINITY,
        highestPosition: HIGHEST,
        seized: false,
        isLivenessIntact: () => true,
      }),
      release: async () => undefined,
      isRequested: async () => false,
    },
    progress: {
      reach: async () => undefined,
      position: () => shownAt(looks.length),
      cancelLinger: () => {
        hurried += 1;
      },
    },
    queue: {
      pick: async (_practiceId: string, except: readonly string[]) => {
        looks.push({ except, hurried });
        return (found[looks.length - 1] ?? []).map(entryOf);
      },
      claim: async () => new Map(),
    },
    log: { readStream: async () => [ended], end: async () => HIGHEST },
    completedIngestions: createCompletedIngestions(
      { position: () => shownAt(looks.length), epoch: () => null, look: async () => undefined },
      async () => undefined,
    ),
    noteProgress: () => undefined,
    isOutage: () => false,
    now: () => new Date(0),
    deriveId: () => 'id',
    afterStep: () => undefined,
  };
  const never = () => false;
  await processPracticeQueue(
    'practice',
    'holder',
    registry as unknown as WorkerPorts,
    false,
    never,
    never,
  );
  return looks;
};

turn('leaves out what it has seen through until the read tables show it', async () => {
  const looks = await looksOver([['a'], ['b']], (look) => (look < 3 ? HIGHEST - 1n : HIGHEST));
  assert.equal(
    looks.slice(0, 4).map(({ except }) => except),
    [[], ['a'], ['a', 'b'], []],
  );
});

turn('that finds nothing twice lets a resting projector go on', async () => {
  const looks = await looksOver([['a'], [], ['b'], [], []], () => HIGHEST);
  assert.equal(
    looks.slice(0, 6).map(({ hurried }) => hurried),
    [0, 0, 0, 0, 0, 1],
  );
  assert.equal(
    (await looksOver([], () => HIGHEST)).map(({ hurried }) => hurried),
    [0],
  );
});

turn.run();
