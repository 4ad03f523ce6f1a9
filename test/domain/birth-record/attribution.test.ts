import { repointAttribution } from '../../../domain/birth-record/attribution.ts';
import type { BirthRecordEvent, SubmissionItemId } from '../../../domain/birth-record/events.ts';
import { type BirthRecord, evolve, noRecord } from '../../../domain/birth-record/state.ts';
import { createWorkingSet } from '../../../domain/birth-record/working-set.ts';
import { decideItem } from '../../../domain/submission/decide-item.ts';
import { amended, courseOfInes, INES, recorded, retracted } from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly BirthRecordEvent[]): BirthRecord =>
  events.reduce<BirthRecord>(evolve, noRecord);

const attributed = (attendant: string | null, certifier: string | null) => ({
  ...courseOfInes,
  attendant,
  certifier,
});
const by = (attendant: string | null, certifier: string | null): BirthRecordEvent =>
  amended({ keyKind: 'partner', course: attributed(attendant, certifier) });
const repointed = (
  part: 'attendant' | 'certifier',
  mark: SubmissionItemId | null = null,
): BirthRecordEvent => ({
  type: 'AttributionRepointed',
  data: {
    submissionUuid: INES,
    practiceId: 'practice',
    part,
    from: 'absorbed',
    to: 'survivor',
    mark,
  },
});
const survivorOf = (id: string) => (id === 'absorbed' ? 'survivor' : id);
const repoint = (state: BirthRecord) =>
  repointAttribution({ resolveSurvivor: survivorOf, mark: null }, state);
const namesOf = (state: BirthRecord) =>
  state.status === 'none'
    ? state.status
    : [state.status, state.version, state.course.attendant, state.course.certifier];

scenarios('repointing attribution after a merge', fold, [
  {
    name: 'a record names the survivor in each part that the absorbed one had',
    given: [recorded, by('absorbed', 'absorbed')],
    when: repoint,
    expect: [repointed('attendant'), repointed('certifier')],
  },
  {
    name: 'a part of another provider stays',
    given: [recorded, by('somebody', 'absorbed')],
    when: repoint,
    expect: [repointed('certifier')],
  },
  {
    name: 'a repointed record is done',
    given: [recorded, by('absorbed', null), repointed('attendant')],
    when: repoint,
    expect: [],
  },
  {
    name: 'a voided record is repointed, too',
    given: [recorded, by('absorbed', null), retracted(3)],
    when: repoint,
    expect: [repointed('attendant')],
  },
  { name: 'no record is nothing to repoint', given: [], when: repoint, expect: [] },
  {
    name: 'the state names the survivor at the same version',
    given: [recorded, by('absorbed', 'somebody'), repointed('attendant')],
    when: namesOf,
    expect: ['live', 2, 'survivor', 'somebody'],
  },
]);

const mark = { ingestionId: 'later', position: 0 };
const decide =
  (keyKind: 'native' | 'partner', attendant: string | null) => (state: BirthRecord) => {
    const ledger = createWorkingSet();
    ledger.put('stream', { state, expectedRevision: 3n, firstPosition: 1n });
    ledger.putSurvivors(new Map([['absorbed', 'survivor']]));
    const { events } = decideItem(
      {
        queued: {
          kind: 'course',
          position: 0,
          reference: 'C-1',
          recordHash: 'hash',
          stamp: null,
          course: attributed(attendant, null),
          providers: [],
          partnerId: keyKind === 'partner' ? 'maple' : null,
          fingerprints: ['ines-12-may'],
        },
        stream: 'stream',
        submissionUuid: INES,
        practiceId: 'practice',
        keyKind,
        source: 'fhir_push',
        mark,
        receivedAt: '2026-05-13T11:00:00Z',
      },
      ledger,
    );
    return events.map((event) =>
      event.type === 'BirthAmended' ? [event.type, event.data.course.attendant] : event,
    );
  };

scenarios('a later course that names an absorbed provider', fold, [
  {
    name: 'the event keeps what was sent, the record names the survivor',
    given: [recorded],
    when: decide('partner', 'absorbed'),
    expect: [['BirthAmended', 'absorbed'], repointed('attendant', mark)],
  },
  {
    name: 'one that names the survivor needs nothing more',
    given: [recorded],
    when: decide('partner', 'survivor'),
    expect: [['BirthAmended', 'survivor']],
  },
  {
    name: 'a native amendment leaves the survivor standing',
    given: [recorded, by('absorbed', null), repointed('attendant')],
    when: decide('native', null),
    expect: [['BirthAmended', 'survivor']],
  },
]);
