import type { RecordedEvent } from '@eventstore/db-client';
import type { AuditEntry, LogEntry } from '../../domain/event-log.ts';
import { isOwnStream } from '../../domain/stream-names.ts';
import { readEvent } from './event-catalog.ts';

/** An event of one of our streams as an entry; one that cannot be read says what is wrong. */
export const entryOf = (event: RecordedEvent): LogEntry => {
  try {
    return { kind: 'event', stored: readEvent({ event }) };
  } catch (error) {
    const { streamId: stream, revision, type, position } = event;
    const problem = error instanceof Error ? error.message : 'unreadable';
    return {
      kind: 'unreadable',
      stream,
      revision,
      type,
      problem,
      position: position?.commit ?? 0n,
    };
  }
};

const METADATA_PREFIX = '$$';
const RETENTION = ['$maxAge', '$maxCount', '$tb'];

/** What an event of the log means to an audit; null for what is none of ours. */
export const auditEntryOf = (event: RecordedEvent): AuditEntry | null => {
  if (isOwnStream(event.streamId)) return entryOf(event);
  const stream = event.streamId.slice(METADATA_PREFIX.length);
  if (!event.streamId.startsWith(METADATA_PREFIX) || !isOwnStream(stream)) return null;
  const data: unknown = event.data;
  const hasRetention =
    typeof data === 'object' &&
    data !== null &&
    RETENTION.some((name) => (data as Record<string, unknown>)[name] !== undefined);
  return hasRetention ? { kind: 'retention', stream } : null;
};
