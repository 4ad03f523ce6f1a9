import { setTimeout as sleep } from 'node:timers/promises';
import {
  END,
  type EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  NotLeaderError,
  type ReadRevision,
  type ReadStreamOptions,
  type RecordedEvent,
  type ResolvedEvent,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { passOverLostRecord } from '../../domain/birth-record/replay.ts';
import type {
  AppendContext,
  AppendHealth,
  AppendResult,
  EventMetadata,
  ExpectedRevision,
  LogEntry,
  NewEvent,
  ReadRecent,
  ReadStream,
  StreamEvent,
} from '../../domain/event-log.ts';
import {
  EventInvalid,
  EventLogAccessDenied,
  EventLogUnavailable,
  EventLogUnconfirmed,
  StreamTruncated,
} from '../../domain/event-log-errors.ts';
import { isOwnStream, kindOfStream } from '../../domain/stream-names.ts';
import type { PlacedLeaf } from '../../transparency-log/leaf-entry.ts';
import {
  createLogClient,
  type LogClient,
  type LogConnection,
} from '../private-parts/event-store-client/create-log-client.ts';
import type { LogAddress } from '../private-parts/event-store-client/log-address.ts';
import { watchAppends } from './append-health.ts';
import { checkEvent, getSchemaVersion, packData, readEvent } from './event-catalog.ts';
import { type FollowLog, follow } from './follow-log.ts';
import { hasRetention, METADATA_PREFIX, toLeafEvent, toLogEntry } from './log-entry.ts';
import {
  isAccessDenied,
  isLogResponse,
  isPermanent,
  requiresNewClient,
  toLogError,
} from './log-faults.ts';
import { isLossAccepted, loadRegistryState } from './registry-state.ts';

/** Timeouts of the log in milliseconds. */
export interface EventLogTimeouts {
  /** Maximum for one attempt of an append. The server drops an append that arrives later. */
  readonly appendMs: number;
  /** Default maximum for all attempts of an append together. */
  readonly giveUpMs: number;
  /** Maximum for one read of a stream. */
  readonly readMs: number;
}

/** Event log. */
export interface EventLog {
  /**
   * @see AppendToStream
   * @param giveUpMs limits all attempts together
   * @param mayTryAgain called before each retry
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
  readonly readRecent: ReadRecent;
  /**
   * Reads a stream as stored, byte for byte.
   * @param part first revision and maximum number of events; the whole stream if absent
   * @throws EventLogUnavailable
   */
  readLeaves(stream: string, part?: StreamPart): Promise<readonly PlacedLeaf[]>;
  /** Reads all of our events from the start. @throws EventLogUnavailable */
  readAll(): AsyncIterable<LogEntry>;
  readonly follow: FollowLog;
  /**
   * Position of our last event, or 0 if there is none. If thousands of other events follow it, a
   * later position that followers of our streams also reach.
   */
  head(): Promise<bigint>;
  /** Position of {@link head}, and when that event was recorded. */
  newest(): Promise<LogEnd>;
  /** Samples our events after a position (-1: from the start), up to a limit. */
  ahead(position: bigint): Promise<LagSample>;
  /** Position of the last event in the log, even if it is not ours, or -1 if the log is empty. */
  end(): Promise<bigint>;
  /** True if the log contains exactly this event. */
  holds(event: EventIdentity): Promise<boolean>;
  /** Position of this event, or `null` if the log does not contain it. */
  positionOf(event: EventIdentity): Promise<bigint | null>;
  /** Revision of the last event of a stream, readable or not, or -1 if the stream is empty. */
  lastRevision(stream: string): Promise<bigint>;
  /** Health of this process's appends, and the clock difference they show. */
  appendHealth(): AppendHealth;
  close(): Promise<void>;
}

/** Part of a stream, in its order. */
export interface StreamPart {
  readonly from: bigint;
  readonly most: number;
}

/** Log whose appends are confirmed, as opened by {@link connectEventLog}. */
export interface ConfirmedLog extends EventLog {
  /**
   * Log for callers that decide by what they read: streams, the head, and subscriptions are
   * confirmed, too.
   */
  readonly confirmed: EventLog;
}

/**
 * Confirms that a connection leads to the log of this registry. Asked once per connection, and from
 * time to time while events are appended over it.
 * @param last last event that this process appended, if any
 * @throws EventLogUnconfirmed, or the fault that prevented the check
 */
export type ConfirmLog = (
  log: Pick<EventLog, 'readStream' | 'end' | 'holds'>,
  last: EventIdentity | null,
) => Promise<void>;

/**
 * Identifies one of our events. After data loss, another event may have its stream and revision.
 */
export interface EventIdentity {
  readonly stream: string;
  readonly revision: bigint;
  readonly id: string;
}

/** End of the log. */
export interface LogEnd {
  readonly position: bigint;
  /** On the log's clock, or `null` if we found none of our events. */
  readonly recordedAt: Date | null;
}

/** Sample of the log after a position. */
export interface LagSample {
  /** Number of our events in the sample. */
  readonly events: number;
  /** When the first of them was recorded, on the log's clock, or `null` if there is none. */
  readonly oldestAt: Date | null;
  /** Last position of the sample. */
  readonly seenTo: bigint;
  /** True if that is the end of the log. */
  readonly isAll: boolean;
}

/**
 * EventStoreDB allows at most two seconds for an append, regardless of the deadline in the request.
 */
const DEFAULT_TIMEOUTS: EventLogTimeouts = { appendMs: 2_000, giveUpMs: 6_000, readMs: 5_000 };
/** A longer stream is read in parts, each within the limit of a read. */
const MAX_EVENTS_PER_READ = 1_000;
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
/**
 * EventStoreDB checks for expired appends once a second, so its response may come a second after
 * the deadline, plus some latency.
 */
const GRACE_MS = 1_250;
/** The log may become another one without a new connection if the database is restored. */
const CONFIRM_AGAIN_MS = 5_000;

/**
 * Opens the event log. One per process: the client shares its append state among all instances, so
 * a second client that appends could lose responses of the first.
 * @param confirm nothing is appended over a connection before it resolves
 */
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
      const result = await within(timeouts.readMs, readFromLeader(), () => reconnect(used));
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
  const currentConnection = async (used: LogClient): Promise<LogConnection> => {
    try {
      return await within(timeouts.readMs, used.connection());
    } catch (error) {
      throw toLogError('a connection', error);
    }
  };

  /** Connections never return, so whatever was asked in between was asked over this one. */
  const checkSame = async (used: LogClient, connection: LogConnection): Promise<void> => {
    if ((await currentConnection(used)) !== connection) throw new ConnectionChanged();
  };

  /** Asks over the current connection, and checks that it was the same for all questions. */
  const confirmConnection = async (used: LogClient, connection: LogConnection): Promise<void> => {
    const reads = {
      readStream: (stream: string) =>
        read((reader) => eventsOf(reader, stream, {}, readEvent), used),
      end: () => read(async (reader) => (await lastOfOurs(reader, 1)).end, used),
      holds: (event: EventIdentity) => read((reader) => isHeldBy(reader, event), used),
    };
    await confirm(reads, lastAppended);
    await checkSame(used, connection);
  };

  /** Confirms the current connection of a client. @returns that connection */
  const requireConfirmed = async (used: LogClient): Promise<LogConnection> => {
    const connection = await currentConnection(used);
    const known = confirmations.get(connection);
    const now = performance.now();
    if (known !== undefined && now - known.askedAt < CONFIRM_AGAIN_MS) {
      if (!known.isConfirmed) await known.answer;
      return connection;
    }
    const answer = confirmConnection(used, connection);
    // A repeated check delays no append.
    const asked: Confirmation = { answer, askedAt: now, isConfirmed: known?.isConfirmed ?? false };
    confirmations.set(connection, asked);
    answer.then(
      () => {
        asked.isConfirmed = true;
        appends.confirmed();
      },
      (error: unknown) => {
        if (error instanceof EventLogUnconfirmed) appends.failed('unconfirmed');
        if (confirmations.get(connection) === asked) confirmations.delete(connection);
      },
    );
    if (!asked.isConfirmed) await answer;
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
    const { nextExpectedRevision, position } = await within(tryMs + GRACE_MS, appended, () =>
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
          connection = await within(waitMs, requireConfirmed(used));
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
              read((reader) => storedAtOf(reader, stream, revision, last)),
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

    ...readStreamsBy(read),

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

    head: async () => (await read(endOf)).position,

    newest: () => read(endOf),

    ahead: (position) => read((used) => aheadOf(used, position)),

    end: () => read(async (used) => (await lastOfOurs(used, 1)).end),

    holds: (event) => read((used) => isHeldBy(used, event)),

    positionOf: (event) => read((used) => findPosition(used, event)),

    lastRevision: (stream) => read((used) => lastRevisionOf(used, stream)),

    appendHealth: appends.health,

    async close() {
      await within(SETTLE_MS, appends.settled()).catch(() => undefined);
      // A stream whose end was lost with its connection would block the close forever.
      await within(CLOSE_MS, client.dispose()).catch(() => undefined);
    },
  };

  const confirmed: EventLog = {
    ...log,

    ...readStreamsBy(readConfirmed),

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

    head: async () => (await readConfirmed(endOf)).position,
  };
  return { ...log, confirmed };
};

type Read = <T>(work: (used: LogClient) => Promise<T>) => Promise<T>;

const readStreamsBy = (read: Read): Pick<EventLog, 'readStream' | 'readRecent' | 'readLeaves'> => {
  const readWhole: ReadStream = (stream) => readInParts(read, stream, readEvent);

  /** Reads what is left of a record. @throws the fault, unless the loss of the rest was accepted */
  const readLeft = async <T extends { readonly revision: bigint }>(
    stream: string,
    eventOf: (resolved: ResolvedEvent) => T,
    fault: unknown,
  ): Promise<readonly T[]> => {
    if (!(fault instanceof StreamTruncated) || kindOfStream(stream) !== 'record') throw fault;
    const registry = await loadRegistryState(readWhole);
    const left = await read((used) => leftOf(used, stream, eventOf));
    const isAccepted = left.every(({ revision }, place) => {
      const from = (left[place - 1]?.revision ?? -1n) + 1n;
      const lost = { stream, from: from.toString(), to: (revision - 1n).toString() };
      return from === revision || isLossAccepted(registry, lost);
    });
    if (left.length === 0 || !isAccepted) throw fault;
    return left;
  };
  const readLeftOver = async (stream: string, fault: unknown): Promise<readonly StreamEvent[]> =>
    passOverLostRecord(await readLeft(stream, readEvent, fault));

  return {
    readStream: (stream) => readWhole(stream).catch((fault) => readLeftOver(stream, fault)),

    readRecent: async (stream, most, before) => {
      if (before === 0n) return [];
      const fromRevision: ReadRevision = before === undefined ? END : before - 1n;
      const place = { direction: 'backwards' as const, fromRevision, maxCount: most };
      try {
        return (await read((used) => eventsOf(used, stream, place, readEvent))).toReversed();
      } catch (fault) {
        const left = await readLeftOver(stream, fault);
        return left
          .filter(({ revision }) => before === undefined || revision < before)
          .slice(-most);
      }
    },

    readLeaves: async (stream, part) => {
      const place = part && { fromRevision: part.from, maxCount: part.most };
      try {
        if (place === undefined) return await readInParts(read, stream, toPlacedLeaf);
        return await read((used) => eventsOf(used, stream, place, toPlacedLeaf));
      } catch (fault) {
        const left = await readLeft(stream, toPlacedLeaf, fault);
        const { from, most } = part ?? { from: 0n, most: left.length };
        return left.filter(({ revision }) => revision >= from).slice(0, most);
      }
    },
  };
};

const readInParts = async <T>(
  read: Read,
  stream: string,
  eventOf: (resolved: ResolvedEvent) => T,
): Promise<readonly T[]> => {
  const events: T[] = [];
  let fromRevision: ReadStreamOptions['fromRevision'] = START;
  for (;;) {
    const follows = fromRevision !== START;
    const place: StreamPlace = { fromRevision, maxCount: MAX_EVENTS_PER_READ, follows };
    let last: bigint | null = null;
    const part = await read((used) =>
      eventsOf(used, stream, place, (resolved) => {
        last = resolved.event?.revision ?? last;
        return eventOf(resolved);
      }),
    );
    events.push(...part);
    if (part.length < MAX_EVENTS_PER_READ || last === null) return events;
    fromRevision = (last as bigint) + 1n;
  }
};

class ConnectionChanged extends EventLogUnavailable {
  constructor() {
    super('The connection to the event log has changed.');
  }
}

/** Check that a connection leads to the log of this registry. */
interface Confirmation {
  readonly answer: Promise<void>;
  readonly askedAt: number;
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

type StreamPlace = Pick<ReadStreamOptions, 'direction' | 'fromRevision' | 'maxCount'> & {
  /** True if the events right before were read: then there may be none. */
  readonly follows?: boolean;
};

const toPlacedLeaf = ({ event }: ResolvedEvent): PlacedLeaf => {
  if (event === undefined) throw new EventInvalid('A link without its event.');
  return { ...toLeafEvent(event), position: event.position?.commit ?? 0n };
};

/** @throws StreamTruncated if events of this place are hidden or lost */
const eventsOf = async <T>(
  client: EventStoreDBClient,
  stream: string,
  {
    direction,
    fromRevision = START,
    maxCount = Number.POSITIVE_INFINITY,
    follows = false,
  }: StreamPlace,
  eventOf: (resolved: ResolvedEvent) => T,
): Promise<readonly T[]> => {
  const step = direction === 'backwards' ? -1n : 1n;
  let next = fromRevision === START ? 0n : fromRevision;
  let isWhole = true;
  const events: T[] = [];
  try {
    const place = { fromRevision, requiresLeader: true, ...(direction && { direction }) };
    const limit = Number.isFinite(maxCount) ? { maxCount } : {};
    for await (const resolved of client.readStream(stream, { ...place, ...limit })) {
      const revision: bigint | undefined = resolved.event?.revision;
      // Leaving early would block the close.
      if (revision === undefined || (next !== END && revision !== next)) isWhole = false;
      if (!isWhole || revision === undefined) continue;
      events.push(eventOf(resolved));
      next = revision + step;
    }
  } catch (error) {
    if (error instanceof StreamDeletedError) throw new StreamTruncated(stream);
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  const endsEarly = direction === 'backwards' && next !== END && next !== -1n;
  if (endsEarly && events.length < maxCount) isWhole = false;
  // Settings can hide all events of a stream, as if there were none.
  const mayBeHidden = events.length === 0 && !follows;
  if (!isWhole || (mayBeHidden && (await hasRetentionSetting(client, stream))))
    throw new StreamTruncated(stream);
  return events;
};

/** Events of a stream, whatever is missing before and between them. */
const leftOf = async <T>(
  client: EventStoreDBClient,
  stream: string,
  eventOf: (resolved: ResolvedEvent) => T,
): Promise<readonly T[]> => {
  const events: T[] = [];
  try {
    for await (const resolved of client.readStream(stream, { requiresLeader: true }))
      if (resolved.event !== undefined) events.push(eventOf(resolved));
  } catch (error) {
    if (!isWithoutStream(error)) throw error;
  }
  return events;
};

const hasRetentionSetting = async (
  client: EventStoreDBClient,
  stream: string,
): Promise<boolean> => {
  try {
    const settings = await eventAt(client, `${METADATA_PREFIX}${stream}`, {
      direction: 'backwards',
      fromRevision: 'end',
    });
    return settings !== null && hasRetention(settings);
  } catch (error) {
    // An account may be allowed to read streams, but not their settings.
    if (isAccessDenied(error)) return false;
    throw error;
  }
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

/**
 * Finds our last event among the last `maxCount` events of the log.
 * @returns `first`: position of the first event examined, or 0 if that is the start of the log;
 * `end`: position of the last event, or -1 if the log is empty
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

/** A stream that was deleted for good cannot be asked; `verify` names it. */
const isHeldBy = async (client: EventStoreDBClient, event: EventIdentity): Promise<boolean> =>
  (await findPosition(client, event)) !== null || (await isDeleted(client, event.stream));

const isDeleted = async (client: EventStoreDBClient, stream: string): Promise<boolean> => {
  try {
    await firstAt(client, stream, { direction: 'backwards', fromRevision: END });
    return false;
  } catch (error) {
    if (!isWithoutStream(error)) throw error;
    return error instanceof StreamDeletedError;
  }
};

const findPosition = async (
  client: EventStoreDBClient,
  { stream, revision, id }: EventIdentity,
): Promise<bigint | null> => {
  const found = await eventAt(client, stream, { fromRevision: revision });
  if (found?.revision !== revision || found.id !== id) return null;
  return found.position?.commit ?? 0n;
};

const lastRevisionOf = async (client: EventStoreDBClient, stream: string): Promise<bigint> => {
  const last = await eventAt(client, stream, { direction: 'backwards', fromRevision: 'end' });
  return last?.revision ?? -1n;
};

type EventPlace = Pick<ReadStreamOptions, 'direction' | 'fromRevision'>;

/** First event of a stream read, or `null` if there is none or no such stream. */
const eventAt = async (
  client: EventStoreDBClient,
  stream: string,
  place: EventPlace,
): Promise<RecordedEvent | null> => {
  try {
    return await firstAt(client, stream, place);
  } catch (error) {
    if (!isWithoutStream(error)) throw error;
    return null;
  }
};

const firstAt = async (
  client: EventStoreDBClient,
  stream: string,
  place: EventPlace,
): Promise<RecordedEvent | null> => {
  let found: RecordedEvent | null = null;
  const one = { ...place, maxCount: 1, requiresLeader: true };
  for await (const { event } of client.readStream(stream, one)) found = event ?? null;
  return found;
};

/** When the log stored an event, or `null` if the stored event is from an earlier append. */
const storedAtOf = async (
  client: EventStoreDBClient,
  stream: string,
  revision: bigint,
  { id, metadata }: ReturnType<typeof propose>,
): Promise<Date | null> => {
  const found = await eventAt(client, stream, { fromRevision: revision });
  // A repeated append after a crash has the same id; only `recordedAt` distinguishes the two.
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

// The client has no timeouts of its own, so a hung node would block its callers.
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
