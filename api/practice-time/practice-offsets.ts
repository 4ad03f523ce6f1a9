import type { OffsetAt } from '../../domain/course/local-times.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { practiceFold } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import { createOffsetAt } from './practice-clock.ts';

/** Reads the log, so that a change applies immediately. @returns `null` without a time zone */
export const findPracticeOffsets = async (
  { log }: { readonly log: { readonly readStream: ReadStream } },
  practiceId: string,
): Promise<OffsetAt | null> => {
  const practice = stateAfter(await log.readStream(practiceStream(practiceId)), practiceFold);
  return practice.status === 'known' && practice.isTimeZoneSet
    ? createOffsetAt(practice.timeZone)
    : null;
};
