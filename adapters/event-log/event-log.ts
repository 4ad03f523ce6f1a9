import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  type ReadStreamOptions,
  type RecordedEvent,
  type ResolvedEvent,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import type {
  AppendContext,
  AppendHealth,
  AppendResult,
  AuditEntry,
  EventMetadata,
  ExpectedRevision,
  NewEvent,
  ReadStream,
} from '../../domain/event-log.ts';
import { EventInvalid, EventLogUnavailable } from '../../domain/event-log-errors.ts';
import { isOwnStream } from '../../domain/stream-names.ts';
import type { PlacedLeaf } from '../../transparency-log/leaf-entry.ts';
import { createLogClient } from '../private-parts/event-store-client/create-log-client.ts';
import type { LogAddress } from '../private-parts/event-store-client/log-address.ts';
import { watchAppends } from './append-health.ts';
import { checkEvent, getSchemaVersion, packData, readEvent } from './event-catalog.ts';
import { type FollowLog, follow } from './follow-log.ts';
import { toAuditEntry, toLeafEvent } from './log-entry.ts';
import { isLogResponse, isPermanent, requiresNewClient, toLogError } from './log-faults.ts';

/** How long the log may take. Milliseconds. */
export interface EventLogTimeouts {
  /** One try of an append at most. The server drops an append that reaches it later. */
  readonly appendMs: number;
  /** All tries of an append together, when the caller sets nothing else. */
  readonly giveUpMs: number;
  /** One read of a stream. */
  readonly readMs: number;
}

/** The event log, as opened by {@link connectEventLog}. */
export interface EventLog {
  /**
   * @see AppendToStream
   * @param giveUpMs bounds all tries together
   * @param mayTryAgain asked before each try but the first
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    context: AppendContext,
    giveUpMs?: number,
    mayTryAgain?: () => boolean,
  ): Promise<AppendResult>;
  readonly readStream: ReadStream;
  /** The same stream as it is stored, byte for byte. @throws EventLogUnavailable */
  readLeaves(stream: string): Promise<readonly PlacedLeaf[]>;
  /** What the log holds of ours, from its start. @throws EventLogUnavailable */
  readAll(): AsyncIterable<AuditEntry>;
  readonly follow: FollowLog;
  /**
   * Position of the last event of ours; 0 when there is none. Where thousands of others came after
   * it, a position between: followers of our streams see it, too.
   */
  head(): Promise<bigint>;
  /** The same position, and when its event was recorded. */
  newest(): Promise<LogEnd>;
  /** What of ours stands behind a position (-1: from the start), a few hundred events far. */
  ahead(position: bigint): Promise<LagSample>;
  /** Position of the last event of the log, whosever it is; -1 when it is empty. */
  end(): Promise<bigint>;
  /** Whether the log holds this very event. */
  holds(event: EventIdentity): Promise<boolean>;
  /** Revision of the last event of a stream, be it readable or not; -1: it holds none. */
  lastRevision(stream: string): Promise<bigint>;
  /** How the appends of this process go, and what they tell about its clock. */
  appendHealth(): AppendHealth;
  close(): Promise<void>;
}

/** Names one event of ours: after a loss another one may stand in its place. */
export interface EventIdentity {
  readonly stream: string;
  readonly revision: bigint;
  readonly id: string;
}

/** Where the log ends. */
export interface LogEnd {
  readonly position: bigint;
  /** On the log's clock; null when no event of ours was found. */
  readonly recordedAt: Date | null;
}

/** What was seen of the log behind a position. */
export interface LagSample {
  /** Events of ours that were seen. */
  readonly events: number;
  /** When the first of them was recorded, on the log's clock; null: none was seen. */
  readonly oldestAt: Date | null;
  /** The last position that was looked at. */
  readonly seenTo: bigint;
  /** Whether that is the log's end. */
  readonly isAll: boolean;
}

/** EventStoreDB takes two seconds for an append at most, whatever deadline is sent with it. */
const DEFAULT_TIMEOUTS: EventLogTimeouts = { appendMs: 2_000, giveUpMs: 6_000, readMs: 5_000 };
const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 500;
const CLOSE_MS = 2_000;
/** A command that has just appended still learns how its clock stands. */
const SETTLE_MS = 500;
const MIN_TRY_MS = 100;
/** More than a follower passes over between two checkpoints: it does not end behind the head. */
const MAX_OTHERS_AT_HEAD = 2_048;
/** So many are worth counting one by one when the lag of the tables is asked for. */
const MAX_COUNTED_AHEAD = 100;
/**
 * EventStoreDB looks for appends that are too late once a second: its answer comes up to a second
 * after their deadline, and a little more of it is still on its way.
 */
const GRACE_MS = 1_250;

/**
 * Opens the event log. One per process: the client keeps the appends of all its instances in one
 * place, so a second appending client could lose answers of the first.
 */
export const connectEventLog = (
  address: LogAddress,
  timeouts: EventLogTimeouts = DEFAULT_TIMEOUTS,
): EventLog => {
  let client = createLogClient(address);
  const appends = watchAppends();

  // A hung node keeps its calls for as long as the transport lives: give them up and start over.
  const reconnect = async (hung: EventStoreDBClient): Promise<void> => {
    if (hung !== client) return;
    client = createLogClient(address);
    await hung.dispose();
  };

  // The client ends the reads of a given-up connection as if there were nothing more to read.
  const checkWhole = (used: EventStoreDBClient): void => {
    if (used !== client) throw new EventLogUnavailable('The connection of a read was given up.');
  };

  const read = async <T>(work: (used: EventStoreDBClient) => Promise<T>): Promise<T> => {
    const used = client;
    try {
      const result = await within(timeouts.readMs, work(used), () => reconnect(used));
      checkWhole(used);
      return result;
    } catch (error) {
      throw toLogError('a read', error);
    }
  };

  const tryAppend = async (
    used: EventStoreDBClient,
    stream: string,
    expected: ExpectedRevision,
    events: readonly ReturnType<typeof jsonEvent>[],
    tryMs: number,
  ): Promise<AppendResult> => {
    const appended = used.appendToStream(stream, [...events], {
      expectedRevision: expected === 'no-stream' ? NO_STREAM : expected,
      requiresLeader: true,
      deadline: tryMs,
    });
    const { nextExpectedRevision, position } = await within(tryMs + GRACE_MS, appended, () =>
      reconnect(used),
    );
    return {
      kind: 'appended',
      revision: nextExpectedRevision,
      position: position?.commit ?? 0n,
    };
  };

  return {
    async append(
      stream,
      expected,
      events,
      context,
      giveUpMs = timeouts.giveUpMs,
      mayTryAgain = always,
    ) {
      const proposed = events.map((event) => propose(event, context));
      const started = performance.now();
      const sentAt = Date.now();
      let failure: unknown;
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
        const used = client;
        if (failure !== undefined && !mayTryAgain())
          throw new EventLogUnavailable('An append was not tried again.', { cause: failure });
        try {
          const leftMs = giveUpMs - (performance.now() - started);
          const tryMs = Math.max(Math.min(timeouts.appendMs, leftMs), MIN_TRY_MS);
          const appended = await tryAppend(used, stream, expected, proposed, tryMs);
          appends.answered();
          const last = proposed.at(-1);
          if (appended.kind === 'appended' && last !== undefined)
            appends.measure({ sentAt, elapsedMs: performance.now() - started }, () =>
              read((reader) => storedAtOf(reader, stream, appended.revision, last)),
            );
          return appended;
        } catch (error) {
          if (isLogResponse(error)) appends.answered();
          else appends.failed();
          if (error instanceof WrongExpectedVersionError) return { kind: 'wrong-revision' };
          failure = error;
          if (requiresNewClient(error)) await reconnect(used).catch(() => undefined);
          if (isPermanent(error) || performance.now() - started + pauseMs > giveUpMs)
            throw toLogError('an append', error);
        }
        await sleep(pauseMs);
      }
    },

    readStream: (stream) => read((used) => eventsOf(used, stream, readEvent)),

    readLeaves: (stream) =>
      read((used) =>
        eventsOf(used, stream, ({ event }) => {
          if (event === undefined) throw new EventInvalid('A link without its event.');
          return { ...toLeafEvent(event), position: event.position?.commit ?? 0n };
        }),
      ),

    async *readAll() {
      const used = client;
      try {
        for await (const { event } of used.readAll({ requiresLeader: true })) {
          const entry = event === undefined ? null : toAuditEntry(event);
          if (entry !== null) yield entry;
        }
        checkWhole(used);
      } catch (error) {
        throw toLogError('a read', error);
      }
    },

    follow: (from, onBatch, onCaughtUp, signal) =>
      follow(() => client, from, onBatch, onCaughtUp, signal),

    head: async () => (await read(endOf)).position,

    newest: () => read(endOf),

    ahead: (position) => read((used) => aheadOf(used, position)),

    end: () => read(async (used) => (await lastOfOurs(used, 1)).end),

    holds: (event) => read((used) => isHeldBy(used, event)),

    lastRevision: (stream) => read((used) => lastRevisionOf(used, stream)),

    appendHealth: appends.health,

    async close() {
      await within(SETTLE_MS, appends.settled()).catch(() => undefined);
      // A stream whose end was lost with its connection would be waited for without end.
      await within(CLOSE_MS, client.dispose()).catch(() => undefined);
    },
  };
};

const always = (): boolean => true;

const eventsOf = async <T>(
  client: EventStoreDBClient,
  stream: string,
  eventOf: (resolved: ResolvedEvent) => T,
): Promise<readonly T[]> => {
  const events: T[] = [];
  try {
    for await (const resolved of client.readStream(stream, { requiresLeader: true }))
      events.push(eventOf(resolved));
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return events;
};

const endOf = async (client: EventStoreDBClient): Promise<LogEnd> => {
  const last = await lastOfOurs(client, 1);
  if (last.position !== null) return { position: last.position, recordedAt: last.recordedAt };
  const { position, first, recordedAt } = await lastOfOurs(client, MAX_OTHERS_AT_HEAD);
  return { position: position ?? first, recordedAt };
};

const aheadOf = async (client: EventStoreDBClient, position: bigint): Promise<LagSample> => {
  let events = 0;
  let oldestAt: Date | null = null;
  let seenTo = position;
  let count = 0;
  const maxCount = MAX_COUNTED_AHEAD + 1; // a read from a position begins with the event there
  const fromPosition = position < 0n ? START : { commit: position, prepare: position };
  for await (const { event } of client.readAll({ fromPosition, maxCount, requiresLeader: false })) {
    count += 1;
    if (event === undefined || event.position.commit <= position) continue;
    seenTo = event.position.commit;
    if (!isOwnStream(event.streamId)) continue;
    events += 1;
    oldestAt ??= event.created;
  }
  return { events, oldestAt, seenTo, isAll: count < maxCount };
};

/**
 * Looks for the last event of ours among so many of the log, from its end.
 * @returns `first`: the position of the first that was looked at; 0 at the log's start. `end`: that
 * of the last of all; -1: there is none
 */
const lastOfOurs = async (
  client: EventStoreDBClient,
  maxCount: number,
): Promise<{
  readonly position: bigint | null;
  readonly recordedAt: Date | null;
  readonly first: bigint;
  readonly end: bigint;
}> => {
  const options = { direction: 'backwards', fromPosition: 'end', requiresLeader: true } as const;
  let position: bigint | null = null;
  let recordedAt: Date | null = null;
  let first = 0n;
  let end = -1n;
  let count = 0;
  // To its end: a read that is left early is never seen to finish, and close would wait.
  for await (const { event } of client.readAll({ ...options, maxCount })) {
    count += 1;
    if (event === undefined) continue;
    first = event.position.commit;
    if (end < first) end = first;
    if (position !== null || !isOwnStream(event.streamId)) continue;
    position = first;
    recordedAt = event.created;
  }
  return { position, recordedAt, first: count < maxCount ? 0n : first, end };
};

const isHeldBy = async (
  client: EventStoreDBClient,
  { stream, revision, id }: EventIdentity,
): Promise<boolean> => {
  const found = await eventAt(client, stream, { fromRevision: revision });
  return found?.revision === revision && found.id === id;
};

const lastRevisionOf = async (client: EventStoreDBClient, stream: string): Promise<bigint> => {
  const last = await eventAt(client, stream, { direction: 'backwards', fromRevision: 'end' });
  return last?.revision ?? -1n;
};

/** The first event that a read of a stream brings; null where there is none, or no such stream. */
const eventAt = async (
  client: EventStoreDBClient,
  stream: string,
  place: Pick<ReadStreamOptions, 'direction' | 'fromRevision'>,
): Promise<RecordedEvent | null> => {
  let found: RecordedEvent | null = null;
  try {
    const one = { ...place, maxCount: 1, requiresLeader: true };
    for await (const { event } of client.readStream(stream, one)) found = event ?? null;
  } catch (error) {
    if (!isWithoutStream(error)) throw error;
  }
  return found;
};

/** When the log stored an event; null: it is not this one, but one of an earlier try of another. */
const storedAtOf = async (
  client: EventStoreDBClient,
  stream: string,
  revision: bigint,
  { id, metadata }: ReturnType<typeof propose>,
): Promise<Date | null> => {
  const found = await eventAt(client, stream, { fromRevision: revision });
  // A repeat of an append from before a crash has the same id: only its moment tells them apart.
  const stored = found?.metadata as Partial<EventMetadata> | undefined;
  const isSame = found?.id === id && stored?.recordedAt === metadata?.recordedAt;
  return isSame ? found.created : null;
};

const isWithoutStream = (error: unknown): boolean =>
  error instanceof StreamNotFoundError || error instanceof StreamDeletedError;

const propose = ({ id, event, context: own }: NewEvent, ofAppend: AppendContext) => {
  checkEvent(event);
  const context = own ?? ofAppend;
  const metadata: EventMetadata = {
    schemaVersion: getSchemaVersion(event.type),
    correlationId: context.correlationId,
    causationId: context.causationId,
    actor: context.actor,
    recordedAt: new Date().toISOString(),
  };
  return jsonEvent({
    id,
    type: event.type,
    data: packData(event),
    metadata: { ...metadata },
  });
};

// The client has no timers of its own: a hung node would hold its callers for as long as it hangs.
const within = async <T>(ms: number, work: Promise<T>, onTimeout?: () => Promise<void>) => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onTimeout?.().catch(() => undefined);
      reject(new EventLogUnavailable(`No answer within ${ms} ms.`));
    }, ms);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};
