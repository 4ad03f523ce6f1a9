import type { AccessEvent, AccessPlace } from '../../../domain/access-log/events.ts';
import {
  findBusyHours,
  findOwnFamilyWords,
  hasFamilyName,
  listOpenedRecordIds,
  type OpenedInHour,
} from '../../../domain/access-log/unusual.ts';
import { INES, OLDER } from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const AT = '2026-05-12T14:00:00Z';
const HOUR_MS = 3_600_000;

const nothing = (): null => null;

const shown = (place: AccessPlace): AccessEvent => ({
  type: 'RecordsShown',
  data: { at: AT, practiceId: 'practice', place, filters: [], recordIds: [INES, OLDER] },
});
const printed = (place: AccessPlace): AccessEvent => ({
  type: 'RecordsPrinted',
  data: { at: AT, practiceId: 'practice', place, by: 'browser', recordIds: [INES, OLDER] },
});
const exported = (what: 'import-result' | 'backup'): AccessEvent => ({
  type: 'RecordsExported',
  data: { at: AT, practiceId: 'practice', what, recordIds: [INES, OLDER] },
});

scenarios('records that somebody went to', nothing, [
  {
    name: 'the page of a record opens that record, not those that it links',
    given: [],
    when: () => listOpenedRecordIds(shown('record')),
    expect: [INES],
  },
  {
    name: 'a list opens none, nor does a pair that the registry asks about, nor the check of an import',
    given: [],
    when: () =>
      (['list', 'births', 'home', 'duplicates', 'import-check'] as const).flatMap((place) =>
        listOpenedRecordIds(shown(place)),
      ),
    expect: [],
  },
  {
    name: 'a printed list opens all that is on it, a printed record itself',
    given: [],
    when: () => [listOpenedRecordIds(printed('births')), listOpenedRecordIds(printed('record'))],
    expect: [[INES, OLDER], [INES]],
  },
  {
    name: 'a file opens the records in it, but the result of an import none',
    given: [],
    when: () => [
      listOpenedRecordIds(exported('backup')),
      listOpenedRecordIds(exported('import-result')),
    ],
    expect: [[INES, OLDER], []],
  },
  {
    name: 'signing in opens none',
    given: [],
    when: () =>
      listOpenedRecordIds({ type: 'AccountSignedIn', data: { at: AT, practiceId: 'practice' } }),
    expect: [],
  },
]);

/** Hours of one person, the last of them at 14:00, each day one at the same time before. */
const daily = (...records: readonly number[]): readonly OpenedInHour[] =>
  records.map((count, index) => ({
    person: 'member:ana',
    hour: new Date(Date.parse(AT) - (records.length - 1 - index) * 24 * HOUR_MS),
    records: count,
  }));
const busyCounts = (hours: readonly OpenedInHour[]): readonly number[] =>
  findBusyHours(hours).map(({ records }) => records);

scenarios('many records within an hour', nothing, [
  {
    name: '60 are usual for everybody, 61 are not',
    given: [],
    when: () => [busyCounts(daily(60)), busyCounts(daily(61))],
    expect: [[], [61]],
  },
  {
    name: 'a registrar who opens forty in an hour every day is not marked',
    given: [],
    when: () => busyCounts(daily(40, 41, 38, 44)),
    expect: [],
  },
  {
    name: '30 are unusual for somebody who usually opens five, 25 or 29 are not',
    given: [],
    when: () => [
      busyCounts(daily(5, 5, 5, 30)),
      busyCounts(daily(5, 5, 5, 25)),
      busyCounts(daily(2, 2, 2, 29)),
    ],
    expect: [[30], [], []],
  },
  {
    name: 'exactly five times the usual is usual',
    given: [],
    when: () => [busyCounts(daily(8, 8, 40)), busyCounts(daily(8, 8, 41))],
    expect: [[], [41]],
  },
  {
    name: 'of an even number of hours the median lies between the two in the middle',
    given: [],
    when: () => [busyCounts(daily(4, 8, 30)), busyCounts(daily(4, 8, 31))],
    expect: [[], [31]],
  },
  {
    name: 'without an hour before there is nothing to compare with',
    given: [],
    when: () => busyCounts(daily(50)),
    expect: [],
  },
  {
    name: 'what was more than 30 days before, what came after, and what others open does not count',
    given: [],
    when: () => {
      const [last] = daily(45);
      const hour = last?.hour.getTime() ?? 0;
      const usual = { person: 'member:ana', records: 1 };
      return busyCounts([
        { person: 'member:ana', hour: new Date(hour), records: 45 },
        { ...usual, hour: new Date(hour - 30 * 24 * HOUR_MS - 1) },
        { ...usual, hour: new Date(hour + HOUR_MS) },
        { ...usual, hour: new Date(hour - HOUR_MS), person: 'member:ben' },
      ]);
    },
    expect: [],
  },
  {
    name: 'exactly 30 days before counts',
    given: [],
    when: () => {
      const [last] = daily(45);
      const hour = last?.hour.getTime() ?? 0;
      return busyCounts([
        { person: 'member:ana', hour: new Date(hour), records: 45 },
        { person: 'member:ana', hour: new Date(hour - 30 * 24 * HOUR_MS), records: 1 },
      ]);
    },
    expect: [45],
  },
]);

const isNamesake = (
  person: { readonly name?: string; readonly email?: string },
  ...familyNames: readonly (string | null)[]
): boolean =>
  hasFamilyName(
    findOwnFamilyWords({ name: person.name ?? null, email: person.email ?? null }),
    familyNames,
  );

scenarios('records of one’s own family name', nothing, [
  {
    name: 'the last word of the name is compared, whatever the email says',
    given: [],
    when: () => [
      isNamesake({ name: 'Ana Maria Ruiz', email: 'ana.lopez@cedar.example' }, 'Ruiz'),
      isNamesake({ name: 'Ana Maria Ruiz', email: 'ana.lopez@cedar.example' }, 'Lopez'),
      isNamesake({ name: 'Ana Maria Ruiz' }, 'Maria'),
    ],
    expect: [true, false, false],
  },
  {
    name: 'without a name the last part of the email says it, digits after it left out',
    given: [],
    when: () => [
      isNamesake({ email: 'ana.ruiz@cedar.example' }, 'Ruiz'),
      isNamesake({ email: 'ana-ruiz2@cedar.example' }, 'Ruiz'),
      isNamesake({ name: 'Ana', email: 'ana.ruiz@cedar.example' }, 'Ruiz'),
      isNamesake({ email: 'ruiz@cedar.example' }, 'Ruiz'),
      isNamesake({ email: 'ana.ruiz@cedar.example' }, 'Cedar'),
    ],
    expect: [true, true, true, false, false],
  },
  {
    name: 'case, accents and apostrophes make no difference',
    given: [],
    when: () => [
      isNamesake({ email: 'ana.diaz@cedar.example' }, 'DÍAZ'),
      isNamesake({ name: 'Pat O’Brien' }, 'OBrien'),
      isNamesake({ email: 'pat.obrien@cedar.example' }, 'O’Brien'),
      isNamesake({ name: 'Åse Sørensen' }, 'Sorensen'),
    ],
    expect: [true, true, true, true],
  },
  {
    name: 'one of several family names is enough',
    given: [],
    when: () => [
      isNamesake({ name: 'Ana Ruiz' }, 'Ruiz Lopez'),
      isNamesake({ name: 'Ana Ruiz-Lopez' }, 'Lopez'),
      isNamesake({ name: 'Ana Ruiz' }, 'Lopez', null, 'Ruiz'),
    ],
    expect: [true, true, true],
  },
  {
    name: 'a part of a word is not a name, and a single letter is none',
    given: [],
    when: () => [
      isNamesake({ name: 'Ana Ruiz' }, 'Ruizdael'),
      isNamesake({ name: 'Mary O' }, 'O’Brien'),
    ],
    expect: [false, false],
  },
  {
    name: 'a record without names, as a partner sends it, is nobody’s',
    given: [],
    when: () => [isNamesake({ name: 'Ana Ruiz' }, null), isNamesake({ name: 'Ana Ruiz' })],
    expect: [false, false],
  },
  {
    name: 'a person of whom nothing is known has no family name',
    given: [],
    when: () => isNamesake({}, 'Ruiz'),
    expect: false,
  },
]);
