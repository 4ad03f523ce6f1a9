import { randomUUID } from 'node:crypto';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerWritableStream, status } from '@grpc/grpc-js';
import { NO_STREAM, TOMBSTONE } from '../store/decide.ts';
import {
  InvalidRequest,
  LogUnavailable,
  ReadEnded,
  StreamDeleted,
  thrownFailure,
} from '../store/errors.ts';
import type { RecordedEvent } from '../store/event.ts';
import { findVisiblePart, getStreamState } from '../store/heads.ts';
import { ReadAhead } from '../store/read-ahead.ts';
import { type Direction, PAGE_EVENTS, type Page, type Reader } from '../store/reader.ts';
import type { Writer } from '../store/writer.ts';
import { dropSlowSubscriber, type Faults } from './fault-injection.ts';
import { Flow, type OpenCalls, type ReadAnswer } from './flow.ts';
import { findVisibleEvent, LINK_TYPE, parseLinkTarget } from './links.ts';
import {
  buildCaughtUpMessage,
  buildCheckpointMessage,
  buildConfirmationMessage,
  buildStreamNotFoundMessage,
  getStreamName,
} from './messages.ts';

const DEFAULT_WINDOW = 32;

interface ReadSources {
  readonly writer: Writer;
  readonly reader: Reader;
  readonly faults: Faults;
}

type Options = NonNullable<ReturnType<ReadReq['getOptions']>>;
type From = bigint | 'start' | 'end';

interface Filter {
  readonly matches: (event: RecordedEvent) => boolean;
  /** Number of events to consider between two checkpoints. */
  readonly checkpointInterval: number;
}

interface Request {
  readonly sources: ReadSources;
  readonly flow: Flow;
  readonly direction: Direction;
  readonly isStructured: boolean;
  /** True if a link comes with its target event. */
  readonly resolvesLinks: boolean;
}

const buildFilter = (options: Options): Filter | null => {
  const filter = options.getFilter();
  if (filter === undefined) return null;
  const isOnStream = filter.hasStreamIdentifier();
  const expression = isOnStream ? filter.getStreamIdentifier() : filter.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  let matchesText: (text: string) => boolean;
  if (prefixes.length > 0) {
    matchesText = (text) => prefixes.some((prefix) => text.startsWith(prefix));
  } else {
    try {
      const regex = new RegExp(expression?.getRegex() ?? '');
      matchesText = (text) => regex.test(text);
    } catch (cause) {
      throw new InvalidRequest('The filter is no regular expression', { cause });
    }
  }
  const window = filter.hasMax() ? filter.getMax() : DEFAULT_WINDOW;
  return {
    matches: (event) => matchesText(isOnStream ? event.stream : event.type),
    checkpointInterval: Math.max(1, window * Math.max(1, filter.getCheckpointintervalmultiplier())),
  };
};

const getCount = (options: Options): number => {
  const count = BigInt(options.getCount());
  return count > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(count);
};

// Database values are signed; a larger value is simply after every event.
const clampPosition = (value: string): bigint => {
  const position = BigInt(value);
  return position > TOMBSTONE ? TOMBSTONE : position;
};

const getAllFrom = (options: Options): From => {
  const all = options.getAll();
  if (all?.hasPosition() === true)
    return clampPosition(all.getPosition()?.getCommitPosition() ?? '0');
  return all?.hasEnd() === true ? 'end' : 'start';
};

const getStreamFrom = (options: Options): From => {
  const stream = options.getStream();
  if (stream?.hasRevision() === true) return clampPosition(stream.getRevision());
  return stream?.hasEnd() === true ? 'end' : 'start';
};

/** Sends an event. Returns false if the call is over, and a promise only if it has to wait. */
const sendEvent = (request: Request, event: RecordedEvent): boolean | Promise<boolean> => {
  const { flow, isStructured, resolvesLinks } = request;
  const target = resolvesLinks && event.type === LINK_TYPE ? parseLinkTarget(event) : null;
  if (target === null) return flow.sendEvent(event, isStructured);
  return findVisibleEvent(request.sources, target).then((found) =>
    flow.sendLink(event, found, isStructured),
  );
};

/** Sends the matching events until the count is reached. Returns false if the read is finished. */
const sendEvents = async (
  request: Request,
  events: readonly RecordedEvent[],
  filter: Filter | null,
  remaining: { count: number },
): Promise<boolean> => {
  for (const event of events) {
    if (remaining.count === 0) return false;
    if (filter !== null && !filter.matches(event)) continue;
    const sent = sendEvent(request, event);
    if (!(sent === true || (await sent))) return false;
    remaining.count -= 1;
  }
  return remaining.count > 0;
};

// A filter may drop most of a page, so the count limits only unfiltered pages.
const pageLimit = (filter: Filter | null, count: number): number =>
  filter === null ? Math.min(count, PAGE_EVENTS) : PAGE_EVENTS;

/** EventStoreDB refuses positions inside an event, and subscriptions past the end. @throws ReadEnded */
const requireEventAt = async (reader: Reader, position: bigint): Promise<void> => {
  if (position <= 0n) return;
  const { events } = await reader.allForwards(position - 1n, position, 1);
  if (events.length === 0)
    throw new ReadEnded(status.INVALID_ARGUMENT, 'No event is at the position');
};

const readAll = async (request: Request, options: Options): Promise<void> => {
  const { sources, direction } = request;
  const { reader, writer } = sources;
  const from = getAllFrom(options);
  const filter = buildFilter(options);
  const remaining = { count: getCount(options) };
  const end = writer.committed;
  if (typeof from === 'bigint' && from <= end) await requireEventAt(reader, from);
  let cursor: bigint;
  if (direction === 'forwards') {
    if (from === 'end') return;
    cursor = from === 'start' ? 0n : from - 1n;
  } else {
    if (from === 'start') return;
    cursor = from === 'end' || from > end ? end + 1n : from;
  }
  while (remaining.count > 0) {
    const limit = pageLimit(filter, remaining.count);
    const page: Page =
      direction === 'forwards'
        ? await reader.allForwards(cursor, end, limit)
        : await reader.allBackwards(cursor, limit);
    if (!(await sendEvents(request, page.events, filter, remaining))) return;
    if (!page.hasMore) return;
    cursor = page.events.at(-1)?.position ?? cursor;
  }
};

const readStream = async (request: Request, options: Options): Promise<void> => {
  const { sources, flow, direction } = request;
  const { reader, writer } = sources;
  const stream = getStreamName(options.getStream()?.getStreamIdentifier());
  const from = getStreamFrom(options);
  // EventStoreDB does this even if the stream does not exist.
  if (direction === 'forwards' && from === 'end')
    throw new ReadEnded(status.UNKNOWN, 'Unexpected ReadStreamResult: Error');
  const remaining = { count: getCount(options) };
  writer.assertReady();
  const head = await writer.heads.get(stream);
  const { revision, isSoftDeleted: isHidden } = getStreamState(stream, head);
  if (revision === TOMBSTONE) throw new StreamDeleted(stream);
  if (revision === NO_STREAM || isHidden) {
    await flow.send(buildStreamNotFoundMessage(stream));
    return;
  }
  const visible = findVisiblePart(stream, head, Date.now());
  const end = writer.committed;
  let cursor: bigint;
  if (direction === 'forwards') {
    cursor = typeof from === 'bigint' ? from - 1n : -1n;
  } else {
    if (from === 'start') cursor = 1n;
    else cursor = from === 'end' || from > revision ? revision + 1n : from + 1n;
  }
  while (remaining.count > 0) {
    const limit = pageLimit(null, remaining.count);
    const page: Page =
      direction === 'forwards'
        ? await reader.streamForwards(stream, cursor, end, visible, limit)
        : await reader.streamBackwards(stream, cursor, end, visible, limit);
    if (!(await sendEvents(request, page.events, null, remaining))) return;
    if (!page.hasMore) return;
    cursor = page.events.at(-1)?.revision ?? cursor;
  }
};

/** If the log is unavailable, a live subscriber waits and then continues from its position. */
const waitForEvents = async ({ sources, flow }: Request, cursor: bigint): Promise<void> => {
  const { writer } = sources;
  while (!flow.isOver && (!writer.isReady || writer.committed <= cursor)) {
    await flow.waitFor((wake) => writer.onChange(wake));
  }
};

const subscribeToAll = async (request: Request, options: Options): Promise<void> => {
  const { sources, flow } = request;
  const { reader, writer, faults } = sources;
  const stored = new ReadAhead(reader);
  const from = getAllFrom(options);
  const filter = buildFilter(options);
  let cursor = writer.committed;
  if (from !== 'end') cursor = from === 'start' ? 0n : from;
  let considered = 0;
  let isLive = false;
  if (typeof from === 'bigint') await requireEventAt(reader, from);
  await flow.send(buildConfirmationMessage(randomUUID()));
  while (!flow.isOver) {
    const end = writer.committed;
    if (cursor < end) {
      const recent = writer.recent.after(cursor, PAGE_EVENTS);
      const page = recent ?? (await stored.next(cursor, end));
      if (isLive) dropSlowSubscriber(faults, page.length);
      for (const event of page) {
        cursor = event.position;
        if (filter === null || filter.matches(event)) {
          const sent = sendEvent(request, event);
          // Awaiting each event would cost more than encoding it.
          if (!(sent === true || (await sent))) return;
        }
        considered += 1;
        if (filter !== null && considered % filter.checkpointInterval === 0) {
          if (!(await flow.send(buildCheckpointMessage(cursor)))) return;
        }
      }
      if (page.length === 0) cursor = end;
      continue;
    }
    if (!isLive) {
      isLive = true;
      await flow.send(buildCaughtUpMessage());
    }
    await waitForEvents(request, cursor);
  }
};

const subscribeToStream = async (request: Request, options: Options): Promise<void> => {
  const { sources, flow } = request;
  const { reader, writer } = sources;
  const stream = getStreamName(options.getStream()?.getStreamIdentifier());
  const from = getStreamFrom(options);
  // Read before the head, so an event between the two is recognized by its revision.
  const before = writer.committed;
  const first = await writer.heads.get(stream);
  if (getStreamState(stream, first).revision === TOMBSTONE) throw new StreamDeleted(stream);
  let revision =
    from === 'start' ? -1n : from === 'end' ? getStreamState(stream, first).revision : from;
  let cursor = from === 'end' ? before : -1n;
  let isLive = false;
  await flow.send(buildConfirmationMessage(randomUUID()));

  const send = async (events: readonly RecordedEvent[]): Promise<boolean> => {
    for (const event of events) {
      if (event.revision === TOMBSTONE) throw new StreamDeleted(stream);
      if (!(await sendEvent(request, event))) return false;
      revision = event.revision;
    }
    return true;
  };
  const sendStored = async (end: bigint): Promise<boolean> => {
    for (;;) {
      const head = await writer.heads.get(stream);
      if (head.revision === TOMBSTONE) throw new StreamDeleted(stream);
      // A soft-deleted stream shows nothing; later events are above its old head.
      if (getStreamState(stream, head).isSoftDeleted) return true;
      const visible = findVisiblePart(stream, head, Date.now());
      const page = await reader.streamForwards(stream, revision, end, visible, PAGE_EVENTS);
      if (!(await send(page.events))) return false;
      if (!page.hasMore) return true;
    }
  };

  /** As on EventStoreDB, a subscriber never catches up with a missing or soft-deleted stream. */
  const isThere = async (): Promise<boolean> => {
    const state = getStreamState(stream, await writer.heads.get(stream));
    return state.revision !== NO_STREAM && !state.isSoftDeleted;
  };

  while (!flow.isOver) {
    const end = writer.committed;
    if (cursor < end) {
      const recent = writer.recent.after(cursor, PAGE_EVENTS);
      if (recent === null) {
        if (!(await sendStored(end))) return;
        cursor = end;
        continue;
      }
      const own = recent.filter((event) => event.stream === stream && event.revision > revision);
      if (!(await send(own))) return;
      cursor = recent.at(-1)?.position ?? end;
      continue;
    }
    if (!isLive && (from === 'end' || (await isThere()))) {
      // First send events that were committed during the check.
      if (writer.isReady && writer.committed > cursor) continue;
      isLive = true;
      await flow.send(buildCaughtUpMessage());
    }
    await waitForEvents(request, cursor);
  }
};

const serve = (request: Request, options: Options): Promise<void> => {
  if (options.hasSubscription()) {
    if (request.direction === 'backwards') {
      throw new InvalidRequest('A subscription cannot go backwards');
    }
    return options.hasStream()
      ? subscribeToStream(request, options)
      : subscribeToAll(request, options);
  }
  return options.hasStream() ? readStream(request, options) : readAll(request, options);
};

export const handleRead =
  (sources: ReadSources, calls: OpenCalls, onFault: (thrown: unknown) => void) =>
  (call: ServerWritableStream<ReadReq, ReadAnswer>): void => {
    const flow = new Flow(call);
    const strikeOff = calls.add((failure) => flow.fail(failure));
    const run = async () => {
      const options = call.request.getOptions();
      if (options === undefined) throw new InvalidRequest('Options are required');
      if (!options.hasStream() && !options.hasAll()) {
        throw new InvalidRequest('A stream or $all is required');
      }
      const direction = options.getReadDirection() === 0 ? 'forwards' : 'backwards';
      const isStructured = options.getUuidOption()?.hasStructured() === true;
      const resolvesLinks = options.getResolveLinks();
      await serve({ sources, flow, direction, isStructured, resolvesLinks }, options);
      flow.end();
    };
    run()
      .catch((thrown: unknown) => {
        const isExpected =
          thrown instanceof InvalidRequest ||
          thrown instanceof StreamDeleted ||
          thrown instanceof ReadEnded ||
          thrown instanceof LogUnavailable;
        if (!isExpected) onFault(thrown);
        flow.fail(thrownFailure(thrown));
      })
      .finally(strikeOff);
  };
