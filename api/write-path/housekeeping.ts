import type { AppendToStream, ReadStream } from '../../domain/event-log.ts';
import { BUFFER_EXPIRED, fail } from '../../domain/ingestion/decide.ts';
import type { IngestionEvent } from '../../domain/ingestion/events.ts';
import type {
  Dequeue,
  DropFinishedEntries,
  IngestionsWithoutEntry,
  UnconfirmedEntries,
} from '../../domain/ingestion/ports.ts';
import { evolve, type Ingestion, noIngestion } from '../../domain/ingestion/state.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import { completedAt } from './completed-at.ts';
import type { AfterStep } from './fault-hook.ts';

/** What housekeeping works with. */
export interface HousekeepingParts {
  readonly dropFinished: DropFinishedEntries;
  readonly unconfirmed: UnconfirmedEntries;
  readonly withoutEntry: IngestionsWithoutEntry;
  readonly dequeue: Dequeue;
  /** Carries confirmed imports through whose process ended on the way. */
  readonly finishImports: (olderThanMs: number) => Promise<void>;
  /** Deletes imports that nobody confirmed in time. */
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
  readonly onFault: (error: unknown) => void;
}

/** Keeps the queue tidy until it is stopped. Several processes may do so at once. */
export interface Housekeeping {
  stop(): Promise<void>;
}

const DROP_EVERY_MS = 250;
const SWEEP_EVERY_MS = 5_000;
/** Longer than any append of the door is tried: after it, no event will name the row any more. */
const GRACE_MS = 60_000;
/** Longer than a confirmation takes; going over it twice does no harm. */
const IMPORT_GRACE_MS = 10_000;

/** Starts housekeeping. */
export const startHousekeeping = (parts: HousekeepingParts): Housekeeping => {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    let sweptAt = performance.now();
    while (!stopping.signal.aborted) {
      try {
        if ((await parts.dropFinished()) > 0) parts.afterStep('rows-deleted');
        if (performance.now() - sweptAt > SWEEP_EVERY_MS) {
          sweptAt = performance.now();
          await parts.finishImports(IMPORT_GRACE_MS);
          await parts.dropExpiredImports();
          await parts.dropExpiredDrafts();
          await parts.dropExpiredLaunches();
          await sweep(parts, GRACE_MS);
        }
      } catch (error) {
        parts.onFault(error);
      }
      await rest(DROP_EVERY_MS, stopping.signal);
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
 * Ends what nothing else would: rows that no event names are dropped, and ingestions whose row is
 * gone are failed, so that every 202 ends.
 * @param graceMs age from which a row or an ingestion counts as left behind
 */
export const sweep = async (parts: HousekeepingParts, graceMs: number): Promise<void> => {
  for (const { attempt, ingestionId } of await parts.unconfirmed(graceMs)) {
    const stored = await parts.readStream(ingestionStream(ingestionId));
    if (stored.length === 0) await parts.dequeue([attempt]);
  }
  for (const ingestionId of await parts.withoutEntry(graceMs)) {
    const stream = ingestionStream(ingestionId);
    const stored = await parts.readStream(stream);
    const last = stored.at(-1);
    const state = stored.reduce<Ingestion>(
      (held, { event }) => evolve(held, event as IngestionEvent),
      noIngestion,
    );
    const events = fail(BUFFER_EXPIRED, completedAt(parts.now()), state);
    if (last === undefined || state.status === 'none' || events.length === 0) continue;
    await parts.append(
      stream,
      last.revision,
      events.map((event) => ({ id: parts.idOf('swept', ingestionId, event.type), event })),
      {
        correlationId: state.correlationId,
        causationId: null,
        actor: { kind: 'service', id: 'housekeeping' },
      },
    );
  }
};

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
