import { recordCourse } from '../../../../domain/birth-record/decide.ts';
import {
  dismissDuplicate,
  restoreDuplicateFlag,
} from '../../../../domain/birth-record/duplicate-decisions.ts';
import type { BirthRecordEvent } from '../../../../domain/birth-record/events.ts';
import { type BirthRecord, evolve, noRecord } from '../../../../domain/birth-record/state.ts';
import {
  amended,
  INES,
  LATER,
  lookAlike,
  OLDER,
  recorded,
  recordInes,
  retracted,
} from '../../../support/birth-records.ts';
import { scenarios } from '../../../support/scenarios.ts';

const fold = (events: readonly BirthRecordEvent[]): BirthRecord => events.reduce(evolve, noRecord);

const ANOTHER = '00000000-0000-5000-8000-000000000003';
const pair = { submissionUuid: INES, practiceId: 'practice', duplicateOf: OLDER, mark: null };
const flagged: BirthRecordEvent = { type: 'DuplicateFlagged', data: pair };
const dismissed: BirthRecordEvent = { type: 'DuplicateDismissed', data: pair };
const restored: BirthRecordEvent = { type: 'DuplicateFlagRestored', data: pair };
const ofAnother: BirthRecordEvent = {
  type: 'DuplicateFlagged',
  data: { ...pair, duplicateOf: ANOTHER },
};
/** The other record of the pair, with the same fingerprint. */
const other = fold([
  { type: 'BirthRecorded', data: { ...recorded.data, submissionUuid: OLDER } } as BirthRecordEvent,
]);
const unlike = fold([
  {
    type: 'BirthRecorded',
    data: { ...recorded.data, submissionUuid: OLDER, fingerprints: ['ines-13-may'] },
  } as BirthRecordEvent,
]);
const command = { duplicateOf: OLDER, other, mark: null };
const dismissedBesideFlag: BirthRecordEvent = {
  type: 'DuplicateDismissed',
  data: { ...pair, standingFlag: ANOTHER },
};
const match = lookAlike();
const toldApart = lookAlike({ dismissedMatches: [INES] });

/** What matters of a decision. */
const told = (decision: {
  kind: string;
  events?: readonly BirthRecordEvent[];
  code?: string;
}): unknown => decision.code ?? decision.events?.map(({ type }) => type) ?? decision.kind;

const flags = (state: BirthRecord) =>
  state.status === 'none' ? null : [state.duplicateOf, state.dismissedMatches];

scenarios('dismissing a suspected duplicate', fold, [
  {
    name: 'the pair are different births',
    given: [recorded, flagged],
    when: (state) => dismissDuplicate(command, state),
    expect: { kind: 'accepted', events: [dismissed] },
  },
  {
    name: 'the flag is gone, and what it named is kept',
    given: [recorded, flagged, dismissed],
    when: flags,
    expect: [null, [OLDER]],
  },
  {
    name: 'again changes nothing',
    given: [recorded, flagged, dismissed],
    when: (state) => told(dismissDuplicate(command, state)),
    expect: [],
  },
  {
    name: 'a pair without a flag of its own',
    given: [recorded],
    when: (state) => dismissDuplicate(command, state),
    expect: { kind: 'accepted', events: [dismissed] },
  },
  {
    name: 'a pair that the flag does not name: the flag stands',
    given: [recorded, ofAnother],
    when: (state) => dismissDuplicate(command, state),
    expect: { kind: 'accepted', events: [dismissedBesideFlag] },
  },
  {
    name: 'and every pair is remembered',
    given: [
      recorded,
      ofAnother,
      dismissedBesideFlag,
      { type: 'DuplicateDismissed', data: ofAnother.data },
    ],
    when: flags,
    expect: [null, [OLDER, ANOTHER]],
  },
  {
    name: 'a pair of which only the flag tells',
    given: [recorded, flagged],
    when: (state) => told(dismissDuplicate({ ...command, other: unlike }, state)),
    expect: ['DuplicateDismissed'],
  },
  {
    name: 'a pair that was told apart on the other record changes nothing',
    given: [recorded],
    when: (state) =>
      told(
        dismissDuplicate(
          { ...command, other: { ...other, dismissedMatches: [INES] } as BirthRecord },
          state,
        ),
      ),
    expect: [],
  },
  {
    name: 'records that do not look alike are refused',
    given: [recorded],
    when: (state) => told(dismissDuplicate({ ...command, other: unlike }, state)),
    expect: 'not-a-match',
  },
  {
    name: 'so is one whose other record is voided',
    given: [recorded, flagged],
    when: (state) =>
      told(
        dismissDuplicate(
          { ...command, other: { ...other, status: 'voided' } as BirthRecord },
          state,
        ),
      ),
    expect: 'not-a-match',
  },
  {
    name: 'a voided record is refused',
    given: [recorded, flagged, retracted(2)],
    when: (state) => told(dismissDuplicate(command, state)),
    expect: 'voided-record-is-not-compared',
  },
  {
    name: 'no record is refused',
    given: [],
    when: (state) => told(dismissDuplicate(command, state)),
    expect: 'no-record',
  },
  {
    name: "an amendment keeps staff's decision",
    given: [recorded, flagged, dismissed, amended({ version: 2 })],
    when: flags,
    expect: [null, [OLDER]],
  },
  {
    name: 'an amendment with other fingerprints that match only the dismissed record is no conflict',
    given: [recorded, flagged, dismissed],
    when: (state) =>
      told(
        recordCourse(
          recordInes({ stamp: LATER, fingerprints: ['ines-13-may'], matches: [match] }),
          state,
        ),
      ),
    expect: ['BirthAmended'],
  },
  {
    name: 'a revival is not flagged for the dismissed record, only for another',
    given: [recorded, flagged, dismissed, retracted(2)],
    when: (state) => [
      told(recordCourse(recordInes({ stamp: LATER, matches: [match] }), state)),
      told(
        recordCourse(
          recordInes({ stamp: LATER, matches: [match, lookAlike({ submissionUuid: ANOTHER })] }),
          state,
        ),
      ),
    ],
    expect: [['BirthAmended'], ['BirthAmended', 'DuplicateFlagged']],
  },
  {
    name: 'the older record of the pair may be amended back to the fingerprint that both share',
    given: [recorded, amended({ version: 2, fingerprints: ['ines-13-may'] })],
    when: (state) => told(recordCourse(recordInes({ stamp: LATER, matches: [toldApart] }), state)),
    expect: ['BirthAmended'],
  },
  {
    name: 'nor is the older record flagged when it is revived, except for another',
    given: [recorded, retracted(2)],
    when: (state) => [
      told(recordCourse(recordInes({ stamp: LATER, matches: [toldApart] }), state)),
      told(
        recordCourse(
          recordInes({
            stamp: LATER,
            matches: [toldApart, lookAlike({ submissionUuid: ANOTHER })],
          }),
          state,
        ),
      ),
    ],
    expect: [['BirthAmended'], ['BirthAmended', 'DuplicateFlagged']],
  },
  {
    name: 'a record that was told apart from a third one still stands in the way',
    given: [recorded],
    when: (state) =>
      told(
        recordCourse(
          recordInes({
            stamp: LATER,
            fingerprints: ['ines-13-may'],
            matches: [lookAlike({ dismissedMatches: [ANOTHER], shared: ['ines-13-may'] })],
          }),
          state,
        ),
      ),
    expect: 'rejected',
  },
]);

scenarios('restoring a dismissed flag', fold, [
  {
    name: 'the dismissal is undone',
    given: [recorded, flagged, dismissed],
    when: (state) => restoreDuplicateFlag(command, state),
    expect: { kind: 'accepted', events: [restored] },
  },
  {
    name: 'the record is flagged as before',
    given: [recorded, flagged, dismissed, restored],
    when: flags,
    expect: [OLDER, []],
  },
  {
    name: 'again changes nothing',
    given: [recorded, flagged, dismissed, restored],
    when: (state) => told(restoreDuplicateFlag(command, state)),
    expect: [],
  },
  {
    name: 'records that were never told apart, and do not look alike, are refused',
    given: [recorded],
    when: (state) => told(restoreDuplicateFlag({ ...command, other: unlike }, state)),
    expect: 'pair-not-dismissed',
  },
  {
    name: 'beside the flag for another record, which stands',
    given: [recorded, flagged, dismissed, ofAnother],
    when: (state) => restoreDuplicateFlag(command, state),
    expect: {
      kind: 'accepted',
      events: [{ type: 'DuplicateFlagRestored', data: { ...pair, standingFlag: ANOTHER } }],
    },
  },
  {
    name: 'a voided record is refused',
    given: [recorded, flagged, dismissed, retracted(2)],
    when: (state) => told(restoreDuplicateFlag(command, state)),
    expect: 'voided-record-is-not-compared',
  },
]);
