import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Chores, sweep } from '../../api/write-path/housekeeping.ts';
import type { StagedImport } from '../../domain/csv/staged-import.ts';

const housekeeping = suite('housekeeping');

const staged = (importId: string): StagedImport => ({
  importId,
  practiceId: 'p',
  memberId: 'm',
  attempt: importId,
  fileHash: 'h',
  courses: 1,
  emptyRows: [],
  isConfirmed: true,
});

class Outage extends Error {
  override readonly name = 'Outage';
}

/** Steps that note that they were taken; those named fail. */
const noted = (failing: ReadonlyMap<string, Error>, changes: Partial<Chores> = {}) => {
  const taken: string[] = [];
  const faults: string[] = [];
  const step = async (name: string): Promise<void> => {
    taken.push(name);
    const fault = failing.get(name);
    if (fault !== undefined) throw fault;
  };
  const chores: Chores = {
    dropFinished: async () => 0,
    unannouncedImports: async () => {
      await step('imports');
      return ['a', 'b', 'c'].map(staged);
    },
    finishImport: ({ importId }) => step(`import ${importId}`),
    dropExpiredImports: () => step('expired imports'),
    dropExpiredDrafts: () => step('drafts'),
    dropExpiredLaunches: () => step('launches'),
    dropOrphanedChunks: () => step('chunks'),
    unconfirmed: async () => {
      await step('unconfirmed');
      return ['x', 'y'].map((attempt) => ({ attempt, ingestionId: attempt }));
    },
    withoutEntry: async () => {
      await step('without entry');
      return ['v', 'w'];
    },
    dequeue: ([attempt]) => step(`dequeue ${attempt}`),
    append: () => Promise.reject(new Error('Nothing is appended here')),
    readStream: async (stream) => {
      await step(`read ${stream}`);
      return [];
    },
    idOf: (...of) => of.join(),
    now: () => new Date(0),
    afterStep: () => undefined,
    isOutage: (error) => error instanceof Outage,
    onFault: (error) => void faults.push(error instanceof Error ? error.message : ''),
    ...changes,
  };
  return { chores, taken, faults };
};

const ALL = [
  'imports',
  'import a',
  'import b',
  'import c',
  'expired imports',
  'drafts',
  'launches',
  'unconfirmed',
  'read ingestion-x',
  'dequeue x',
  'read ingestion-y',
  'dequeue y',
  'without entry',
  'read ingestion-v',
  'read ingestion-w',
];

housekeeping('goes on with the rest when a step fails, and tells of each fault', async () => {
  const failing = ['import a', 'expired imports', 'launches', 'read ingestion-x', 'dequeue y'];
  const { chores, taken, faults } = noted(
    new Map([...failing, 'read ingestion-v'].map((name) => [name, new Error(name)])),
  );
  await sweep(chores, () => false);
  assert.equal(
    taken,
    ALL.filter((name) => name !== 'dequeue x'),
  );
  assert.equal(faults, [...failing, 'read ingestion-v']);
});

housekeeping('does not try one after the other while a store is away', async () => {
  const { chores, taken, faults } = noted(new Map([['import a', new Outage('the log is away')]]));
  await sweep(chores, () => false);
  assert.equal(
    taken,
    ALL.filter((name) => name !== 'import b' && name !== 'import c'),
  );
  assert.equal(faults, ['the log is away']);
});

housekeeping('ends soon when the process does', async () => {
  let isStopping = false;
  const { chores, taken } = noted(new Map(), {
    finishImport: async () => {
      isStopping = true;
    },
  });
  await sweep(chores, () => isStopping);
  assert.equal(taken, ['imports']);
});

housekeeping.run();
