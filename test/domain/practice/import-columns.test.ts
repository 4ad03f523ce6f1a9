import type { PracticeEvent } from '../../../domain/practice/events.ts';
import {
  forgetImportColumns,
  type HeadingMeaning,
  MAX_HEADING_LENGTH,
  MAX_IMPORT_COLUMNS,
  mapImportColumns,
} from '../../../domain/practice/import-columns.ts';
import { type Practice, practiceFold } from '../../../domain/practice/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const practiceId = 'cedar';
const created: PracticeEvent = {
  type: 'PracticeCreated',
  data: { practiceId, name: 'Cedar', sandbox: true, beta: true },
};
const mapped = (...columns: readonly (readonly [string, string, string | null])[]) =>
  ({
    type: 'ImportColumnsMapped',
    data: {
      practiceId,
      columns: columns.map(([heading, label, path]) => ({ heading, label, path })),
    },
  }) satisfies PracticeEvent;
const momLast = mapped(['mom_last', 'Mom last', 'mother.family_name']);

const accepted = (...events: readonly PracticeEvent[]) => ({ kind: 'accepted', events });
const map =
  (...chosen: readonly HeadingMeaning[]) =>
  (practice: Practice) =>
    mapImportColumns(chosen, practice);
const forget =
  (...headings: readonly string[]) =>
  (practice: Practice) =>
    forgetImportColumns(headings, practice);
const remembered = (practice: Practice) =>
  practice.status === 'known'
    ? practice.importColumns.map(({ heading, path }) => `${heading}: ${path}`)
    : null;

const MANY = Array.from(
  { length: MAX_IMPORT_COLUMNS },
  (_, index) => [`heading_${index}`, `Heading ${index}`, null] as const,
);

scenarios(
  'what headings of imported files mean',
  (events: readonly PracticeEvent[]) => events.reduce(practiceFold.evolve, practiceFold.initial),
  [
    {
      name: 'a heading is remembered with its field, or as left out',
      given: [created],
      when: map({ label: ' Mom last', path: 'mother.family_name' }, { label: 'Room', path: null }),
      expect: accepted(
        mapped(['mom_last', 'Mom last', 'mother.family_name'], ['room', 'Room', null]),
      ),
    },
    {
      name: 'the same again, spelled another way, changes nothing',
      given: [created, momLast],
      when: map({ label: 'MOM-LAST', path: 'mother.family_name' }),
      expect: accepted(),
    },
    {
      name: 'another meaning takes the place of the one before',
      given: [created, momLast, mapped(['mom_last', 'Mom last', 'mother.birth_surname'])],
      when: remembered,
      expect: ['mom_last: mother.birth_surname'],
    },
    {
      name: 'a heading is forgotten, and those that are not known with it',
      given: [created, momLast],
      when: forget('mom_last', 'room'),
      expect: accepted({
        type: 'ImportColumnsForgotten',
        data: { practiceId, headings: ['mom_last'] },
      }),
    },
    {
      name: 'what is forgotten already changes nothing',
      given: [
        created,
        momLast,
        { type: 'ImportColumnsForgotten', data: { practiceId, headings: ['mom_last'] } },
      ],
      when: forget('mom_last'),
      expect: accepted(),
    },
    {
      name: 'two headings of one file are not one field',
      given: [created],
      when: map(
        { label: 'DOB', path: 'mother.birth_date' },
        { label: 'Born', path: 'mother.birth_date' },
      ),
      expect: { kind: 'refused', code: 'two-headings-for-one-field' },
    },
    ...['stamp', 'mother.age_at_delivery', 'children.99.sex', 'custom.unknown', '__proto__'].map(
      (path) => ({
        name: `${path} is no field that a file states`,
        given: [created],
        when: map({ label: 'X', path }),
        expect: { kind: 'refused', code: 'no-such-column' },
      }),
    ),
    ...['', ' ✿ ', 'x'.repeat(MAX_HEADING_LENGTH + 1), 'a\u0007b'].map((label) => ({
      name: `a heading ${JSON.stringify(label).slice(0, 12)} is not kept`,
      given: [created],
      when: map({ label, path: null }),
      expect: { kind: 'refused', code: 'heading-not-kept', most: MAX_HEADING_LENGTH },
    })),
    {
      name: 'a practice remembers no more than so many',
      given: [created, mapped(...MANY)],
      when: map({ label: 'One more', path: null }),
      expect: { kind: 'refused', code: 'too-many-headings', most: MAX_IMPORT_COLUMNS },
    },
    {
      name: 'a practice that is not there remembers nothing',
      given: [],
      when: map({ label: 'X', path: null }),
      expect: { kind: 'refused', code: 'no-practice' },
    },
  ],
);
