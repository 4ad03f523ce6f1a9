import {
  type RecordDecision,
  recordCourse,
  retractBirth,
} from '../../../domain/birth-record/decide.ts';
import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import { type BirthRecord, evolve, noRecord } from '../../../domain/birth-record/state.ts';
import { type CourseOfCare, emptyChild } from '../../../domain/course/course.ts';
import { maskForPartner } from '../../../domain/course/mask.ts';
import { DUPLICATE_AMENDMENT } from '../../../domain/course/rejections.ts';
import {
  amended,
  courseOfInes,
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
const told = (decision: RecordDecision) =>
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
          recordCourse(
            recordInes({
              fingerprints: ['ines-13-may'],
              matches: [lookAlike({ shared: ['ines-13-may'] })],
            }),
            state,
          ),
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
              matches: [lookAlike({ duplicateOf: INES, shared: ['ines-13-may'] })],
            }),
            state,
          ),
        ) as { rejected?: string },
      ),
    expect: 'conflict',
  },
  {
    name: 'an amendment that adds a twin is none of a record that looked like it before',
    given: [recorded],
    when: (state) =>
      ['ines-12-may', 'ines-13-may'].map((other) =>
        told(
          recordCourse(
            recordInes({
              fingerprints: ['ines-12-may', 'ines-13-may'],
              matches: [lookAlike({ shared: ['ines-12-may', other] })],
            }),
            state,
          ),
        ),
      ),
    expect: [
      [{ type: 'BirthAmended', of: INES, version: 2, stamp: STAMP }],
      [{ type: 'BirthAmended', of: INES, version: 2, stamp: STAMP }],
    ],
  },
]);

/** Her birth as a native key tells it: with her name. */
const identified: CourseOfCare = {
  ...courseOfInes,
  mother: { ...courseOfInes.mother, family_name: 'Amaral' },
};
/** The same without what a partner may not send; of the date the year. */
const masked = maskForPartner(identified);

const fingerprintsOf = (decision: RecordDecision) =>
  decision.kind === 'accepted'
    ? decision.events.map(({ data }) => ('fingerprints' in data ? data.fingerprints : null))
    : 'rejected';

const fromPartner = (fingerprints: readonly string[], course = masked) =>
  recordInes({ keyKind: 'partner', stamp: LATER, course, fingerprints });

scenarios('fingerprints after an amendment by a partner', fold, [
  {
    name: 'stay with the name and the date that stay, whatever it tells of both',
    given: [amended({ course: identified })],
    when: (state) =>
      [[], ['ines-13-may']].map((told) => fingerprintsOf(recordCourse(fromPartner(told), state))),
    expect: [[['ines-12-may']], [['ines-12-may']]],
  },
  {
    name: 'which makes it no duplicate of a record of the other date',
    given: [amended({ course: identified })],
    when: (state) =>
      told(
        recordCourse(
          {
            ...fromPartner(['ines-13-may']),
            matches: [lookAlike({ shared: ['ines-13-may'] })],
          },
          state,
        ),
      ),
    expect: [{ type: 'BirthAmended', of: INES, version: 3, stamp: LATER }],
  },
  {
    name: 'are its own where the record holds no name',
    given: [amended({ course: masked, keyKind: 'partner' })],
    when: (state) => fingerprintsOf(recordCourse(fromPartner(['ines-13-may']), state)),
    expect: [['ines-13-may']],
  },
  {
    name: 'are its own where it moves the birth to another year',
    given: [amended({ course: identified })],
    when: (state) => {
      const [child = emptyChild()] = masked.children;
      const course = { ...masked, children: [{ ...child, birth_date: '2025' }] };
      return fingerprintsOf(recordCourse(fromPartner(['ines-2025'], course), state));
    },
    expect: [['ines-2025']],
  },
  {
    name: 'stay where it tells too little for any',
    given: [amended({ course: masked, keyKind: 'partner' })],
    when: (state) => fingerprintsOf(recordCourse(fromPartner([]), state)),
    expect: [['ines-12-may']],
  },
]);

/** Her de-identified record, as a person corrects it: the form knows neither name nor date. */
const byPerson = (course: CourseOfCare, fingerprints: readonly string[] = []) =>
  recordInes({ keyKind: null, source: 'manual', stamp: LATER, course, fingerprints });
const ofPartner = amended({ course: masked, keyKind: 'partner' });

scenarios('fingerprints after a correction by a person', fold, [
  {
    name: 'of a de-identified record stay, whatever else is corrected',
    given: [ofPartner],
    when: (state) =>
      fingerprintsOf(recordCourse(byPerson({ ...masked, place_of_birth: 'Home' }), state)),
    expect: [['ines-12-may']],
  },
  {
    name: 'and go where the birth is moved to another year',
    given: [ofPartner],
    when: (state) => {
      const [child = emptyChild()] = masked.children;
      const course = { ...masked, children: [{ ...child, birth_date: '2025' }] };
      return fingerprintsOf(recordCourse(byPerson(course), state));
    },
    expect: [[]],
  },
  {
    name: 'and are its own where the person knows name and date',
    given: [ofPartner],
    when: (state) => fingerprintsOf(recordCourse(byPerson(identified, ['ines-13-may']), state)),
    expect: [['ines-13-may']],
  },
  {
    name: 'of a record with a name go with the name',
    given: [amended({ course: identified })],
    when: (state) => fingerprintsOf(recordCourse(byPerson(courseOfInes), state)),
    expect: [[]],
  },
  {
    name: 'count when the record is brought back',
    given: [ofPartner, retracted(3)],
    when: (state) => told(recordCourse({ ...byPerson(masked), matches: match }, state)),
    expect: [
      { type: 'BirthAmended', of: INES, version: 4, stamp: LATER },
      { type: 'DuplicateFlagged', of: INES, duplicateOf: OLDER },
    ],
  },
]);

const byLaterRule = lookAlike({ shared: ['2:ines-minute'] });

scenarios('a fingerprint of a later rule, or of another time zone', fold, [
  {
    name: 'flags an amendment that says what the record said before',
    given: [recorded],
    when: (state) =>
      told(
        recordCourse(
          recordInes({
            stamp: LATER,
            fingerprints: ['ines-12-may', '2:ines-minute'],
            matches: [byLaterRule],
          }),
          state,
        ),
      ),
    expect: [
      { type: 'BirthAmended', of: INES, version: 2, stamp: LATER },
      { type: 'DuplicateFlagged', of: INES, duplicateOf: OLDER },
    ],
  },
  {
    name: 'leaves a flag that the record has',
    given: [
      recorded,
      {
        type: 'DuplicateFlagged',
        data: { submissionUuid: INES, practiceId: 'practice', duplicateOf: YOUNGER, mark: null },
      },
    ],
    when: (state) =>
      told(
        recordCourse(
          recordInes({
            stamp: LATER,
            fingerprints: ['ines-12-may', '2:ines-minute'],
            matches: [byLaterRule],
          }),
          state,
        ),
      ),
    expect: [{ type: 'BirthAmended', of: INES, version: 2, stamp: LATER }],
  },
  {
    name: 'refuses an amendment that says something else',
    given: [recorded],
    when: (state) =>
      told(
        recordCourse(
          recordInes({
            stamp: LATER,
            fingerprints: ['ines-13-may', '2:ines-minute'],
            matches: [byLaterRule],
          }),
          state,
        ),
      ),
    expect: {
      rejected: 'conflict',
      diagnostics: DUPLICATE_AMENDMENT.diagnostics,
    },
  },
]);

const FAR = '9999-12-31T23:59:59.000000000Z';
const RECEIVED_STAMP = '2026-05-13T11:00:00.000000000Z';

const versionOf = (decision: RecordDecision) =>
  decision.kind === 'accepted'
    ? decision.events.flatMap(({ data }) =>
        'course' in data ? [[data.stamp, data.course.stamp, data.course.warnings]] : [],
      )
    : decision.rejection.diagnostics;

scenarios('a stamp from the future', fold, [
  {
    name: 'counts as the time of receipt, and the record tells so',
    given: [],
    when: (state) => versionOf(recordCourse(recordInes({ stamp: FAR }), state)),
    expect: [
      [
        RECEIVED_STAMP,
        RECEIVED_STAMP,
        [
          {
            field: 'stamp',
            child: null,
            raw: FAR,
            id: 'stamp-ahead',
            reason: 'The time is more than 24 hours ahead of its receipt',
          },
        ],
      ],
    ],
  },
  {
    name: 'is not kept of a partner’s version',
    given: [],
    when: (state) => {
      const decision = recordCourse(recordInes({ stamp: FAR, keyKind: 'partner' }), state);
      return JSON.stringify(decision).includes('9999');
    },
    expect: false,
  },
  {
    name: 'of up to 24 hours is a clock that runs ahead',
    given: [],
    when: (state) =>
      versionOf(recordCourse(recordInes({ stamp: '2026-05-14T11:00:00.000000000Z' }), state)),
    expect: [['2026-05-14T11:00:00.000000000Z', courseOfInes.stamp, []]],
  },
  {
    name: 'does not keep the next ordinary update out',
    given: [recorded],
    when: (state) => {
      const first = recordCourse(recordInes({ stamp: FAR }), state);
      const events = first.kind === 'accepted' ? first.events : [];
      const next = recordInes({
        stamp: '2026-05-13T12:00:00.000000000Z',
        receivedAt: '2026-05-13T12:00:01Z',
      });
      return recordCourse(next, events.reduce(evolve, state)).kind;
    },
    expect: 'accepted',
  },
  {
    name: 'retracts no record that is newer than its receipt',
    given: [amended({ stamp: '2026-05-13T11:30:00.000000000Z' })],
    when: (state) => told(retractBirth(retractInes(FAR), state)),
    expect: STALE,
  },
]);

/** Her birth under the second version of the key; the first is the older one. */
const NEW_KEY = {
  fingerprints: ['1.k2:ines-12-may', '2.k2:ines-12-may'],
  olderFingerprints: ['ines-12-may', '2:ines-12-may'],
};
const recordedAs = (decision: RecordDecision) =>
  decision.kind === 'rejected'
    ? decision.rejection.code
    : decision.events.map((event) =>
        'fingerprints' in event.data ? event.data.fingerprints : event.type,
      );

scenarios('a fingerprint under a later key', fold, [
  {
    name: 'is all that a new record holds if the practice has none under the older key',
    given: [],
    when: (state) =>
      recordedAs(recordCourse(recordInes({ ...NEW_KEY, existingFingerprints: [] }), state)),
    expect: [NEW_KEY.fingerprints],
  },
  {
    name: 'goes with the older one that a record of the practice holds, and the two are flagged',
    given: [],
    when: (state) =>
      recordedAs(
        recordCourse(
          recordInes({ ...NEW_KEY, existingFingerprints: ['ines-12-may'], matches: match }),
          state,
        ),
      ),
    expect: [[...NEW_KEY.fingerprints, 'ines-12-may'], 'DuplicateFlagged'],
  },
  {
    name: 'is not checked again when the birth is the same: the look-alike shares the older one',
    given: [recorded],
    when: (state) =>
      recordedAs(
        recordCourse(
          recordInes({ ...NEW_KEY, existingFingerprints: ['ines-12-may'], matches: match }),
          state,
        ),
      ),
    expect: [[...NEW_KEY.fingerprints, 'ines-12-may']],
  },
  {
    name: 'makes the same birth no conflict with what a later rule finds',
    given: [recorded],
    when: (state) =>
      recordedAs(
        recordCourse(
          recordInes({
            ...NEW_KEY,
            existingFingerprints: ['ines-12-may', '2:ines-12-may'],
            matches: [lookAlike({ shared: ['2.k2:ines-12-may', '2:ines-12-may'] })],
          }),
          state,
        ),
      ),
    expect: [[...NEW_KEY.fingerprints, 'ines-12-may', '2:ines-12-may'], 'DuplicateFlagged'],
  },
  {
    name: 'makes another birth a conflict with a record that holds it alone',
    given: [recorded],
    when: (state) =>
      recordedAs(
        recordCourse(
          recordInes({
            fingerprints: ['1.k2:ines-13-may'],
            olderFingerprints: ['ines-13-may'],
            existingFingerprints: [],
            matches: [lookAlike({ shared: ['1.k2:ines-13-may'] })],
          }),
          state,
        ),
      ),
    expect: 'conflict',
  },
  {
    name: 'makes another birth a conflict with a record of before',
    given: [amended({ fingerprints: ['1.k2:ines-12-may', 'ines-12-may'] })],
    when: (state) =>
      recordedAs(
        recordCourse(
          recordInes({
            fingerprints: ['1.k2:ines-13-may'],
            olderFingerprints: ['ines-13-may'],
            existingFingerprints: ['ines-13-may'],
            matches: [lookAlike({ shared: ['ines-13-may'] })],
          }),
          state,
        ),
      ),
    expect: 'conflict',
  },
  {
    name: 'is compared under the older key with a course that knows no other',
    given: [amended({ fingerprints: ['ines-12-may', '1.k2:ines-12-may'] })],
    when: (state) =>
      recordedAs(
        recordCourse(
          recordInes({
            fingerprints: ['ines-12-may', '2:ines-12-may'],
            matches: [lookAlike({ shared: ['2:ines-12-may'] })],
          }),
          state,
        ),
      ),
    expect: [['ines-12-may', '2:ines-12-may'], 'DuplicateFlagged'],
  },
]);

scenarios('the declared version of the implementation guide', fold, [
  {
    name: 'stays when a person corrects the record',
    given: [amended({ course: { ...courseOfInes, ig_version: '2.0.0' } })],
    when: (state) => recordCourse(byPerson({ ...courseOfInes, place_of_birth: 'Home' }), state),
    expect: {
      kind: 'accepted',
      events: [
        amended({
          version: 3,
          stamp: LATER,
          source: 'manual',
          keyKind: null,
          mark: { ingestionId: 'first', position: 0 },
          course: { ...courseOfInes, place_of_birth: 'Home', ig_version: '2.0.0' },
        }),
      ],
    },
  },
  {
    name: 'is the one that an EHR declares last, or none',
    given: [amended({ course: { ...courseOfInes, ig_version: '2.0.0' } })],
    when: (state) => {
      const decision = recordCourse(recordInes({ stamp: LATER }), state);
      return JSON.stringify(decision).includes('2.0.0');
    },
    expect: false,
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

/** The warnings of the version that a decision records. */
const warned = (decision: RecordDecision) =>
  decision.kind === 'rejected'
    ? []
    : decision.events.flatMap(({ data }) =>
        'course' in data
          ? data.course.warnings.map(({ field, child, raw, id }) => [field, child, raw, id])
          : [],
      );

const bornOn = (birth_date: string): CourseOfCare => ({
  ...courseOfInes,
  children: [{ ...emptyChild(), birth_date }],
});

scenarios('births that are still to come', fold, [
  {
    name: 'are recorded with a warning',
    given: [],
    when: (state) => warned(recordCourse(recordInes({ course: bornOn('2027-05-12') }), state)),
    expect: [['children.birth_date', 0, '2027-05-12', 'born-in-future']],
  },
  {
    name: 'of a partner without the date',
    given: [],
    when: (state) =>
      warned(
        recordCourse(
          recordInes({ keyKind: 'partner', course: maskForPartner(bornOn('2027-05-12')) }),
          state,
        ),
      ),
    expect: [['children.birth_date', 0, null, 'born-in-future']],
  },
  {
    name: 'a mother as well',
    given: [],
    when: (state) => {
      const course = {
        ...courseOfInes,
        mother: { ...courseOfInes.mother, birth_date: '2050-01-01' },
      };
      return warned(recordCourse(recordInes({ course }), state));
    },
    expect: [['mother.birth_date', null, '2050-01-01', 'born-in-future']],
  },
  {
    name: 'tomorrow is today somewhere on earth',
    given: [],
    when: (state) => warned(recordCourse(recordInes({ course: bornOn('2026-05-14') }), state)),
    expect: [],
  },
]);

scenarios('99 for a count that is not known, as it was stored before', fold, [
  {
    name: 'the record holds none, with a warning',
    given: [
      recorded,
      amended({ course: { ...courseOfInes, prenatal_visits: 99, previous_cesareans: 98 } }),
    ],
    when: (state) =>
      state.status === 'none'
        ? null
        : [
            state.course.prenatal_visits,
            state.course.previous_cesareans,
            state.course.warnings.map(({ field, raw, id }) => [field, raw, id]),
          ],
    expect: [null, 98, [['prenatal_visits', 99, 'code-for-unknown']]],
  },
]);
