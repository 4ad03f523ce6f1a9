import type { OffsetAt } from '../../domain/course/local-times.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { type Practice, practiceFold } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import { createOffsetAt } from './practice-clock.ts';

interface PracticeLog {
  readonly log: { readonly readStream: ReadStream };
}

/** Reads the log, so that a change applies immediately. */
export const readPractice = async ({ log }: PracticeLog, practiceId: string): Promise<Practice> =>
  stateAfter(await log.readStream(practiceStream(practiceId)), practiceFold);

/** `null` without a time zone. */
export const getPracticeOffsets = (practice: Practice): OffsetAt | null =>
  practice.status === 'known' && practice.isTimeZoneSet ? createOffsetAt(practice.timeZone) : null;

export const findPracticeOffsets = async (
  log: PracticeLog,
  practiceId: string,
): Promise<OffsetAt | null> => getPracticeOffsets(await readPractice(log, practiceId));
