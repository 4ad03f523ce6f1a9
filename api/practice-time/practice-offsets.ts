import type { OffsetAt } from '../../domain/course/local-times.ts';
import type { CustomField } from '../../domain/custom-field/state.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { type Practice, practiceFold } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import { createOffsetAt } from './practice-clock.ts';

/** Reads the log, so that a change applies immediately. */
const loadPractice = async ({ log }: Log, practiceId: string): Promise<Practice> =>
  stateAfter(await log.readStream(practiceStream(practiceId)), practiceFold);

interface Log {
  readonly log: { readonly readStream: ReadStream };
}

const getOffsets = (practice: Practice): OffsetAt | null =>
  practice.status === 'known' && practice.isTimeZoneSet ? createOffsetAt(practice.timeZone) : null;

/** @returns `null` without a time zone */
export const findPracticeOffsets = async (ports: Log, practiceId: string) =>
  getOffsets(await loadPractice(ports, practiceId));

/** Settings of a practice that its state files depend on. */
export interface FilingSettings {
  readonly offsetAt: OffsetAt | null;
  readonly customFields: readonly CustomField[];
  readonly writesEditFlags: boolean;
}

export const findFilingSettings = async (
  ports: Log,
  practiceId: string,
): Promise<FilingSettings> => {
  const practice = await loadPractice(ports, practiceId);
  if (practice.status === 'unknown')
    return { offsetAt: null, customFields: [], writesEditFlags: false };
  const { customFields, writesEditFlags } = practice;
  return { offsetAt: getOffsets(practice), customFields, writesEditFlags };
};
