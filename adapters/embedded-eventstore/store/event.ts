export interface RecordedEvent {
  /** Position in the order of all events. Ascending, with gaps. */
  readonly position: bigint;
  readonly stream: string;
  readonly revision: bigint;
  /** UUID in lower case with hyphens. */
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Uint8Array;
  readonly meta: Uint8Array;
  /** 100 ns ticks since 1970. */
  readonly created: bigint;
}

/** Place of an event in its stream and in the log. */
export type StoredEvent = Pick<RecordedEvent, 'id' | 'stream' | 'revision' | 'position'>;

export type ProposedEvent = Pick<RecordedEvent, 'id' | 'type' | 'isJson' | 'data' | 'meta'>;

/** Bytes that count toward the limit of an append: data, metadata, and twice the type. */
export const countEventBytes = (event: ProposedEvent): number =>
  event.data.length + event.meta.length + 2 * event.type.length;

/** True for `$$name`, the stream with the metadata of `name`. */
export const isMetastream = (stream: string): boolean =>
  stream.startsWith('$$') && stream.length > 2;

export const getBaseStream = (stream: string): string =>
  isMetastream(stream) ? stream.slice(2) : stream;
