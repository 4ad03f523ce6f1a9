import type { OffsetAt } from '../../domain/course-of-care/entering/typed-dates.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { practiceFold } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import { offsetsIn } from '../web/practice-clock.ts';

/** Tells the offsets of a practice's time zone; null: it has set none. */
export type FindPracticeOffsets = (practiceId: string) => Promise<OffsetAt | null>;

/** Finds the time zone in the log itself, so that a change counts at once. */
export const findPracticeOffsetsWith =
  (readStream: ReadStream): FindPracticeOffsets =>
  async (practiceId) => {
    const practice = stateAfter(await readStream(practiceStream(practiceId)), practiceFold);
    return practice.status === 'known' && practice.isTimeZoneSet
      ? offsetsIn(practice.timeZone)
      : null;
  };
