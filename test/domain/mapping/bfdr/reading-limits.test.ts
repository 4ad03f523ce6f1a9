import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  MAX_CHILDREN,
  MAX_COURSE_BYTES,
  MAX_ENTRIES,
  MAX_LIST,
} from '../../../../domain/course/limits.ts';
import {
  COURSE_TOO_LONG,
  NO_MOTHER,
  rejectLongList,
  TOO_COSTLY_TO_READ,
} from '../../../../domain/course/rejections.ts';
import { asArray, type JsonObject } from '../../../../domain/fhir/json.ts';
import { estimateSize } from '../../../../domain/fhir/json-size.ts';
import { observeLists, withinBudget } from '../../../../domain/fhir/steps.ts';
import { splitSubmission } from '../../../../domain/mapping/bfdr/bundle-splitter.ts';
import {
  MAX_STEPS_PER_CHARACTER,
  MIN_STEPS,
  mapCourse,
} from '../../../../domain/mapping/bfdr/course-mapper.ts';
import type { Lane } from '../../../../domain/mapping/bfdr/place-of-birth.ts';
import { birthBundle, mapBundle, observation, rejectionsOf } from '../../../support/bundles.ts';
import { buildCompleteBundle } from '../../../support/complete-bundle.ts';
import { readAllPublished, testPublished } from '../../../support/published-bundles.ts';

const LANES: readonly Lane[] = ['native', 'partner'];

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const TOO_MANY = MAX_LIST + 1;
const focus = (count: number): JsonObject =>
  observation('8339-4', {
    subject: { reference: 'Patient/mother' },
    focus: times(count, () => ({ reference: 'Patient/child-1' })),
    valueInteger: 3400,
  });

test('a list of as many elements as allowed is read', () => {
  assert.equal(rejectionsOf(birthBundle({ more: [focus(MAX_LIST)] })), []);
});

const rows: readonly (readonly [path: string, bundle: JsonObject, lane?: Lane])[] = [
  ['Observation.focus', birthBundle({ more: [focus(TOO_MANY)] })],
  [
    'Observation.code.coding',
    birthBundle({
      more: [{ resourceType: 'Observation', code: { coding: times(TOO_MANY, () => ({})) } }],
    }),
  ],
  [
    'Observation.component',
    birthBundle({ more: [observation('x', { component: times(TOO_MANY, () => ({})) })] }),
  ],
  [
    'Encounter.location',
    birthBundle({
      encounter: {
        location: times(TOO_MANY, () => ({ location: { reference: 'Location/place' } })),
      },
    }),
  ],
  ['Location.type', birthBundle({ location: { type: times(TOO_MANY, () => ({})) } })],
  [
    'Encounter.participant',
    birthBundle({
      more: [{ resourceType: 'Encounter', participant: times(TOO_MANY, () => ({})) }],
    }),
    'partner',
  ],
];

for (const [path, bundle, lane = 'native'] of rows)
  test(`a list that is too long is refused, with its length and the limit: ${path}`, () => {
    assert.equal(rejectionsOf(bundle, lane), [rejectLongList(path, TOO_MANY, MAX_LIST)]);
  });

test('the rejection says which list it is, in words and as an expression', () => {
  assert.equal(rejectLongList('Observation.focus', 1001, 1000), {
    id: 'list-too-long',
    code: 'too-costly',
    diagnostics:
      'Too many elements: Observation.focus has 1001, and may have up to 1000. Send what belongs to this birth.',
    expression: ['Bundle.entry.resource.ofType(Observation).focus'],
  });
});

test('no name that a sender made up is repeated', () => {
  const named = observation('8339-4', { valueOfRosaMarin: times(TOO_MANY, () => 1) });
  const mother = {
    resourceType: 'Rosa Marin',
    id: 'x',
    _name: { extension: times(TOO_MANY, () => ({})) },
  };
  const moved = {
    resourceType: 'Encounter',
    hospitalization: {
      admitSource: { coding: [{ code: 'hosp-trans' }] },
      origin: { reference: 'Rosa Marin/x' },
    },
  };
  const [byValue] = rejectionsOf(birthBundle({ more: [named] }));
  assert.is(byValue?.expression?.[0], 'Bundle.entry.resource.ofType(Observation).value[x]');
  const [byType] = rejectionsOf(birthBundle({ more: [mother, moved] }));
  assert.is(byType?.expression?.[0], 'Bundle.entry.resource.ofType(Resource).name.extension');
});

test('a list that is not read may have any length', () => {
  const note = times(TOO_MANY, () => ({ text: 'x' }));
  assert.equal(rejectionsOf(birthBundle({ more: [observation('8339-4', { note })] })), []);
});

test('too many entries are refused', () => {
  const more = times(MAX_ENTRIES, () => ({ resourceType: 'Basic' }));
  const bundle = birthBundle({ more });
  const { length } = asArray(bundle['entry']);
  assert.equal(rejectionsOf(bundle), [rejectLongList('Bundle.entry', length, MAX_ENTRIES)]);
});

const emptyComponents = observation('8339-4', { component: times(MAX_LIST, () => ({})) });
const costly = birthBundle({ more: times(100, () => emptyComponents) });

test('what takes more steps than its size allows is refused', () => {
  for (const lane of LANES) assert.equal(rejectionsOf(costly, lane), [TOO_COSTLY_TO_READ]);
});

test('what was found before reading ended is listed first', () => {
  const long = { resourceType: 'Basic', text: 'x'.repeat(MAX_COURSE_BYTES) };
  const bundle = birthBundle({
    mother: null,
    more: [long],
    encounter: { location: times(TOO_MANY, () => ({})) },
  });
  assert.equal(rejectionsOf(bundle), [
    COURSE_TOO_LONG,
    NO_MOTHER,
    rejectLongList('Encounter.location', TOO_MANY, MAX_LIST),
  ]);
});

test('a retraction is recognized, whatever else the Bundle contains', () => {
  const composition = { status: 'entered-in-error' };
  const more = times(MAX_ENTRIES, () => focus(2));
  assert.is(mapBundle(birthBundle({ composition, more: [focus(TOO_MANY)] })).kind, 'retraction');
  assert.is(mapBundle(birthBundle({ composition, more })).kind, 'retraction');
});

/** Largest values in Bundles, in the order of the table. */
const measure = (bundles: readonly JsonObject[]): readonly number[] => {
  const courses = bundles.flatMap((bundle) => {
    const submission = splitSubmission(bundle);
    return submission.kind === 'refused' ? [] : submission.courses;
  });
  const measured = courses.flatMap((course) =>
    LANES.map((lane) => {
      let longest = 0;
      const entries = course.bundle['entry'];
      const counted = observeLists(
        (list) => {
          if (list !== entries) longest = Math.max(longest, list.length);
        },
        () => withinBudget(Number.POSITIVE_INFINITY, () => mapCourse(course, lane, [])),
      );
      const { steps = 0, result } = counted ?? {};
      const perCharacter = steps / estimateSize(course.bundle);
      return [
        Buffer.byteLength(JSON.stringify(course.bundle)),
        asArray(entries).length,
        result?.kind === 'course' ? result.course.children.length : 0,
        longest,
        steps,
        Math.round(perCharacter * 100) / 100,
      ];
    }),
  );
  return times(6, (column) => Math.max(...measured.map((row) => row[column] ?? 0)));
};

const DOCUMENT = readFileSync(
  new URL('../../../../docs/design/reading.md', import.meta.url),
  'utf8',
);
const toNumber = (cell: string | undefined): number => Number(cell?.trim().replaceAll(',', ''));
const TABLE = DOCUMENT.split('\n')
  .filter((line) => /^\| .* \| [\d.,]+ \| [\d.,]+ \| [\d.,]+ \|$/.test(line))
  .map((line) => line.split('|').slice(2, 5).map(toNumber));

test('the documented limits are those of the code, and far above what is sent', () => {
  assert.equal(
    TABLE.map(([limit]) => limit),
    [MAX_COURSE_BYTES, MAX_ENTRIES, MAX_CHILDREN, MAX_LIST, MIN_STEPS, MAX_STEPS_PER_CHARACTER],
  );
  for (const [limit = 0, published = 0, synthetic = 0] of TABLE)
    assert.ok(2 * Math.max(published, synthetic) < limit, `${limit}`);
  const [bytes = 0, entries = 0, , longest = 0, , perCharacter = 1] = measure([
    buildCompleteBundle(),
  ]);
  assert.ok(2 * bytes < MAX_COURSE_BYTES && 2 * entries < MAX_ENTRIES && 2 * longest < MAX_LIST);
  assert.ok(10 * perCharacter < MAX_STEPS_PER_CHARACTER);
});

testPublished(
  test,
  'fixtures/bfdr',
  'the documented values of published Bundles are theirs',
  () => {
    assert.equal(
      TABLE.map(([, published]) => published),
      measure(readAllPublished('fixtures/bfdr')),
    );
  },
);

test.run();
