import type { RetentionEntry } from '../../domain/event-log.ts';
import { shortenStreamName } from '../../domain/stream-names.ts';
import { type Change, column, defineTable, type Projection, replaceAll } from '../projection.ts';

const streamRetention = defineTable({
  name: 'stream_retention',
  columns: {
    /** Its name, shortened. */
    stream: column.text(),
  },
  key: ['stream'],
  indexes: [],
});

export const listRetention = ({ stream, isSet }: RetentionEntry): Change => {
  const row = { stream: shortenStreamName(stream) };
  return replaceAll('stream_retention', row, isSet ? [row] : []);
};

/** Settings are no events of ours, so no handler lists them. */
export const streamRetentions = {
  name: 'stream_retentions',
  version: 1,
  tables: [streamRetention],
  on: {},
} satisfies Pick<Projection, 'name' | 'version' | 'tables'> & { on: object };
