import {
  type Decision,
  recordCourse,
  retractBirth,
} from '../../../domain/course-of-care/decide.ts';
import type { BirthRecordEvent } from '../../../domain/course-of-care/events.ts';
import { type BirthRecord, evolve, noRecord } from '../../../domain/course-of-care/state.ts';
import {
  amended,
  EARLIER,
  INES,
  LATER,
  lookAlike,
  OLDER,
  recorded,
  recordInes,
  retracted,
  retractInes,
} from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly BirthRecordEvent[]): BirthRecord => events.reduce(evolve, noRecord);

/** What matters of a decision: the events with the values that the lifecycle sets. */
const told = (decision: Decision) =>
  decision.kind === 'rejected'
    ? { rejected: decision.rejection.code, diagnostics: decision.rejection.diagnostics }
    : decision.events.map(({ type, data }) => ({
        type,
        of: data.submissionUuid,
        ...('version' in data ? { version: data.version } : {}),
        ...('stamp' in data ? { stamp: data.stamp } : {}),
        ...('duplicateOf' in data ? { duplicateOf: data.duplicateOf } : {}),
      }));

const STALE = { rejected: 'conflict', diagnostics: 'Stale update ignored' };
const YOUNGER = '00000000-0000-5000-8000-000000000003';
const STAMP = '2026-05-13T09:00:00.000000000Z';
const match = [lookAlike()];

scenarios('recording a course of care', fold, [
  {
    name: 'a new chart number: live, version 1',
    given: [],
    when: (state) => told(recordCourse(recordInes(), state)),
    expect: [{ type: 'BirthRecorded', of: INES, version: 1, stamp: STAMP }],
  },
  {
    name: 'duplicate flag if the fingerprint matches another live record, the oldest one named',
    given: [],
    when: (state) =>
      told(
        recordCourse(
          recordInes({ matches: [...match, lookAlike({ submissionUuid: YOUNGER })] }),
          state,
        ),
      ),
    expect: [
      { type: 'BirthRecorded', of: INES, version: 1, stamp: STAMP },
      { type: 'DuplicateFlagged', of: INES, duplicateOf: OLDER },
    ],
  },
  {
    name: 'the same chart number, not stale: version advanced, the same record',
    given: [recorded],
    when: (state) =>
      told(recordCourse(recordInes({ submissionUuid: 'another', stamp: LATER }), state)),
    expect: [{ type: 'BirthAmended', of: INES, version: 2, stamp: LATER }],
  },
  {
    name: 'an equal stamp is not stale',
    given: [recorded],
    when: (state) => told(recordCourse(recordInes(), state)),
    expect: [{ type: 'BirthAmended', of: INES, version: 2, stamp: STAMP }],
  },
  {
    name: 'an older stamp: live unchanged, Stale update ignored',
    given: [recorded],
    when: (state) => told(recordCourse(recordInes({ stamp: EARLIER }), state)),
    expect: STALE,
  },
  {
    name: 'a version without stamp is not stale and keeps the held one',
    given: [recorded],
    when: (state) => told(recordCourse(recordInes({ stamp: null }), state)),
    expect: [{ type: 'BirthAmended', of: INES, version: 2, stamp: STAMP }],
  },
  {
    name: 'an amendment making it a duplicate of a different record is a conflict',
    given: [recorded],
    when: (state) =>
      (({ rejected }: { rejected?: string }) => rejected)(
        told(
          recordCourse(recordInes({ fingerprints: ['ines-13-may'], matches: match }), state),
        ) as { rejected?: string },
      ),
    expect: 'conflict',
  },
  {
    name: 'an amendment whose fingerprints are unchanged is not checked again',
    given: [recorded],
    when: (state) => told(recordCourse(recordInes({ matches: match }), state)),
    expect: [{ type: 'BirthAmended', of: INES, version: 2, stamp: STAMP }],
  },
  {
    name: 'stale comes before duplicate',
    given: [recorded],
    when: (state) =>
      told(
        recordCourse(
          recordInes({ stamp: EARLIER, fingerprints: ['ines-13-may'], matches: match }),
          state,
        ),
      ),
    expect: STALE,
  },
  {
    name: 'a voided record is revived as a further version of the one record',
    given: [recorded, retracted(2)],
    when: (state) => told(recordCourse(recordInes({ stamp: LATER }), state)),
    expect: [{ type: 'BirthAmended', of: INES, version: 3, stamp: LATER }],
  },
  {
    name: 'a revival is compared with the stamp of the last recorded or amended version',
    given: [recorded, amended({ version: 2, stamp: LATER }), retracted(3)],
    when: (state) => told(recordCourse(recordInes({ stamp: STAMP }), state)),
    expect: STALE,
  },
  {
    name: 'a revival that matches another live record is live and flagged',
    given: [recorded, retracted(2)],
    when: (state) => told(recordCourse(recordInes({ stamp: LATER, matches: match }), state)),
    expect: [
      { type: 'BirthAmended', of: INES, version: 3, stamp: LATER },
      { type: 'DuplicateFlagged', of: INES, duplicateOf: OLDER },
    ],
  },
  {
    name: 'a revival that matches a record flagged for this one makes no mirrored pair',
    given: [recorded, retracted(2)],
    when: (state) =>
      told(
        recordCourse(
          recordInes({ stamp: LATER, matches: [lookAlike({ duplicateOf: INES })] }),
          state,
        ),
      ),
    expect: [{ type: 'BirthAmended', of: INES, version: 3, stamp: LATER }],
  },
  {
    name: 'such a revival is flagged for the oldest of the other records that match',
    given: [recorded, retracted(2)],
    when: (state) =>
      told(
        recordCourse(
          recordInes({
            stamp: LATER,
            matches: [
              lookAlike({ duplicateOf: INES }),
              lookAlike({ submissionUuid: YOUNGER, duplicateOf: OLDER }),
            ],
          }),
          state,
        ),
      ),
    expect: [
      { type: 'BirthAmended', of: INES, version: 3, stamp: LATER },
      { type: 'DuplicateFlagged', of: INES, duplicateOf: YOUNGER },
    ],
  },
  {
    name: 'an amendment making it a duplicate of a record that is flagged for it is a conflict still',
    given: [recorded],
    when: (state) =>
      (({ rejected }: { rejected?: string }) => rejected)(
        told(
          recordCourse(
            recordInes({
              fingerprints: ['ines-13-may'],
              matches: [lookAlike({ duplicateOf: INES })],
            }),
            state,
          ),
        ) as { rejected?: string },
      ),
    expect: 'conflict',
  },
]);

scenarios('retracting a course of care', fold, [
  {
    name: 'a live record is voided and its version advances',
    given: [recorded],
    when: (state) => told(retractBirth(retractInes(LATER), state)),
    expect: [{ type: 'BirthRetracted', of: INES, version: 2 }],
  },
  {
    name: 'a second retraction changes nothing',
    given: [recorded, retracted(2)],
    when: (state) => told(retractBirth(retractInes(LATER), state)),
    expect: [],
  },
  {
    name: 'an older stamp leaves the record live',
    given: [recorded],
    when: (state) => told(retractBirth(retractInes(EARLIER), state)),
    expect: STALE,
  },
  {
    name: 'an unknown chart number is not found',
    given: [],
    when: (state) =>
      (told(retractBirth(retractInes(null), state)) as { rejected: string }).rejected,
    expect: 'not-found',
  },
]);
