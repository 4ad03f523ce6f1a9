import type { RetentionEntry } from '../../domain/event-log.ts';
import { shortenStreamName } from '../../domain/stream-names.ts';
import { type Change, type Projection, type ReadTable, replaceAll } from '../projection.ts';

/** Row of `read.stream_retention`: a stream of ours with a retention setting. */
export interface StreamRetentionRow {
  /** Its name, shortened. */
  readonly stream: string;
}

const streamRetention: ReadTable = {
  name: 'stream_retention',
  columns: { stream: 'text not null' },
  key: ['stream'],
  indexes: [],
};

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
