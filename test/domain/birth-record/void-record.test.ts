import { voidRecord } from '../../../domain/birth-record/decide.ts';
import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import { type BirthRecord, evolve, noRecord } from '../../../domain/birth-record/state.ts';
import { INES, recorded, retracted } from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly BirthRecordEvent[]): BirthRecord => events.reduce(evolve, noRecord);
const reason = 'Entered for the wrong mother';

scenarios('voiding a record by hand', fold, [
  {
    name: 'a live record is voided, with the reason',
    given: [recorded],
    when: (state) => voidRecord({ reason: `  Entered for\n the wrong mother ` }, state),
    expect: {
      kind: 'accepted',
      events: [
        {
          type: 'BirthRetracted',
          data: {
            submissionUuid: INES,
            practiceId: 'practice',
            version: 2,
            source: 'manual',
            reason,
            mark: null,
          },
        },
      ],
    },
  },
  {
    name: 'voiding a voided record changes nothing',
    given: [recorded, retracted(2)],
    when: (state) => voidRecord({ reason }, state),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'a reason of less than 3 or more than 500 characters is refused',
    given: [recorded],
    when: (state) =>
      ['', ' ab ', 'x'.repeat(501)].map((text) => voidRecord({ reason: text }, state).kind),
    expect: ['refused', 'refused', 'refused'],
  },
  {
    name: 'no record is refused',
    given: [],
    when: (state) => voidRecord({ reason }, state),
    expect: {
      kind: 'refused',
      code: 'no-record',
    },
  },
]);
