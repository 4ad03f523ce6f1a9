import type { RecordedEvent } from '@eventstore/db-client';
import { isForeign, type LogEntry } from '../../domain/event-log.ts';
import { isObject } from '../../domain/fhir/json.ts';
import { isOwnStream, STREAM_PREFIXES } from '../../domain/stream-names.ts';
import { formatLeafEntry, hashLeaf, type LeafEvent } from '../../transparency-log/leaf-entry.ts';
import { StoredContent } from '../package-internals/event-store-client/read-wire.ts';
import { decodeJson, readEvent } from './event-catalog.ts';

export const toLeafEvent = (event: RecordedEvent): LeafEvent => {
  const { streamId: stream, revision, id, type } = event;
  const content: unknown = event.data;
  if (!(content instanceof StoredContent))
    throw new Error('An event of ours is a link to another, which this service never writes.');
  return { stream, revision, id, type, data: content.data, metadata: content.metadata };
};

/** Unreadable events become entries that describe the problem. */
const toEventEntry = (event: RecordedEvent): LogEntry => {
  const leaf = hashLeaf(formatLeafEntry(toLeafEvent(event)));
  try {
    const stored = readEvent({ event });
    if (isForeign(stored)) return { kind: 'foreign', stored, leaf };
    return stored.event === null
      ? { kind: 'unknown', stored, leaf }
      : { kind: 'event', stored, leaf };
  } catch (error) {
    const { id, streamId: stream, revision, type, position } = event;
    const problem = error instanceof Error ? error.message : 'unreadable';
    return {
      kind: 'unreadable',
      id,
      stream,
      revision,
      type,
      problem,
      position: position?.commit ?? 0n,
      leaf,
    };
  }
};

/** Begins the name of the stream with the settings of another. */
export const METADATA_PREFIX = '$$';
const RETENTION = ['$maxAge', '$maxCount', '$tb'];

/** Prefixes of the streams with settings of ours. */
export const SETTINGS_PREFIXES: readonly string[] = STREAM_PREFIXES.map(
  (prefix) => `${METADATA_PREFIX}${prefix}`,
);

/** Converts an event of the log to an entry, or `null` if it is not of our streams. */
export const toLogEntry = (event: RecordedEvent): LogEntry | null => {
  if (isOwnStream(event.streamId)) return toEventEntry(event);
  const stream = event.streamId.slice(METADATA_PREFIX.length);
  if (!event.streamId.startsWith(METADATA_PREFIX) || !isOwnStream(stream)) return null;
  const position = event.position?.commit ?? 0n;
  return { kind: 'retention', stream, position, isSet: hasRetention(event) };
};

/** True if an event with the settings of a stream sets how long or how many events are kept. */
export const hasRetention = (event: RecordedEvent): boolean => {
  try {
    const settings = decodeJson(event);
    return isObject(settings) && RETENTION.some((name) => settings[name] !== undefined);
  } catch {
    return false;
  }
};
