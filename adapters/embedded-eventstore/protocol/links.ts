import { NO_STREAM, TOMBSTONE } from '../store/decide.ts';
import { InvalidRequest } from '../store/errors.ts';
import type { RecordedEvent } from '../store/event.ts';
import { findVisiblePart, getStreamState } from '../store/heads.ts';
import type { Reader } from '../store/reader.ts';
import type { Writer } from '../store/writer.ts';
import { decodeStreamName } from './messages.ts';

/** Type of an event that links to another one. Its data is `REVISION@STREAM`. */
export const LINK_TYPE = '$>';

interface Target {
  readonly stream: string;
  readonly revision: bigint;
}

/** Target of a link, or `null` if its data is invalid. */
export const parseLinkTarget = ({ data }: Pick<RecordedEvent, 'data'>): Target | null => {
  const bytes = Buffer.from(data);
  const at = bytes.indexOf('@');
  const revision = bytes.subarray(0, at).toString('latin1');
  if (at < 0 || !/^\d{1,19}$/u.test(revision) || BigInt(revision) > TOMBSTONE) return null;
  try {
    return { stream: decodeStreamName(bytes.subarray(at + 1)), revision: BigInt(revision) };
  } catch (thrown) {
    if (thrown instanceof InvalidRequest) return null;
    throw thrown;
  }
};

/** Finds the event at a target, or `null` if it is missing or hidden from readers of its stream. */
export const findVisibleEvent = async (
  { reader, writer }: { readonly reader: Reader; readonly writer: Writer },
  { stream, revision }: Target,
): Promise<RecordedEvent | null> => {
  const head = await writer.heads.get(stream);
  const state = getStreamState(stream, head);
  if (state.revision === NO_STREAM || state.revision === TOMBSTONE || state.isSoftDeleted)
    return null;
  const visible = findVisiblePart(stream, head, Date.now());
  const before = revision - 1n;
  const { events } = await reader.streamForwards(stream, before, writer.committed, visible, 1);
  return events[0]?.revision === revision ? events[0] : null;
};
