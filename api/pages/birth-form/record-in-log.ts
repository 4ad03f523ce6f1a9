import {
  type BirthRecord,
  evolve,
  type KnownBirthRecord,
  noRecord,
} from '../../../domain/birth-record/state.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { App } from '../../ports/app-ports.ts';
import { RECENT_EVENTS, readRecordPart } from '../../record-commands/record-part.ts';
import { loadRecent } from '../../record-commands/record-under-lease.ts';

/** Current state of a record; `null` if the practice has no such record. */
export const findRecord = async (
  app: App,
  practiceId: string,
  submissionUuid: string,
): Promise<KnownBirthRecord | null> => {
  const stream = await app.reads.findRecordStream(practiceId, submissionUuid);
  if (stream === null) return null;
  const { state } = await loadRecent(app, stream);
  return state.status === 'none' ? null : state;
};

/** `null` if the record never had that version, or if too many others followed. */
export const findVersion = async (
  app: App,
  practiceId: string,
  submissionUuid: string,
  version: number,
): Promise<CourseOfCare | null> => {
  const stream = await app.reads.findRecordStream(practiceId, submissionUuid);
  if (stream === null) return null;
  const { stored } = await readRecordPart(app.log.readRecent, stream, RECENT_EVENTS);
  let state: BirthRecord = noRecord;
  let found: CourseOfCare | null = null;
  for (const { event } of stored) {
    state = evolve(state, event);
    if (state.status !== 'none' && state.version === version) found = state.course;
  }
  return found;
};
