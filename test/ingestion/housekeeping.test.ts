import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type HousekeepingTasks, sweep } from '../../api/ingestion/housekeeping.ts';

const housekeeping = suite('housekeeping');

class Outage extends Error {
  override readonly name = 'Outage';
}

/** Steps that note that they were taken; those named fail. */
const noted = (failing: ReadonlyMap<string, Error>, changes: Partial<HousekeepingTasks> = {}) => {
  const taken: string[] = [];
  const faults: string[] = [];
  const step = async (name: string): Promise<void> => {
    taken.push(name);
    const fault = failing.get(name);
    if (fault !== undefined) throw fault;
  };
  const chores: HousekeepingTasks = {
    completedIngestions: {
      count: () => 0,
      deleteProjected: async () => 0,
      onFirst: () => undefined,
    },
    dropFinished: () => step('finished'),
    dropExpiredImports: () => step('expired imports'),
    dropExpiredDrafts: () => step('drafts'),
    dropExpiredHandoffs: () => step('handed over'),
    dropExpiredLaunches: () => step('launches'),
    dropUnusedKeys: () => step('unused keys'),
    dropOrphanedChunks: () => step('chunks'),
    withoutEntry: async () => {
      await step('without entry');
      return ['v', 'w'];
    },
    append: () => Promise.reject(new Error('Nothing is appended here')),
    readStream: async (stream) => {
      await step(`read ${stream}`);
      return [];
    },
    deriveId: (...of) => of.join(),
    now: () => new Date(0),
    afterStep: () => undefined,
    isOutage: (error) => error instanceof Outage,
    onFault: (error) => void faults.push(error instanceof Error ? error.message : ''),
    ...changes,
  };
  return { chores, taken, faults };
};

const ALL = [
  'finished',
  'expired imports',
  'drafts',
  'handed over',
  'launches',
  'without entry',
  'read ingestion-v',
  'read ingestion-w',
];

housekeeping('goes on with the rest when a step fails, and tells of each fault', async () => {
  const failing = ['finished', 'expired imports', 'launches'];
  const { chores, taken, faults } = noted(
    new Map([...failing, 'read ingestion-v'].map((name) => [name, new Error(name)])),
  );
  await sweep(chores, () => false);
  assert.equal(taken, ALL);
  assert.equal(faults, [...failing, 'read ingestion-v']);
});

housekeeping('does not try one after the other while a store is away', async () => {
  const { chores, taken, faults } = noted(
    new Map([['read ingestion-v', new Outage('the log is away')]]),
  );
  await sweep(chores, () => false);
  assert.equal(
    taken,
    ALL.filter((name) => name !== 'read ingestion-w'),
  );
  assert.equal(faults, ['the log is away']);
});

housekeeping('ends soon when the process does', async () => {
  let isStopping = false;
  const { chores, taken } = noted(new Map(), {
    dropExpiredImports: async () => {
      isStopping = true;
    },
  });
  await sweep(chores, () => isStopping);
  assert.equal(taken, ['finished']);
});

housekeeping.run();
