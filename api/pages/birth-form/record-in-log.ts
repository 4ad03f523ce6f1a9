import type { BirthRecordEvent } from '../../../domain/course-of-care/events.ts';
import type { FindRecordStream } from '../../../domain/course-of-care/ports.ts';
import { type BirthRecord, evolve, noRecord } from '../../../domain/course-of-care/state.ts';
import type { ReadStream } from '../../../domain/event-log.ts';
import type { BirthFormParts } from './birth-form-parts.ts';

/** What reading a record from the log works with. */
export interface RecordInLogParts {
  readonly findRecordStream: FindRecordStream;
  readonly readStream: ReadStream;
}

/** Every state that a record was in, oldest first. */
const statesOf = async (
  { findRecordStream, readStream }: RecordInLogParts,
  practiceId: string,
  submissionUuid: string,
): Promise<readonly BirthRecord[]> => {
  const stream = await findRecordStream(practiceId, submissionUuid);
  if (stream === null) return [];
  const states: BirthRecord[] = [];
  for (const { event } of await readStream(stream))
    states.push(evolve(states.at(-1) ?? noRecord, event as BirthRecordEvent));
  return states;
};

/** A record as the log holds it now. */
export const findRecordWith =
  (parts: RecordInLogParts): BirthFormParts['findRecord'] =>
  async (practiceId, submissionUuid) => {
    const state = (await statesOf(parts, practiceId, submissionUuid)).at(-1);
    return state === undefined || state.status === 'none' ? null : state;
  };

/** What a record said at a version. */
export const findVersionWith =
  (parts: RecordInLogParts): BirthFormParts['findVersion'] =>
  async (practiceId, submissionUuid, version) => {
    const states = await statesOf(parts, practiceId, submissionUuid);
    const state = states.findLast((one) => one.status !== 'none' && one.version === version);
    return state === undefined || state.status === 'none' ? null : state.course;
  };
