import type { AppendToStream, ReadStream } from '../../domain/event-log.ts';
import { formatInstant } from '../../domain/fhir/dates.ts';
import { stateAfter } from '../../domain/fold.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import { BUFFER_EXPIRED, failIngestion } from '../../domain/submission/decide.ts';
import { ingestionFold } from '../../domain/submission/state.ts';
import type { App } from '../ports/app-ports.ts';
import type { Failpoint } from '../process/failpoint.ts';
import { pause, runPeriodically } from '../process/run-periodically.ts';
import type { CompletedIngestions } from './completed-ingestions.ts';

export interface HousekeepingTasks
  extends Pick<App['queue'], 'dropFinished' | 'withoutEntry' | 'dropOrphanedChunks'> {
  readonly completedIngestions: Pick<CompletedIngestions, 'count' | 'deleteProjected' | 'onFirst'>;
  readonly dropExpiredImports: () => Promise<void>;
  readonly dropExpiredDrafts: () => Promise<void>;
  readonly dropExpiredHandoffs: () => Promise<void>;
  readonly dropExpiredLaunches: () => Promise<void>;
  readonly dropUnusedKeys: () => Promise<void>;
  readonly append: AppendToStream;
  readonly readStream: ReadStream;
  readonly deriveId: (...parts: readonly (string | number)[]) => string;
  readonly now: () => Date;
  readonly afterStep: Failpoint;
  readonly isOutage: (error: unknown) => boolean;
  readonly onFault: (error: unknown) => void;
}

/** Rows that are deleted together share a commit. */
const DROP_INTERVAL_MS = 250;
const SWEEP_INTERVAL_MS = 60_000;
/** Orphans and unused keys are rare, and finding them reads the whole queue. */
const ORPHANS_INTERVAL_MS = 600_000;
/** Longer than from the end of a queue row to the end of its stream. */
const WITHOUT_ENTRY_MS = 60_000;

/** Several processes may do so at once. @returns stops it */
export const startHousekeeping = (tasks: HousekeepingTasks): (() => Promise<void>) => {
  const { completedIngestions } = tasks;
  let orphansAt = performance.now() - ORPHANS_INTERVAL_MS - SWEEP_INTERVAL_MS;
  const stopDeleting = runPeriodically(async (signal) => {
    const { take } = createStepRunner(tasks, () => signal.aborted);
    await pause(DROP_INTERVAL_MS, signal);
    await take(async () => {
      if ((await completedIngestions.deleteProjected()) > 0) tasks.afterStep('rows-deleted');
    });
    return completedIngestions.count() > 0 ? 0 : SWEEP_INTERVAL_MS;
  }, completedIngestions.onFirst);
  const stopSweeping = runPeriodically(async (signal) => {
    const isStopping = () => signal.aborted;
    await sweep(tasks, isStopping);
    if (performance.now() - orphansAt > ORPHANS_INTERVAL_MS) {
      orphansAt = performance.now();
      const { take } = createStepRunner(tasks, isStopping);
      await take(tasks.dropOrphanedChunks);
      await take(tasks.dropUnusedKeys);
    }
    return SWEEP_INTERVAL_MS;
  });
  return async () => {
    await Promise.all([stopDeleting(), stopSweeping()]);
  };
};

/**
 * Fails ingestions whose queue row is lost, so that every 202 gets a result. Never deletes a row
 * before its result is known.
 */
export const sweep = async (tasks: HousekeepingTasks, isStopping: () => boolean): Promise<void> => {
  const { take, takeEach } = createStepRunner(tasks, isStopping);
  await take(tasks.dropFinished);
  await take(tasks.dropExpiredImports);
  await take(tasks.dropExpiredDrafts);
  await take(tasks.dropExpiredHandoffs);
  await take(tasks.dropExpiredLaunches);
  await takeEach(
    () => tasks.withoutEntry(WITHOUT_ENTRY_MS),
    (ingestionId) => failWithoutEntry(ingestionId, tasks),
  );
};

/** A fault ends only its own step. */
const createStepRunner = (
  { onFault, isOutage }: Pick<HousekeepingTasks, 'onFault' | 'isOutage'>,
  isStopping: () => boolean,
) => {
  /** @returns `null` if the step succeeded or housekeeping is stopping */
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
    // During an outage, every other step would fail too, each after its own timeout.
    for (const thing of found) if (isOutage(await take(() => step(thing)))) return;
  };
  return { take, takeEach };
};

const failWithoutEntry = async (ingestionId: string, tasks: HousekeepingTasks): Promise<void> => {
  const stream = ingestionStream(ingestionId);
  const stored = await tasks.readStream(stream);
  const last = stored.at(-1);
  const state = stateAfter(stored, ingestionFold);
  const events = failIngestion(BUFFER_EXPIRED, formatInstant(tasks.now()), null, state);
  if (last === undefined || state.status === 'none' || events.length === 0) return;
  await tasks.append(
    stream,
    last.revision,
    events.map((event) => ({ id: tasks.deriveId('swept', ingestionId, event.type), event })),
    {
      correlationId: state.correlationId,
      causationId: null,
      actor: { kind: 'service', id: 'housekeeping' },
    },
  );
};
