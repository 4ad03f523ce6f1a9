import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  NotLeaderError,
  START,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import type {
  AppendContext,
  AppendHealth,
  AppendResult,
  EventMetadata,
  ExpectedRevision,
  LogEntry,
  NewEvent,
} from '../../domain/event-log.ts';
import {
  EventLogAccessDenied,
  EventLogUnavailable,
  EventLogUnconfirmed,
  StreamTruncated,
} from '../../domain/event-log-errors.ts';
import { isOwnStream } from '../../domain/stream-names.ts';
import {
  createLogClient,
  type LogClient,
  type LogConnection,
} from '../package-internals/event-store-client/create-log-client.ts';
import type { LogAddress } from '../package-internals/event-store-client/log-address.ts';
import { watchAppends } from './append-health.ts';
import { checkEvent, getSchemaVersion, packData, readEvent } from './event-catalog.ts';
import { type FollowLog, follow } from './follow-log.ts';
import { toLogEntry } from './log-entry.ts';
import {
  isAccessDenied,
  isLogResponse,
  isPermanent,
  requiresNewClient,
  toLogError,
} from './log-faults.ts';
import {
  createStreamReads,
  type EventIdentity,
  findEventAt,
  findLastRevision,
  findPosition,
  holdsEvent,
  readEvents,
  type StreamReads,
} from './read-streams.ts';

export interface EventLogTimeouts {
  /** Maximum for one attempt of an append. The server drops an append that arrives later. */
  readonly appendMs: number;
  /** Default maximum for all attempts of an append together. */
  readonly giveUpMs: number;
  readonly readMs: number;
}

export interface EventLog extends StreamReads {
  /** @see AppendToStream; `giveUpMs` limits all attempts together, `mayTryAgain` runs before each retry */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    context: AppendContext,
    giveUpMs?: number,
    mayTryAgain?: () => boolean,
  ): Promise<AppendResult>;
  /** Reads all of our events from the start. @throws EventLogUnavailable */
  readAll(): AsyncIterable<LogEntry>;
  readonly follow: FollowLog;
  /** 0 if there is none; a later position, which followers also reach, if thousands of others follow it. */
  head(): Promise<bigint>;
  /** Position of {@link head}, and when that event was recorded. */
  newest(): Promise<LogEnd>;
  /** Samples our events after a position (-1: from the start), up to a limit. */
  ahead(position: bigint): Promise<LagSample>;
  /** Position of the last event in the log, even if it is not ours, or -1 if the log is empty. */
  end(): Promise<bigint>;
  holds(event: EventIdentity): Promise<boolean>;
  /** Position of this event, or `null` if the log does not contain it. */
  positionOf(event: EventIdentity): Promise<bigint | null>;
  /** Revision of the last event of a stream, readable or not, or -1 if the stream is empty. */
  lastRevision(stream: string): Promise<bigint>;
  appendHealth(): AppendHealth;
  close(): Promise<void>;
}

/** Log whose appends are confirmed, as opened by {@link connectEventLog}. */
export interface ConfirmedLog extends EventLog {
  /** For callers that decide by what they read: streams, the head, and subscriptions are confirmed too. */
  readonly confirmed: EventLog;
}

/** Called once per connection, and from time to time while appending. @throws EventLogUnconfirmed */
export type ConfirmLog = (
  log: Pick<EventLog, 'readStream' | 'end' | 'holds'>,
  last: EventIdentity | null,
) => Promise<void>;

export interface LogEnd {
  readonly position: bigint;
  /** On the log's clock, or `null` if we found none of our events. */
  readonly recordedAt: Date | null;
}

export interface LagSample {
  readonly events: number;
  /** When the first of them was recorded, on the log's clock, or `null` if there is none. */
  readonly oldestAt: Date | null;
  /** Last position of the sample. */
  readonly seenTo: bigint;
  /** True if that is the end of the log. */
  readonly isAll: boolean;
}

/** EventStoreDB allows at most two seconds, regardless of the deadline in the request. */
const DEFAULT_TIMEOUTS: EventLogTimeouts = { appendMs: 2_000, giveUpMs: 6_000, readMs: 5_000 };
const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 500;
const CLOSE_MS = 2_000;
/** Time to finish the clock measurement when a command closes right after an append. */
const SETTLE_MS = 500;
const MIN_TRY_MS = 100;
/** Exceeds a follower's distance between two checkpoints, so every follower reaches the head. */
const MAX_OTHERS_AT_HEAD = 2_048;
/** Maximum number of events to count for the lag of the read tables. */
const MAX_COUNTED_AHEAD = 100;
/** EventStoreDB checks for expired appends once a second; the rest is latency. */
const GRACE_MS = 1_250;
/** The log may become another one without a new connection if the database is restored. */
const CONFIRM_AGAIN_MS = 5_000;

/** One per process: the client shares its append state, so another would lose responses of the first. */
export const connectEventLog = (
  address: LogAddress,
  timeouts: EventLogTimeouts = DEFAULT_TIMEOUTS,
  confirm: ConfirmLog = async () => undefined,
): ConfirmedLog => {
  let client = createLogClient(address);
  const appends = watchAppends();
  const confirmations = new WeakMap<LogConnection, Confirmation>();
  let lastAppended: (EventIdentity & { readonly position: bigint }) | null = null;

  // Calls to a hung node last as long as the transport, so we drop it and reconnect.
  const reconnect = async (hung: LogClient): Promise<void> => {
    if (hung !== client) return;
    client = createLogClient(address);
    await hung.dispose();
  };

  // When we drop a connection, the client ends its reads as if they were complete.
  const checkWhole = (used: LogClient): void => {
    if (used !== client) throw new EventLogUnavailable('The connection of a read was given up.');
  };

  const read = async <T>(
    work: (used: LogClient) => Promise<T>,
    used: LogClient = client,
  ): Promise<T> => {
    let redirect: NotLeaderError | null = null;
    const readFromLeader = async (): Promise<T> => {
      try {
        return await work(used);
      } catch (error) {
        if (!(error instanceof NotLeaderError)) throw error;
        // The client connects to the leader that the refusal names when it is next asked.
        redirect = error;
        return work(used);
      }
    };
    try {
      const result = await withTimeout(timeouts.readMs, readFromLeader(), () => reconnect(used));
      checkWhole(used);
      return result;
    } catch (error) {
      const fault = toLogError('a read', error);
      const isUnreached =
        fault instanceof EventLogUnavailable && !(fault instanceof StreamTruncated);
      throw redirect !== null && isUnreached ? toLogError('a read', redirect) : fault;
    }
  };

  /** The client itself searches for a leader for longer than a caller waits. */
  const getConnection = async (used: LogClient): Promise<LogConnection> => {
    try {
      return await withTimeout(timeouts.readMs, used.connection());
    } catch (error) {
      throw toLogError('a connection', error);
    }
  };

  /** Connections never return, so whatever was asked in between was asked over this one. */
  const checkSame = async (used: LogClient, connection: LogConnection): Promise<void> => {
    if ((await getConnection(used)) !== connection) throw new ConnectionChanged();
  };

  /** Asks over the current connection, and checks that it was the same for all questions. */
  const confirmConnection = async (used: LogClient, connection: LogConnection): Promise<void> => {
    const reads = {
      readStream: (stream: string) =>
        read((reader) => readEvents(reader, stream, {}, readEvent), used),
      end: () => read(async (reader) => (await findLastOfOurs(reader, 1)).end, used),
      holds: (event: EventIdentity) => read((reader) => holdsEvent(reader, event), used),
    };
    await confirm(reads, lastAppended);
    await checkSame(used, connection);
  };

  const requireConfirmed = async (used: LogClient): Promise<LogConnection> => {
    const connection = await getConnection(used);
    const known = confirmations.get(connection);
    const now = performance.now();
    if (known !== undefined && now - known.requestedAt < CONFIRM_AGAIN_MS) {
      if (!known.isConfirmed) await known.answer;
      return connection;
    }
    const answer = confirmConnection(used, connection);
    // A repeated check delays no append.
    const confirmation: Confirmation = {
      answer,
      requestedAt: now,
      isConfirmed: known?.isConfirmed ?? false,
    };
    confirmations.set(connection, confirmation);
    answer.then(
      () => {
        confirmation.isConfirmed = true;
        appends.confirmed();
      },
      (error: unknown) => {
        if (error instanceof EventLogUnconfirmed) appends.failed('unconfirmed');
        if (confirmations.get(connection) === confirmation) confirmations.delete(connection);
      },
    );
    if (!confirmation.isConfirmed) await answer;
    return connection;
  };

  /** Reads over a connection that is confirmed; again if a node referred us to another leader. */
  const readConfirmed = async <T>(work: (used: LogClient) => Promise<T>): Promise<T> => {
    const readOnce = async (): Promise<T> => {
      const used = client;
      const connection = await requireConfirmed(used);
      const result = await read(work, used);
      await checkSame(used, connection);
      return result;
    };
    try {
      return await readOnce();
    } catch (error) {
      if (error instanceof ConnectionChanged) return readOnce();
      throw error;
    }
  };

  const tryAppend = async (
    used: LogClient,
    connection: LogConnection,
    stream: string,
    expected: ExpectedRevision,
    events: readonly ReturnType<typeof jsonEvent>[],
    tryMs: number,
  ): Promise<AppendResult> => {
    const appended = used.appendOver(connection, stream, events, {
      expectedRevision: expected === 'no-stream' ? NO_STREAM : expected,
      requiresLeader: true,
      deadline: tryMs,
    });
    const { nextExpectedRevision, position } = await withTimeout(tryMs + GRACE_MS, appended, () =>
      reconnect(used),
    );
    return {
      kind: 'appended',
      revision: nextExpectedRevision,
      position: position?.commit ?? 0n,
    };
  };

  const log: EventLog = {
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
      let failure: unknown;
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
        const used = client;
        if (failure !== undefined && !mayTryAgain())
          throw new EventLogUnavailable('An append was not tried again.', { cause: failure });
        let connection: LogConnection | null = null;
        try {
          const waitMs = Math.max(giveUpMs - (performance.now() - started), MIN_TRY_MS);
          connection = await withTimeout(waitMs, requireConfirmed(used));
          const triedAt = performance.now();
          const sentAt = Date.now();
          const leftMs = giveUpMs - (triedAt - started);
          // A lease may have ended while the connection was confirmed.
          if (leftMs <= 0) throw new EventLogUnavailable('There was no time left for an append.');
          const tryMs = Math.max(Math.min(timeouts.appendMs, leftMs), MIN_TRY_MS);
          const appended = await tryAppend(used, connection, stream, expected, proposed, tryMs);
          appends.answered();
          const last = proposed.at(-1);
          if (appended.kind === 'appended' && last !== undefined) {
            const { revision, position } = appended;
            if (position > (lastAppended?.position ?? -1n))
              lastAppended = { stream, revision, id: last.id, position };
            appends.measure({ sentAt, elapsedMs: performance.now() - triedAt }, () =>
              read((reader) => findStoredAt(reader, stream, revision, last)),
            );
          }
          return appended;
        } catch (error) {
          if (isLogResponse(error)) appends.answered();
          else appends.failed(findCause(error));
          if (error instanceof WrongExpectedVersionError) return { kind: 'wrong-revision' };
          // Another attempt would not change what the log is, or how the database is.
          if (connection === null && !isAway(error)) throw error;
          failure = error;
          if (requiresNewClient(error)) await reconnect(used).catch(() => undefined);
          if (isPermanent(error) || performance.now() - started + pauseMs > giveUpMs)
            throw toLogError('an append', error);
        }
        await sleep(pauseMs);
      }
    },

    ...createStreamReads(read),

    async *readAll() {
      const used = client;
      try {
        for await (const { event } of used.readAll({ requiresLeader: true })) {
          const entry = event === undefined ? null : toLogEntry(event);
          if (entry !== null) yield entry;
        }
        checkWhole(used);
      } catch (error) {
        throw toLogError('a read', error);
      }
    },

    follow: (from, onBatch, onCaughtUp, signal) =>
      follow(() => client, from, onBatch, onCaughtUp, signal),

    head: async () => (await read(findEnd)).position,

    newest: () => read(findEnd),

    ahead: (position) => read((used) => measureLag(used, position)),

    end: () => read(async (used) => (await findLastOfOurs(used, 1)).end),

    holds: (event) => read((used) => holdsEvent(used, event)),

    positionOf: (event) => read((used) => findPosition(used, event)),

    lastRevision: (stream) => read((used) => findLastRevision(used, stream)),

    appendHealth: appends.health,

    async close() {
      await withTimeout(SETTLE_MS, appends.settled()).catch(() => undefined);
      // A stream whose end was lost with its connection would block the close forever.
      await withTimeout(CLOSE_MS, client.dispose()).catch(() => undefined);
    },
  };

  const confirmed: EventLog = {
    ...log,

    ...createStreamReads(readConfirmed),

    async follow(from, onBatch, onCaughtUp, signal) {
      const used = client;
      const connection = await requireConfirmed(used);
      await follow(
        () => used,
        from,
        async (batch) => {
          await checkSame(used, connection);
          await onBatch(batch);
        },
        onCaughtUp,
        signal,
      );
    },

    head: async () => (await readConfirmed(findEnd)).position,
  };
  return { ...log, confirmed };
};

class ConnectionChanged extends EventLogUnavailable {
  constructor() {
    super('The connection to the event log has changed.');
  }
}

interface Confirmation {
  readonly answer: Promise<void>;
  readonly requestedAt: number;
  isConfirmed: boolean;
}

/** True if the log did not answer, and may answer when it is asked again. */
const isAway = (error: unknown): boolean =>
  error instanceof EventLogUnavailable && !(error instanceof EventLogUnconfirmed);

const findCause = (error: unknown): AppendHealth['cause'] => {
  if (error instanceof EventLogUnconfirmed) return 'unconfirmed';
  const isDenied = isAccessDenied(error) || error instanceof EventLogAccessDenied;
  return isDenied ? 'denied' : undefined;
};

const always = (): boolean => true;

const findEnd = async (client: EventStoreDBClient): Promise<LogEnd> => {
  const last = await findLastOfOurs(client, 1);
  if (last.position !== null) return { position: last.position, recordedAt: last.recordedAt };
  const { position, first, recordedAt } = await findLastOfOurs(client, MAX_OTHERS_AT_HEAD);
  return { position: position ?? first, recordedAt };
};

const measureLag = async (client: EventStoreDBClient, position: bigint): Promise<LagSample> => {
  let events = 0;
  let oldestAt: Date | null = null;
  let seenTo = position;
  let count = 0;
  // a read from a position starts with the event at that position
  const maxCount = MAX_COUNTED_AHEAD + 1;
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

/** `first`: 0 if all of the log was examined. `end`: -1 if the log is empty. */
const findLastOfOurs = async (
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
  // Read to the end: a read that we leave early never finishes, and close would wait for it.
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

/** When the log stored an event, or `null` if the stored event is from an earlier append. */
const findStoredAt = async (
  client: EventStoreDBClient,
  stream: string,
  revision: bigint,
  { id, metadata }: ReturnType<typeof propose>,
): Promise<Date | null> => {
  const found = await findEventAt(client, stream, { fromRevision: revision });
  // A repeated append after a crash has the same id; only `recordedAt` distinguishes the two.
  const stored = found?.metadata as Partial<EventMetadata> | undefined;
  const isSame = found?.id === id && stored?.recordedAt === metadata?.recordedAt;
  return isSame ? found.created : null;
};

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

// The client has no timeouts of its own, so a hung node would block its callers.
const withTimeout = async <T>(ms: number, work: Promise<T>, onTimeout?: () => Promise<void>) => {
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
