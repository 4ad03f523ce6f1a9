import {
  buildDataExported,
  buildRecordsPrinted,
  buildRecordsShown,
  findLimitsJustExceeded,
  getAccessStream,
  MAX_RECORDS,
  selectUnrecorded,
} from '../../../domain/access-log/decide.ts';
import type { AccessEvent } from '../../../domain/access-log/events.ts';
import type { OutboxEntry } from '../../../domain/access-log/ports.ts';
import { INES, OLDER } from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const AT = '2026-05-12T23:59:59.500Z';
const fold = (events: readonly AccessEvent[]): readonly AccessEvent[] => events;

const show = (recordIds: readonly string[]): readonly AccessEvent<'RecordsShown'>[] =>
  buildRecordsShown({
    practiceId: 'practice',
    at: new Date(AT),
    recordIds,
    place: 'list',
    filters: ['words'],
  });

const idOfNumber = (n: number): string => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;

scenarios('records shown to somebody', fold, [
  {
    name: 'one event names each record once, and how the list was narrowed down',
    given: [],
    when: () => show([INES, OLDER, INES]),
    expect: [
      {
        type: 'RecordsShown',
        data: {
          at: AT,
          practiceId: 'practice',
          place: 'list',
          filters: ['words'],
          recordIds: [INES, OLDER],
        },
      },
    ],
  },
  { name: 'an empty page shows nothing', given: [], when: () => show([]), expect: [] },
  {
    name: 'more records than one event holds are in several, none left out',
    given: [],
    when: () =>
      show(Array.from({ length: 2 * MAX_RECORDS + 1 }, (_, n) => idOfNumber(n))).map(({ data }) => [
        data.recordIds.length,
        data.recordIds[0],
      ]),
    expect: [
      [MAX_RECORDS, idOfNumber(0)],
      [MAX_RECORDS, idOfNumber(MAX_RECORDS)],
      [1, idOfNumber(2 * MAX_RECORDS)],
    ],
  },
]);

const file = {
  practiceId: 'practice',
  at: new Date(AT),
  what: 'import-result',
  filters: [],
} as const;

scenarios('records printed, and taken away in a file', fold, [
  {
    name: 'a printed page names its records once, and how it was printed',
    given: [],
    when: () =>
      buildRecordsPrinted({
        practiceId: 'practice',
        at: new Date(AT),
        place: 'duplicates',
        by: 'browser',
        recordIds: [INES, OLDER, INES],
      }),
    expect: [
      {
        type: 'RecordsPrinted',
        data: {
          at: AT,
          practiceId: 'practice',
          place: 'duplicates',
          by: 'browser',
          recordIds: [INES, OLDER],
        },
      },
    ],
  },
  {
    name: 'a file is told of once, and then each record in it',
    given: [],
    when: () => buildDataExported({ ...file, rows: 3, recordIds: [INES, OLDER] }),
    expect: [
      {
        type: 'DataExported',
        data: { at: AT, practiceId: 'practice', what: 'import-result', rows: 3, filters: [] },
      },
      {
        type: 'RecordsExported',
        data: { at: AT, practiceId: 'practice', what: 'import-result', recordIds: [INES, OLDER] },
      },
    ],
  },
  {
    name: 'a file without a record is told of all the same',
    given: [],
    when: () => buildDataExported({ ...file, rows: 3, recordIds: [] }).map(({ type }) => type),
    expect: ['DataExported'],
  },
  {
    name: 'a file of more records than one event holds is told of in several, its rows once',
    given: [],
    when: () =>
      buildDataExported({
        ...file,
        rows: MAX_RECORDS + 1,
        recordIds: Array.from({ length: MAX_RECORDS + 1 }, (_, n) => idOfNumber(n)),
      }).map((event) =>
        event.type === 'DataExported' ? event.data.rows : event.data.recordIds.length,
      ),
    expect: [MAX_RECORDS + 1, MAX_RECORDS, 1],
  },
]);

const tries = (
  attemptsAtAddress: number,
  attemptsOfAddress: number,
  attemptsFromUnknownAddresses = 0,
) =>
  findLimitsJustExceeded({
    attemptsAtAddress,
    maxAtAddress: 10,
    attemptsOfAddress,
    maxOfAddress: 50,
    attemptsFromUnknownAddresses,
    maxFromUnknownAddresses: 100,
  });

scenarios('tries to sign in beyond a limit', fold, [
  {
    name: 'the last try within it tells nothing',
    given: [],
    when: () => tries(10, 50),
    expect: [],
  },
  {
    name: 'the first one beyond it is told of',
    given: [],
    when: () => tries(11, 12),
    expect: ['account'],
  },
  {
    name: 'those after it are not: nobody can fill the log by trying',
    given: [],
    when: () => [...tries(12, 13), ...tries(500, 52)],
    expect: [],
  },
  {
    name: 'so is the first one that all strangers together have too many',
    given: [],
    when: () => [tries(3, 4, 100), tries(3, 4, 101), tries(3, 4, 102)],
    expect: [[], ['account'], []],
  },
  {
    name: 'both limits may be reached by one try',
    given: [],
    when: () => tries(11, 51),
    expect: ['account', 'address'],
  },
]);

const signedIn = (practiceId: string | null): AccessEvent => ({
  type: 'AccountSignedIn',
  data: { at: AT, practiceId },
});

scenarios('the stream of an event of the access log', fold, [
  {
    name: 'is of its practice and hour',
    given: [signedIn('practice')],
    when: ([event]) => event && getAccessStream(event),
    expect: 'access-practice-2026-05-12T23',
  },
  {
    name: 'is of the registry where no practice is concerned',
    given: [signedIn(null)],
    when: ([event]) => event && getAccessStream(event),
    expect: 'access-registry-2026-05-12T23',
  },
]);

const note = (noteId: string): OutboxEntry => ({
  noteId,
  event: signedIn('practice'),
  correlationId: 'request',
  actor: { kind: 'member', id: 'member' },
});

scenarios('notes that are carried to the log', fold, [
  {
    name: 'what the stream holds already is left out, the rest keeps its order',
    given: [],
    when: () =>
      selectUnrecorded(new Set(['b']), [note('a'), note('b'), note('c')]).map(
        ({ noteId }) => noteId,
      ),
    expect: ['a', 'c'],
  },
]);
