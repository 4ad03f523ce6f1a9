import { setTimeout as sleep } from 'node:timers/promises';
import type { StagedImport } from '../../domain/csv/staged-import.ts';
import type { AppendToStream, ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { BUFFER_EXPIRED, fail } from '../../domain/ingestion/decide.ts';
import type {
  Dequeue,
  DropFinishedEntries,
  DropOrphanedChunks,
  IngestionsWithoutEntry,
  UnconfirmedEntries,
} from '../../domain/ingestion/ports.ts';
import { ingestionFold } from '../../domain/ingestion/state.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import { completedAt } from './completed-at.ts';
import type { AfterStep } from './fault-hook.ts';

/** What housekeeping does, and what it does it with. */
export interface Chores {
  readonly dropFinished: DropFinishedEntries;
  readonly unconfirmed: UnconfirmedEntries;
  readonly withoutEntry: IngestionsWithoutEntry;
  readonly dequeue: Dequeue;
  readonly dropOrphanedChunks: DropOrphanedChunks;
  /** Confirmed imports whose process ended on the way. */
  readonly unannouncedImports: (olderThanMs: number) => Promise<readonly StagedImport[]>;
  /** Carries one of them through. */
  readonly finishImport: (staged: StagedImport) => Promise<unknown>;
  /** Deletes imports that were not confirmed in time. */
  readonly dropExpiredImports: () => Promise<void>;
  /** Deletes forms that were begun and left. */
  readonly dropExpiredDrafts: () => Promise<void>;
  /** Deletes launches from an EHR, and what they read, whose time is over. */
  readonly dropExpiredLaunches: () => Promise<void>;
  readonly append: AppendToStream;
  readonly readStream: ReadStream;
  readonly idOf: (...parts: readonly (string | number)[]) => string;
  readonly now: () => Date;
  readonly afterStep: AfterStep;
  /** Whether a fault says that the log or the database is away. */
  readonly isOutage: (error: unknown) => boolean;
  readonly onFault: (error: unknown) => void;
}

/** Keeps the queue tidy until it is stopped. Several processes may do so at once. */
export interface Housekeeping {
  stop(): Promise<void>;
}

const DROP_EVERY_MS = 250;
const SWEEP_EVERY_MS = 5_000;
/** Orphans are rare, and looking for them reads through the whole queue. */
const ORPHANS_EVERY_MS = 600_000;
/**
 * Longer than a log that stands still keeps an append which the door has given up: when it goes on,
 * the append takes effect, and an event names the row after all. A minute was too short for a log that
 * stood still for a minute: ingestions were announced whose row was gone. Rows of confirmed imports are
 * announced at any time and not among those that are looked at.
 */
const UNCONFIRMED_MS = 300_000;
/** Longer than a worker takes from the end of an ingestion's row to that of its stream. */
const WITHOUT_ENTRY_MS = 60_000;
/** Longer than a confirmation takes; going over it twice does no harm. */
const IMPORT_GRACE_MS = 10_000;

/** Starts housekeeping. */
export const startHousekeeping = (chores: Chores): Housekeeping => {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const steps = stepsOf(chores, isStopping);
  const run = async (): Promise<void> => {
    let sweptAt = performance.now();
    let orphansAt = sweptAt - ORPHANS_EVERY_MS;
    while (!isStopping()) {
      await steps.take(async () => {
        if ((await chores.dropFinished('taken up')) > 0) chores.afterStep('rows-deleted');
      });
      if (performance.now() - sweptAt > SWEEP_EVERY_MS) {
        sweptAt = performance.now();
        await sweep(chores, isStopping);
        if (sweptAt - orphansAt > ORPHANS_EVERY_MS) {
          orphansAt = sweptAt;
          await steps.take(chores.dropOrphanedChunks);
        }
      }
      await sleep(DROP_EVERY_MS, undefined, stopping).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
};

/**
 * Deletes what has expired and ends what nothing else would: confirmed imports are carried through,
 * rows that no event names are dropped, and ingestions whose row is gone are failed, so that every
 * 202 ends. What fails is reported and does not keep the rest from being done.
 */
export const sweep = async (chores: Chores, isStopping: () => boolean): Promise<void> => {
  const { take, takeEach } = stepsOf(chores, isStopping);
  await take(() => chores.dropFinished('all'));
  await takeEach(() => chores.unannouncedImports(IMPORT_GRACE_MS), chores.finishImport);
  await take(chores.dropExpiredImports);
  await take(chores.dropExpiredDrafts);
  await take(chores.dropExpiredLaunches);
  await takeEach(
    () => chores.unconfirmed(UNCONFIRMED_MS),
    async ({ attempt, ingestionId }) => {
      const stored = await chores.readStream(ingestionStream(ingestionId));
      if (stored.length === 0) await chores.dequeue([attempt]);
    },
  );
  await takeEach(
    () => chores.withoutEntry(WITHOUT_ENTRY_MS),
    (ingestionId) => failWithoutEntry(ingestionId, chores),
  );
};

/** Steps whose faults are reported and end nothing but the step. */
const stepsOf = (
  { onFault, isOutage }: Pick<Chores, 'onFault' | 'isOutage'>,
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

const failWithoutEntry = async (ingestionId: string, chores: Chores): Promise<void> => {
  const stream = ingestionStream(ingestionId);
  const stored = await chores.readStream(stream);
  const last = stored.at(-1);
  const state = stateAfter(stored, ingestionFold);
  const events = fail(BUFFER_EXPIRED, completedAt(chores.now()), state);
  if (last === undefined || state.status === 'none' || events.length === 0) return;
  await chores.append(
    stream,
    last.revision,
    events.map((event) => ({ id: chores.idOf('swept', ingestionId, event.type), event })),
    {
      correlationId: state.correlationId,
      causationId: null,
      actor: { kind: 'service', id: 'housekeeping' },
    },
  );
};
