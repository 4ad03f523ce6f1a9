import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import { findPendingRevival, keepRevival } from '../../../domain/birth-record/revival-review.ts';
import { amended, INES, recorded, retracted } from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const voided = (version: number): BirthRecordEvent => ({
  type: 'BirthRetracted',
  data: {
    submissionUuid: INES,
    practiceId: 'practice',
    version,
    source: 'manual',
    reason: 'Entered twice',
    mark: null,
  },
});
const sent = (version: number) => amended({ version });
const kept = (version: number): BirthRecordEvent => ({
  type: 'RevivalKept',
  data: { submissionUuid: INES, practiceId: 'practice', version, mark: null },
});

const asTheyAre = (events: readonly BirthRecordEvent[]) => events;

scenarios('a void that is overruled', asTheyAre, [
  {
    name: 'a Bundle revives what a person voided: someone has to decide',
    given: [recorded, voided(2), sent(3)],
    when: findPendingRevival,
    expect: { version: 3, voided: 1, revived: 2 },
  },
  {
    name: 'a later Bundle leaves it open',
    given: [recorded, voided(2), sent(3), sent(4)],
    when: findPendingRevival,
    expect: { version: 3, voided: 1, revived: 2 },
  },
  {
    name: 'a voided record that stays voided asks nothing',
    given: [recorded, voided(2)],
    when: findPendingRevival,
    expect: null,
  },
  {
    name: 'what a sender retracted it may send again',
    given: [recorded, retracted(2), sent(3)],
    when: findPendingRevival,
    expect: null,
  },
  {
    name: 'who enters the birth again by hand, from a file or from a chart has been asked',
    given: [recorded, voided(2)],
    when: (events) =>
      (['manual', 'csv', 'ehr_pull'] as const).map((source) =>
        findPendingRevival([...events, amended({ version: 3, source, keyKind: null }), sent(4)]),
      ),
    expect: [null, null, null],
  },
  {
    name: 'a record that is voided again asks nothing, by whom ever',
    given: [recorded, voided(2), sent(3)],
    when: (events) => [
      findPendingRevival([...events, voided(4)]),
      findPendingRevival([...events, retracted(4)]),
    ],
    expect: [null, null],
  },
  {
    name: 'sent again after the second void, it is asked about that one',
    given: [recorded, voided(2), sent(3), voided(4), sent(5)],
    when: findPendingRevival,
    expect: { version: 5, voided: 3, revived: 4 },
  },
  {
    name: 'retracted and sent again by its sender, it asks nothing any more',
    given: [recorded, voided(2), sent(3), retracted(4), sent(5)],
    when: findPendingRevival,
    expect: null,
  },
  {
    name: 'what a person keeps is decided',
    given: [recorded, voided(2), sent(3), kept(3), sent(4)],
    when: findPendingRevival,
    expect: null,
  },
]);

scenarios('keeping a record that was sent again', asTheyAre, [
  {
    name: 'it is kept at the version that made it live again',
    given: [recorded, voided(2), sent(3), sent(4)],
    when: (events) => keepRevival({ version: 3 }, events),
    expect: { kind: 'accepted', events: [kept(3)] },
  },
  {
    name: 'keeping it again changes nothing',
    given: [recorded, voided(2), sent(3), kept(3)],
    when: (events) => keepRevival({ version: 3 }, events),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'one that was voided meanwhile is refused',
    given: [recorded, voided(2), sent(3), voided(4)],
    when: (events) => keepRevival({ version: 3 }, events),
    expect: {
      kind: 'refused',
      code: 'voided-since',
    },
  },
  {
    name: 'another version than the one that is open is refused',
    given: [recorded, voided(2), sent(3), voided(4), sent(5)],
    when: (events) => keepRevival({ version: 3 }, events).kind,
    expect: 'refused',
  },
  {
    name: 'no record is refused',
    given: [],
    when: (events) => keepRevival({ version: 1 }, events).kind,
    expect: 'refused',
  },
]);
