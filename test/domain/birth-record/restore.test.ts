import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import {
  isRestoredAlready,
  type RestoreVersion,
  restoreVersion,
  reviveRecord,
} from '../../../domain/birth-record/restore.ts';
import { evolve, noRecord } from '../../../domain/birth-record/state.ts';
import { emptyChild } from '../../../domain/course/course.ts';
import { DUPLICATE_AMENDMENT } from '../../../domain/course/rejections.ts';
import type { NamedProvider } from '../../../domain/provider/details.ts';
import {
  amended,
  courseOfInes,
  INES,
  LATER,
  lookAlike,
  OLDER,
  recorded,
  retracted,
} from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const asTheyAre = (events: readonly BirthRecordEvent[]) => events;
const stateOf = (events: readonly BirthRecordEvent[]) => events.reduce(evolve, noRecord);

const NOW = '2026-05-14T09:00:00.000000000Z';

/** A correction that emptied her weight, changed her plan and answered a field of the practice. */
const corrected = amended({
  source: 'manual',
  keyKind: null,
  stamp: LATER,
  course: { ...courseOfInes, children: [], custom: { tub: 'Large' }, prenatal_visits: 9 },
  fingerprints: [],
});

const wish = (changes: Partial<RestoreVersion> = {}): RestoreVersion => ({
  version: 1,
  fingerprints: ['ines-12-may'],
  matches: [],
  stamp: NOW,
  resolveSurvivor: (id) => id,
  ...changes,
});

/** Her first version again, as a version of a person. */
const firstAgain = (version: number, changes: object = {}): BirthRecordEvent => ({
  type: 'BirthAmended',
  data: {
    submissionUuid: INES,
    practiceId: 'practice',
    version,
    source: 'manual',
    keyKind: 'native',
    course: { ...courseOfInes, stamp: NOW },
    providers: [],
    stamp: NOW,
    fingerprints: ['ines-12-may'],
    mark: null,
    restored: { version: 1 },
    ...changes,
  },
});

const flagged = {
  type: 'DuplicateFlagged',
  data: { submissionUuid: INES, practiceId: 'practice', duplicateOf: OLDER, mark: null },
} as const;

const midwife: NamedProvider = {
  providerId: 'ana-before',
  identity: 'ana',
  npi: null,
  name: 'Ana Ruiz',
  credentials: null,
  role: 'midwife',
};

/** A partner's version: masked, with an attendant who was merged into another one since. */
const masked = amended({
  version: 2,
  keyKind: 'partner',
  course: {
    ...courseOfInes,
    attendant: midwife.providerId,
    children: [{ ...emptyChild(), birth_date: '2026' }],
  },
  providers: [midwife],
  fingerprints: ['of-a-name-not-kept'],
});

scenarios('restoring an earlier version', asTheyAre, [
  {
    name: 'it is a new version with every value, also those that were emptied or added since',
    given: [recorded, corrected],
    when: (events) => restoreVersion(wish(), events),
    expect: { kind: 'accepted', events: [firstAgain(3)] },
  },
  {
    name: 'the reason goes along',
    given: [recorded, corrected],
    when: (events) => restoreVersion(wish({ reason: 'Wrong record' }), events),
    expect: { kind: 'accepted', events: [firstAgain(3, { reason: 'Wrong record' })] },
  },
  {
    name: 'the version that is held, or that says the same, changes nothing',
    given: [recorded, corrected, firstAgain(3)],
    when: (events) => [
      restoreVersion(wish({ version: 3 }), events),
      restoreVersion(wish({ version: 1 }), events),
    ],
    expect: [
      { kind: 'accepted', events: [] },
      { kind: 'accepted', events: [] },
    ],
  },
  {
    name: 'a partner’s version stays de-identified, with its fingerprints, and names the survivor of a merge',
    given: [recorded, masked, amended({ version: 3, source: 'manual', keyKind: null })],
    when: (events) =>
      restoreVersion(
        wish({
          version: 2,
          fingerprints: ['of-a-name-not-kept'],
          resolveSurvivor: (id) => (id === 'ana-before' ? 'ana' : id),
        }),
        events,
      ),
    expect: {
      kind: 'accepted',
      events: [
        firstAgain(4, {
          keyKind: 'partner',
          course: { ...(masked.data as { course: typeof courseOfInes }).course, stamp: NOW },
          providers: [midwife],
          fingerprints: ['of-a-name-not-kept'],
          restored: { version: 2 },
        }),
        {
          type: 'AttributionRepointed',
          data: {
            submissionUuid: INES,
            practiceId: 'practice',
            part: 'attendant',
            from: 'ana-before',
            to: 'ana',
            mark: null,
          },
        },
      ],
    },
  },
  {
    name: 'fingerprints under older keys that the practice holds go along',
    given: [recorded, corrected],
    when: (events) => {
      const decision = restoreVersion(
        wish({ fingerprints: ['2.k2:ines'], existingFingerprints: ['ines-12-may'] }),
        events,
      );
      return decision.kind === 'accepted' && decision.events[0]?.data;
    },
    expect: {
      ...firstAgain(3).data,
      fingerprints: ['2.k2:ines', 'ines-12-may'],
    },
  },
  {
    name: 'what would make it look like another live record is refused, as a correction is',
    given: [recorded, corrected],
    when: (events) => restoreVersion(wish({ matches: [lookAlike()] }), events),
    expect: { kind: 'rejected', rejection: DUPLICATE_AMENDMENT },
  },
  {
    name: 'a record that was told apart from the other one does not stand in the way',
    given: [recorded, corrected],
    when: (events) =>
      restoreVersion(wish({ matches: [lookAlike({ dismissedMatches: [INES] })] }), events),
    expect: { kind: 'accepted', events: [firstAgain(3)] },
  },
  {
    name: 'a voided record is brought back first',
    given: [recorded, corrected, retracted(3)],
    when: (events) => restoreVersion(wish(), events),
    expect: { kind: 'refused', code: 'voided-is-brought-back-first' },
  },
  {
    name: 'a version that voided the record, or that never was, is refused',
    given: [recorded, retracted(2), amended({ version: 3 })],
    when: (events) => [
      restoreVersion(wish({ version: 2 }), events),
      restoreVersion(wish({ version: 7 }), events),
    ],
    expect: [
      { kind: 'refused', code: 'no-such-version' },
      { kind: 'refused', code: 'no-such-version' },
    ],
  },
  {
    name: 'no record is refused',
    given: [],
    when: (events) => restoreVersion(wish(), events),
    expect: { kind: 'refused', code: 'no-record' },
  },
  {
    name: 'the same form sent twice is recognized, one about another version is not',
    given: [recorded, corrected, firstAgain(3)],
    when: (events) => [
      isRestoredAlready({ version: 1, seen: 2 }, stateOf(events), events),
      isRestoredAlready({ version: 2, seen: 2 }, stateOf(events), events),
      isRestoredAlready({ version: 1, seen: 1 }, stateOf(events), events),
    ],
    expect: [true, false, false],
  },
]);

scenarios('bringing a voided record back', asTheyAre, [
  {
    name: 'it is live again as it was, as a new version',
    given: [recorded, retracted(2)],
    when: (events) => reviveRecord(wish(), events),
    expect: { kind: 'accepted', events: [firstAgain(3)] },
  },
  {
    name: 'with the values of the last version before the void, not of the first',
    given: [recorded, corrected, retracted(3)],
    when: (events) => reviveRecord(wish({ fingerprints: [] }), events),
    expect: {
      kind: 'accepted',
      events: [
        firstAgain(4, {
          keyKind: null,
          course: { ...(corrected.data as { course: typeof courseOfInes }).course, stamp: NOW },
          fingerprints: [],
          restored: { version: 2 },
        }),
      ],
    },
  },
  {
    name: 'a live record stays as it is',
    given: [recorded, retracted(2), firstAgain(3)],
    when: (events) => reviveRecord(wish(), events),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'one that now looks like another live record is flagged for it',
    given: [recorded, retracted(2)],
    when: (events) => reviveRecord(wish({ matches: [lookAlike()] }), events),
    expect: { kind: 'accepted', events: [firstAgain(3), flagged] },
  },
  {
    name: 'a record that is flagged for this one makes the pair with it already',
    given: [recorded, retracted(2)],
    when: (events) => reviveRecord(wish({ matches: [lookAlike({ duplicateOf: INES })] }), events),
    expect: { kind: 'accepted', events: [firstAgain(3)] },
  },
  {
    name: 'no record is refused',
    given: [],
    when: (events) => reviveRecord(wish(), events),
    expect: { kind: 'refused', code: 'no-record' },
  },
]);
