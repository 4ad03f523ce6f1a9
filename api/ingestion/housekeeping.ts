import type { AppendToStream, ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import { BUFFER_EXPIRED, failIngestion } from '../../domain/submission/decide.ts';
import type {
  DropFinishedEntries,
  DropOrphanedChunks,
  IngestionsWithoutEntry,
} from '../../domain/submission/ports.ts';
import { ingestionFold } from '../../domain/submission/state.ts';
import type { Failpoint } from '../process/failpoint.ts';
import { runPeriodically } from '../process/run-periodically.ts';
import { formatCompletedAt } from './completed-at.ts';

/** What housekeeping does, and what it does it with. */
export interface HousekeepingTasks {
  /** Drops the rows of what this process has seen through. @see CompletedIngestions */
  readonly deleteProjected: () => Promise<number>;
  /** The same of what other processes have seen through before they ended. */
  readonly dropFinished: DropFinishedEntries;
  readonly withoutEntry: IngestionsWithoutEntry;
  readonly dropOrphanedChunks: DropOrphanedChunks;
  /** Deletes imports that were not confirmed in time. */
  readonly dropExpiredImports: () => Promise<void>;
  /** Deletes forms that were begun and left. */
  readonly dropExpiredDrafts: () => Promise<void>;
  /** Deletes births that were handed over and not decided on in time. */
  readonly dropExpiredHandedOver: () => Promise<void>;
  /** Deletes launches from an EHR, and what they read, whose time is over. */
  readonly dropExpiredLaunches: () => Promise<void>;
  /** Deletes keys that a rotation has left, once nothing is sealed with them. */
  readonly dropUnusedKeys: () => Promise<void>;
  readonly append: AppendToStream;
  readonly readStream: ReadStream;
  readonly idOf: (...parts: readonly (string | number)[]) => string;
  readonly now: () => Date;
  readonly afterStep: Failpoint;
  /** Whether a fault says that the log or the database is away. */
  readonly isOutage: (error: unknown) => boolean;
  readonly onFault: (error: unknown) => void;
}

const DROP_EVERY_MS = 250;
const SWEEP_EVERY_MS = 5_000;
/** Orphans and unused keys are rare, and looking for them reads through the whole queue. */
const ORPHANS_EVERY_MS = 600_000;
/** Longer than a worker takes from the end of an ingestion's row to that of its stream. */
const WITHOUT_ENTRY_MS = 60_000;

/** Keeps the queue tidy. Several processes may do so at once. @returns stops it */
export const startHousekeeping = (tasks: HousekeepingTasks): (() => Promise<void>) => {
  let sweptAt = performance.now() - SWEEP_EVERY_MS;
  let orphansAt = sweptAt - ORPHANS_EVERY_MS;
  return runPeriodically(async (signal) => {
    const isStopping = () => signal.aborted;
    const steps = stepsOf(tasks, isStopping);
    await steps.take(async () => {
      if ((await tasks.deleteProjected()) > 0) tasks.afterStep('rows-deleted');
    });
    if (performance.now() - sweptAt >= SWEEP_EVERY_MS) {
      sweptAt = performance.now();
      await sweep(tasks, isStopping);
      if (sweptAt - orphansAt > ORPHANS_EVERY_MS) {
        orphansAt = sweptAt;
        await steps.take(tasks.dropOrphanedChunks);
        await steps.take(tasks.dropUnusedKeys);
      }
    }
    return DROP_EVERY_MS;
  });
};

/**
 * Deletes what has expired, and ends what nothing else would:
 * ingestions whose row is gone are failed, so that every 202 ends. A row of the queue is never dropped
 * before its end is known. What fails is reported and does not keep the rest from being done.
 */
export const sweep = async (tasks: HousekeepingTasks, isStopping: () => boolean): Promise<void> => {
  const { take, takeEach } = stepsOf(tasks, isStopping);
  await take(tasks.dropFinished);
  await take(tasks.dropExpiredImports);
  await take(tasks.dropExpiredDrafts);
  await take(tasks.dropExpiredHandedOver);
  await take(tasks.dropExpiredLaunches);
  await takeEach(
    () => tasks.withoutEntry(WITHOUT_ENTRY_MS),
    (ingestionId) => failWithoutEntry(ingestionId, tasks),
  );
};

/** Steps whose faults are reported and end nothing but the step. */
const stepsOf = (
  { onFault, isOutage }: Pick<HousekeepingTasks, 'onFault' | 'isOutage'>,
  isStopping: () => boolean,
) => {
  /** @returns the fault; null: it was done, or is not to be done any more */
  const take = async (step: () => Promise<unknown>): Promise<unknown> => {
    if (isStopping()) return null;
    try {
      await step();
      return null;
    } catch (error) {
      onFault(error);
      return error;
    }
  };
  const takeEach = async <Thing>(
    find: () => Promise<readonly Thing[]>,
    step: (thing: Thing) => Promise<unknown>,
  ): Promise<void> => {
    let found: readonly Thing[] = [];
    await take(async () => {
      found = await find();
    });
    // While a store is away the others would fail like this one, each after its own wait.
    for (const thing of found) if (isOutage(await take(() => step(thing)))) return;
  };
  return { take, takeEach };
};

const failWithoutEntry = async (ingestionId: string, tasks: HousekeepingTasks): Promise<void> => {
  const stream = ingestionStream(ingestionId);
  const stored = await tasks.readStream(stream);
  const last = stored.at(-1);
  const state = stateAfter(stored, ingestionFold);
  const events = failIngestion(BUFFER_EXPIRED, formatCompletedAt(tasks.now()), null, state);
  if (last === undefined || state.status === 'none' || events.length === 0) return;
  await tasks.append(
    stream,
    last.revision,
    events.map((event) => ({ id: tasks.idOf('swept', ingestionId, event.type), event })),
    {
      correlationId: state.correlationId,
      causationId: null,
      actor: { kind: 'service', id: 'housekeeping' },
    },
  );
};
