import type { ForeignEvent } from '../../domain/event-log.ts';
import type { RegistryStreamEvent } from '../../domain/registry/events.ts';
import { shortenStreamName } from '../../domain/stream-names.ts';
import {
  type Change,
  column,
  defineTable,
  type Projection,
  update,
  upsert,
} from '../projection.ts';

const foreignStream = defineTable({
  name: 'foreign_stream',
  columns: {
    /** Its name, shortened. */
    stream: column.text(),
    revision: column.bigint(),
    event_type: column.text(),
    /** Difference of that event from ours, without values. */
    problem: column.text(),
    /** Highest revision that an operator knows of. */
    acknowledged: column.bigintOrNull(),
  },
  key: ['stream'],
  indexes: [],
});

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
} satisfies Projection<RegistryStreamEvent<'ForeignEventsAcknowledged'>>;
