import {
  END,
  type EventStoreDBClient,
  type ReadRevision,
  type ReadStreamOptions,
  type RecordedEvent,
  type ResolvedEvent,
  START,
  StreamDeletedError,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { passOverLostRecord } from '../../domain/birth-record/replay.ts';
import type { ReadRecent, ReadStream, StreamEvent } from '../../domain/event-log.ts';
import { EventInvalid, StreamTruncated } from '../../domain/event-log-errors.ts';
import { kindOfStream } from '../../domain/stream-names.ts';
import type { PlacedLeaf } from '../../transparency-log/leaf-entry.ts';
import type { LogClient } from '../package-internals/event-store-client/create-log-client.ts';
import { readEvent } from './event-catalog.ts';
import { hasRetention, METADATA_PREFIX, toLeafEvent } from './log-entry.ts';
import { isAccessDenied } from './log-faults.ts';
import { isLossAccepted, loadRegistryState } from './registry-state.ts';

interface StreamPart {
  readonly from: bigint;
  readonly most: number;
}

/** After data loss, another event may have its stream and revision. */
export interface EventIdentity {
  readonly stream: string;
  readonly revision: bigint;
  readonly id: string;
}

/** Reads of single streams, which refuse one whose events are hidden, or lost unless an operator accepted that. */
export interface StreamReads {
  readonly readStream: ReadStream;
  readonly readRecent: ReadRecent;
  /** Byte for byte as stored. @throws EventLogUnavailable */
  readLeaves(stream: string, part?: StreamPart): Promise<readonly PlacedLeaf[]>;
}

/** A longer stream is read in parts, each within the limit of a read. */
const MAX_EVENTS_PER_READ = 1_000;

type ReadLog = <T>(work: (used: LogClient) => Promise<T>) => Promise<T>;

/** @param read limits the time of each read */
export const createStreamReads = (read: ReadLog): StreamReads => {
  const readWhole: ReadStream = (stream) => readInParts(read, stream, readEvent);

  /** Reads what is left of a record. @throws the fault, unless the loss of the rest was accepted */
  const readLeft = async <T extends { readonly revision: bigint }>(
    stream: string,
    eventOf: (resolved: ResolvedEvent) => T,
    fault: unknown,
  ): Promise<readonly T[]> => {
    if (!(fault instanceof StreamTruncated) || kindOfStream(stream) !== 'record') throw fault;
    const registry = await loadRegistryState(readWhole);
    const left = await read((used) => readRemaining(used, stream, eventOf));
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
        return (await read((used) => readEvents(used, stream, place, readEvent))).toReversed();
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
        return await read((used) => readEvents(used, stream, place, toPlacedLeaf));
      } catch (fault) {
        const left = await readLeft(stream, toPlacedLeaf, fault);
        const { from, most } = part ?? { from: 0n, most: left.length };
        return left.filter(({ revision }) => revision >= from).slice(0, most);
      }
    },
  };
};

const readInParts = async <T>(
  read: ReadLog,
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
      readEvents(used, stream, place, (resolved) => {
        last = resolved.event?.revision ?? last;
        return eventOf(resolved);
      }),
    );
    events.push(...part);
    if (part.length < MAX_EVENTS_PER_READ || last === null) return events;
    fromRevision = (last as bigint) + 1n;
  }
};

type StreamPlace = Pick<ReadStreamOptions, 'direction' | 'fromRevision' | 'maxCount'> & {
  /** True if the events right before were read: then there may be none. */
  readonly follows?: boolean;
};

const toPlacedLeaf = ({ event }: ResolvedEvent): PlacedLeaf => {
  if (event === undefined) throw new EventInvalid('A link without its event.');
  return { ...toLeafEvent(event), position: event.position?.commit ?? 0n };
};

/** @throws StreamTruncated if events of this place are hidden or lost */
export const readEvents = async <T>(
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
const readRemaining = async <T>(
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
    const settings = await findEventAt(client, `${METADATA_PREFIX}${stream}`, {
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

/** A stream that was deleted for good cannot be asked; `verify` names it. */
export const holdsEvent = async (
  client: EventStoreDBClient,
  event: EventIdentity,
): Promise<boolean> =>
  (await findPosition(client, event)) !== null || (await isDeleted(client, event.stream));

const isDeleted = async (client: EventStoreDBClient, stream: string): Promise<boolean> => {
  try {
    await readFirstAt(client, stream, { direction: 'backwards', fromRevision: END });
    return false;
  } catch (error) {
    if (!isWithoutStream(error)) throw error;
    return error instanceof StreamDeletedError;
  }
};

export const findPosition = async (
  client: EventStoreDBClient,
  { stream, revision, id }: EventIdentity,
): Promise<bigint | null> => {
  const found = await findEventAt(client, stream, { fromRevision: revision });
  if (found?.revision !== revision || found.id !== id) return null;
  return found.position?.commit ?? 0n;
};

export const findLastRevision = async (
  client: EventStoreDBClient,
  stream: string,
): Promise<bigint> => {
  const last = await findEventAt(client, stream, { direction: 'backwards', fromRevision: 'end' });
  return last?.revision ?? -1n;
};

type EventPlace = Pick<ReadStreamOptions, 'direction' | 'fromRevision'>;

/** First event of a stream read, or `null` if there is none or no such stream. */
export const findEventAt = async (
  client: EventStoreDBClient,
  stream: string,
  place: EventPlace,
): Promise<RecordedEvent | null> => {
  try {
    return await readFirstAt(client, stream, place);
  } catch (error) {
    if (!isWithoutStream(error)) throw error;
    return null;
  }
};

const readFirstAt = async (
  client: EventStoreDBClient,
  stream: string,
  place: EventPlace,
): Promise<RecordedEvent | null> => {
  let found: RecordedEvent | null = null;
  const one = { ...place, maxCount: 1, requiresLeader: true };
  for await (const { event } of client.readStream(stream, one)) found = event ?? null;
  return found;
};

const isWithoutStream = (error: unknown): boolean =>
  error instanceof StreamNotFoundError || error instanceof StreamDeletedError;
