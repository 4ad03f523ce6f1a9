import type { BirthRecordEvent } from '../../../../domain/birth-record/events.ts';
import {
  type BirthRecord,
  evolve,
  type KnownBirthRecord,
  noRecord,
} from '../../../../domain/birth-record/state.ts';
import type { CourseOfCare } from '../../../../domain/course/course.ts';
import { isKnown } from '../../../../domain/event-log.ts';
import type { App } from '../../../ports/app-ports.ts';

/** States of a record, oldest first. */
const replayStates = async (
  { log, reads }: App,
  practiceId: string,
  submissionUuid: string,
): Promise<readonly BirthRecord[]> => {
  const stream = await reads.findRecordStream(practiceId, submissionUuid);
  if (stream === null) return [];
  const states: BirthRecord[] = [];
  for (const { event } of (await log.readStream(stream)).filter(isKnown))
    states.push(evolve(states.at(-1) ?? noRecord, event as BirthRecordEvent));
  return states;
};

/** Current state of a record in the event log; `null` if the practice has no such record. */
export const findRecord = async (
  registry: App,
  practiceId: string,
  submissionUuid: string,
): Promise<KnownBirthRecord | null> => {
  const state = (await replayStates(registry, practiceId, submissionUuid)).at(-1);
  return state === undefined || state.status === 'none' ? null : state;
};

/** Content of a record at a version; `null` if it never had that version. */
export const findVersion = async (
  registry: App,
  practiceId: string,
  submissionUuid: string,
  version: number,
): Promise<CourseOfCare | null> => {
  const states = await replayStates(registry, practiceId, submissionUuid);
  const state = states.findLast((one) => one.status !== 'none' && one.version === version);
  return state === undefined || state.status === 'none' ? null : state.course;
};
