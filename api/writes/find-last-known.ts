import { isKnown, type ReadRecent, type StoredEvent } from '../../domain/event-log.ts';

const FIRST_SEARCHED = 20;

/**
 * Last event of ours in a stream, however many of another program it takes to find it.
 * @param before revision after the last event to read; the end of the stream if absent
 */
export const findLastKnown = async (
  readRecent: ReadRecent,
  stream: string,
  before?: bigint,
): Promise<StoredEvent | undefined> => {
  for (let most = FIRST_SEARCHED; ; most *= 2) {
    const events = await readRecent(stream, most, before);
    const known = events.findLast(isKnown);
    if (known !== undefined || events.length < most) return known;
  }
};
