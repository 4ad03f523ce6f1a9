import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BUNDLE_WITHOUT_ENTRIES, TOO_MANY_COURSES } from '../../../../domain/course/rejections.ts';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import {
  type SubmittedCourse,
  splitSubmission,
} from '../../../../domain/mapping/bfdr/bundle-splitter.ts';
import { batchOf, birthBundle } from '../../../support/bundles.ts';

const coursesOf = (bundle: JsonObject): readonly SubmittedCourse[] => {
  const submission = splitSubmission(bundle);
  if (submission.kind !== 'courses') throw new Error('refused');
  return submission.courses;
};

const first = birthBundle({ chartNumber: 'A' });
const second = birthBundle({ chartNumber: 'B' });
const messageWith = (...resources: readonly JsonObject[]): JsonObject => ({
  resourceType: 'Bundle',
  type: 'message',
  entry: [
    { resource: { resourceType: 'MessageHeader' } },
    ...resources.map((resource) => ({ resource })),
  ],
});

for (const [name, bundle] of [
  ['a Bundle without entry is refused as a whole', { resourceType: 'Bundle' }],
  ['a Bundle whose entry is no array is refused as a whole', { entry: { resource: {} } }],
  ['a Bundle with no entries is refused as a whole', { entry: [] }],
] as const) {
  test(name, () => {
    assert.equal(splitSubmission(bundle), { kind: 'refused', rejection: BUNDLE_WITHOUT_ENTRIES });
  });
}

test('single mode: the Bundle itself is one course of care', () => {
  assert.equal(coursesOf(first), [{ position: 0, bundle: first, retractedByEntry: false }]);
});

test('a Bundle of anything else is a course of care too', () => {
  const odd = { entry: [null, 7, 'x'] };
  assert.equal(coursesOf(odd), [{ position: 0, bundle: odd, retractedByEntry: false }]);
});

test('batch mode: each inner Bundle is one course of care, other entries are ignored', () => {
  const batch = {
    resourceType: 'Bundle',
    entry: [
      { resource: { resourceType: 'Patient' } },
      { resource: first },
      { request: { method: 'DELETE' } },
      null,
      { resource: second },
    ],
  };
  assert.equal(
    coursesOf(batch).map(({ position, bundle }) => [position, bundle]),
    [
      [0, first],
      [1, second],
    ],
  );
});

test('an outer entry with DELETE and an inner Bundle retracts that one', () => {
  const batch = {
    entry: [{ resource: first, request: { method: 'DELETE' } }, { resource: second }],
  };
  assert.equal(
    coursesOf(batch).map(({ retractedByEntry }) => retractedByEntry),
    [true, false],
  );
});

test('a message Bundle is opened by its inner Bundle', () => {
  assert.equal(coursesOf(messageWith(first)), [
    { position: 0, bundle: first, retractedByEntry: false },
  ]);
});

test('a message Bundle inside a batch opens one level, and positions count opened courses', () => {
  const batch = batchOf([messageWith(first, second), first]);
  assert.equal(
    coursesOf(batch).map(({ position, bundle }) => [position, bundle]),
    [
      [0, first],
      [1, second],
      [2, first],
    ],
  );
});

test('no second level is opened', () => {
  const twice = messageWith(first);
  assert.equal(
    coursesOf(batchOf([messageWith(twice)])).map(({ bundle }) => bundle),
    [twice],
  );
});

test('a message without a Bundle is one course of care', () => {
  const message = messageWith({ resourceType: 'Parameters' });
  assert.equal(coursesOf(batchOf([message, first])).length, 2);
});

test('DELETE on the entry of a message holds for what it opens to', () => {
  const batch = { entry: [{ resource: messageWith(first), request: { method: 'DELETE' } }] };
  assert.is(coursesOf(batch)[0]?.retractedByEntry, true);
});

test('1,000 courses of care are taken, 1,001 are too costly', () => {
  assert.is(coursesOf(batchOf(Array.from({ length: 1000 }, () => first))).length, 1000);
  assert.equal(splitSubmission(batchOf(Array.from({ length: 1001 }, () => first))), {
    kind: 'refused',
    rejection: TOO_MANY_COURSES,
  });
});

test.run();
