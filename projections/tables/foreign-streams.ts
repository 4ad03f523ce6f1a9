import type { ForeignEvent } from '../../domain/event-log.ts';
import type { ForeignEventsAcknowledged } from '../../domain/registry/events.ts';
import { shortenStreamName } from '../../domain/stream-names.ts';
import { type Change, type Projection, type ReadTable, update, upsert } from '../projection.ts';

/** Row of `read.foreign_stream`: a stream of ours with events that are not ours. */
export interface ForeignStreamRow {
  /** Its name, shortened. */
  readonly stream: string;
  /** Of the last event that is not ours. */
  readonly revision: string;
  readonly event_type: string;
  /** Difference of that event from ours, without values. */
  readonly problem: string;
  /** Highest revision that an operator knows of. */
  readonly acknowledged: string | null;
}

const foreignStream: ReadTable = {
  name: 'foreign_stream',
  columns: {
    stream: 'text not null',
    revision: 'bigint not null',
    event_type: 'text not null',
    problem: 'text not null',
    acknowledged: 'bigint',
  },
  key: ['stream'],
  indexes: [],
};

/** Row of the stream of an event that is not ours. */
export const listForeignEvent = ({ stream, revision, foreign }: ForeignEvent): Change =>
  upsert('foreign_stream', {
    stream: shortenStreamName(stream),
    revision: revision.toString(),
    event_type: replaceNul(foreign.type),
    problem: replaceNul(foreign.problem),
    acknowledged: null,
  });

/** Postgres stores no NUL. */
const replaceNul = (text: string): string => text.replaceAll('\0', '\ufffd');

/** Streams of ours that another program wrote to. Their events are passed over. */
export const foreignStreams = {
  name: 'foreign_streams',
  version: 1,
  tables: [foreignStream],
  on: {
    ForeignEventsAcknowledged: ({ streams }) =>
      streams.map(({ stream, revision }) =>
        update('foreign_stream', { stream }, { acknowledged: revision }),
      ),
  },
} satisfies Projection<ForeignEventsAcknowledged>;
