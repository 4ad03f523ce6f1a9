import { isKnown, type ReadRecent, type StoredEvent } from '../../domain/event-log.ts';

const FIRST_SEARCHED = 20;

/**
 * Skips any number of events of another program.
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
