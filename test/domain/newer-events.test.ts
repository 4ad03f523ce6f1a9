import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import {
  eventsOfItem,
  type RecordStream,
  stateAfterItem,
  stateSeenByItem,
  toLoadedRecord,
} from '../../domain/birth-record/replay.ts';
import { recordFold } from '../../domain/birth-record/state.ts';
import { stateAfter } from '../../domain/fold.ts';
import { amended, recorded, retracted } from '../support/birth-records.ts';
import { scenarios } from '../support/scenarios.ts';

const FIRST = { ingestionId: 'first', position: 0 };
const SECOND = { ingestionId: 'second', position: 0 };
const sealed = 'BirthSealed';

type Given = readonly (BirthRecordEvent | typeof sealed)[];

/** @param isOurs false if another program wrote what is not known */
const streamWith = (events: Given, isOurs: boolean): RecordStream =>
  events.map((event, index) => {
    const revision = BigInt(index);
    const stored = {
      id: `event-${index}`,
      stream: 'record-ines',
      revision,
      position: 10n + revision,
      metadata: {
        schemaVersion: 1,
        correlationId: 'test',
        causationId: null,
        actor: { kind: 'service', id: 'test' },
        recordedAt: '2026-05-13T11:00:00.000Z',
      },
    } as const;
    if (event === sealed && !isOurs)
      return { ...stored, event: null, foreign: { type: 'OrderPlaced', problem: 'No JSON.' } };
    return event === sealed
      ? { ...stored, event: null, written: { type: sealed, data: { submissionUuid: 'x' } } }
      : { ...stored, event };
  });

const streamOf = (events: Given): RecordStream => streamWith(events, true);

const statusOf = (stored: RecordStream) => stateAfter(stored, recordFold).status;

for (const [title, isOurs] of [
  ['events of a newer version', true],
  ['events of another program', false],
] as const)
  scenarios(title, (events: Given) => streamWith(events, isOurs), [
    {
      name: 'change no state',
      given: [recorded, sealed],
      when: (stored) => stateAfter(stored, recordFold),
      expect: stateAfter(streamOf([recorded]), recordFold),
    },
    {
      name: 'hide no event after them',
      given: [recorded, sealed, retracted(2)],
      when: statusOf,
      expect: 'voided',
    },
    {
      name: 'are no record if they are alone',
      given: [sealed],
      when: statusOf,
      expect: 'none',
    },
    {
      name: 'count for the revision of the next append',
      given: [recorded, sealed],
      when: (stored) => toLoadedRecord(stored).expectedRevision,
      expect: 1n,
    },
    {
      name: 'count for it even if nothing else is in the stream',
      given: [sealed],
      when: (stored) => toLoadedRecord(stored).expectedRevision,
      expect: 0n,
    },
    {
      name: 'make the record no older',
      given: [sealed, recorded],
      when: (stored) => toLoadedRecord(stored).firstPosition,
      expect: 11n,
    },
    {
      name: 'belong to no item of an ingestion',
      given: [sealed, recorded, sealed],
      when: (stored) => eventsOfItem(stored, FIRST),
      expect: [recorded],
    },
    {
      name: 'are seen by an item that resumes',
      given: [recorded, sealed, amended({ mark: SECOND })],
      when: (stored) => stateSeenByItem(stored, SECOND).expectedRevision,
      expect: 2n,
    },
    {
      name: 'leave the state after an item as it was',
      given: [recorded, sealed, amended({ mark: SECOND }), sealed],
      when: (stored) => stateAfterItem(stored, SECOND),
      expect: stateAfter(streamOf([recorded, amended({ mark: SECOND })]), recordFold),
    },
  ]);
