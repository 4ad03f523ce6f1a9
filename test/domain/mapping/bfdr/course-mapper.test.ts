import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  buildDiagnosticsId,
  CHART_NUMBER_UNUSABLE,
  COURSE_TOO_LONG,
  NO_CHILD,
  NO_MOTHER,
  NO_RECORD_TO_RETRACT,
  PLACE_OF_BIRTH_REQUIRED,
  SEVERAL_CHART_NUMBERS,
  SEVERAL_MOTHERS,
  TOO_MANY_CHILDREN,
  toOperationOutcome,
} from '../../../../domain/course/rejections.ts';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import { mapCourse } from '../../../../domain/mapping/bfdr/course-mapper.ts';
import {
  birthBundle,
  courseOf,
  mapBundle,
  rejectionsOf,
  retractionBundle,
} from '../../../support/bundles.ts';

const secondMother = {
  resourceType: 'Patient',
  id: 'mother-2',
  meta: { profile: ['http://x.org/Patient-mother-vr'] },
};

test('a valid Bundle is accepted, with its chart number, stamp and IG version', () => {
  const mapped = mapBundle(birthBundle());
  assert.is(mapped.kind, 'course');
  assert.equal([mapped.reference, mapped.chart_number], ['MRN-1001', 'MRN-1001']);
  assert.is(mapped.stamp, '2026-03-14T10:00:00.000000000Z');
  const course = courseOf(birthBundle());
  assert.equal(
    [course.chart_number, course.stamp, course.ig_version, course.place_of_birth],
    ['MRN-1001', '2026-03-14T10:00:00.000000000Z', '2.0.0', 'Hospital'],
  );
});

for (const [name, bundle, expected] of [
  ['no mother', birthBundle({ mother: null }), [NO_MOTHER]],
  ['several mothers', birthBundle({ more: [secondMother] }), [SEVERAL_MOTHERS]],
  ['no child', birthBundle({ children: [] }), [NO_CHILD]],
  ['neither', birthBundle({ mother: null, children: [] }), [NO_MOTHER, NO_CHILD]],
  [
    'a Patient of no recognized role is nobody',
    birthBundle({ mother: { profile: 'http://x.org/us-core-patient' } }),
    [NO_MOTHER],
  ],
  [
    'a RelatedPerson is nobody, whatever its profile',
    birthBundle({ more: [{ ...secondMother, resourceType: 'RelatedPerson' }] }),
    [],
  ],
  ['20 children', birthBundle({ children: Array.from({ length: 20 }, () => ({})) }), []],
  [
    '21 children',
    birthBundle({ children: Array.from({ length: 21 }, () => ({})) }),
    [TOO_MANY_CHILDREN],
  ],
  [
    'over 5 MiB',
    birthBundle({ more: [{ resourceType: 'Basic', text: 'x'.repeat(5 * 1024 * 1024) }] }),
    [COURSE_TOO_LONG],
  ],
] as const) {
  test(`roles and size: ${name}`, () => {
    assert.equal(rejectionsOf(bundle), expected);
  });
}

test('all issues are listed, in the order chart number, size, roles, place', () => {
  const bundle = birthBundle({
    chartNumber: 'a\u0007b',
    mother: null,
    children: Array.from({ length: 21 }, () => ({})),
    place: null,
    more: [{ resourceType: 'Basic', text: 'x'.repeat(5 * 1024 * 1024) }],
  });
  assert.equal(rejectionsOf(bundle), [
    CHART_NUMBER_UNUSABLE,
    COURSE_TOO_LONG,
    TOO_MANY_CHILDREN,
    NO_MOTHER,
    PLACE_OF_BIRTH_REQUIRED,
  ]);
});

for (const [name, value, expected] of [
  ['trimmed, else exact', '  mrn 7/Ä ', 'mrn 7/Ä'],
  ['case kept', 'AbC', 'AbC'],
  ['255 units', 'x'.repeat(255), 'x'.repeat(255)],
  ['blank is absent', '   ', null],
  ['an object is absent', { value: 'x' }, null],
] as const) {
  test(`chart number: ${name}`, () => {
    const mapped = mapBundle({ ...birthBundle(), identifier: { value } });
    assert.is(mapped.kind, 'course');
    assert.is(mapped.chart_number, expected);
    assert.is(mapped.reference, expected ?? 'record[0]');
  });
}

const UNREAD = ['not-understood'];
const READ = ['other-form'];

for (const [name, identifier, chart, warned] of [
  ['as FHIR has it', { value: 'MRN-7' }, 'MRN-7', []],
  ['none', undefined, null, []],
  ['null', null, null, []],
  ['without a value', { system: 'urn:x' }, null, []],
  ['a text', ' MRN-7 ', 'MRN-7', READ],
  ['a number', 7, '7', READ],
  ['a number as its value', { value: 7 }, '7', READ],
  ['a list of one', [{ value: 'MRN-7' }], 'MRN-7', READ],
  ['a list of a text', ['MRN-7'], 'MRN-7', READ],
  [
    'a list of equal ones',
    [{ value: 'MRN-7' }, { system: 'urn:x', value: 'MRN-7 ' }],
    'MRN-7',
    READ,
  ],
  ['a list with one value', [{ system: 'urn:x' }, { value: 'MRN-7' }], 'MRN-7', READ],
  ['an empty list', [], null, UNREAD],
  ['a blank text', ' ', null, UNREAD],
  ['true', true, null, UNREAD],
  ['a number that no chart has', { value: 7.5 }, null, UNREAD],
  ['a list as its value', { value: ['MRN-7'] }, 'MRN-7', READ],
  ['a number in a list as its value', { value: [7] }, '7', READ],
  ['an object as its value', { value: { value: 'MRN-7' } }, null, UNREAD],
] as const)
  test(`Bundle.identifier: ${name}`, () => {
    const mapped = mapBundle({ ...birthBundle(), identifier });
    if (mapped.kind !== 'course') throw new Error(mapped.kind);
    assert.is(mapped.chart_number, chart);
    assert.is(mapped.reference, chart ?? 'record[0]');
    assert.equal(
      mapped.course.warnings.map(({ id }) => id),
      warned,
    );
  });

test('Bundle.identifier: a list of different ones is rejected, whether it records or retracts', () => {
  for (const identifier of [
    [{ value: 'MRN-7' }, { value: 'MRN-8' }],
    { value: ['MRN-7', 'MRN-8'] },
  ])
    for (const bundle of [birthBundle(), retractionBundle('MRN-7')])
      assert.equal(rejectionsOf({ ...bundle, identifier }), [SEVERAL_CHART_NUMBERS]);
});

for (const [name, value] of [
  ['256 units', 'x'.repeat(256)],
  ['a C0 control character', 'a\u0000b'],
  ['DEL', 'a\u007fb'],
  ['a C1 control character', 'a\u0085b'],
  ['an unpaired surrogate', 'a\ud800b'],
] as const) {
  test(`chart number: ${name} is rejected with reference record[N] and no echo`, () => {
    const bundle = { ...birthBundle(), identifier: { value } };
    const mapped = mapCourse({ position: 4, bundle, retractedByEntry: false }, 'native', []);
    assert.equal(
      [mapped.kind, mapped.reference, mapped.chart_number],
      ['rejected', 'record[4]', null],
    );
    assert.equal(mapped.kind === 'rejected' && mapped.rejections, [CHART_NUMBER_UNUSABLE]);
    assert.not(JSON.stringify(mapped).includes(JSON.stringify(value)));
  });
}

test('a Composition entered in error retracts, before roles are counted', () => {
  const mapped = mapBundle(retractionBundle('MRN-1001', '2026-03-15T10:00:00Z'));
  assert.equal(mapped, {
    position: 0,
    reference: 'MRN-1001',
    chart_number: 'MRN-1001',
    stamp: '2026-03-15T10:00:00.000000000Z',
    kind: 'retraction',
  });
});

test('a whole course of care with an entered-in-error Composition retracts too', () => {
  assert.is(
    mapBundle(birthBundle({ composition: { status: 'entered-in-error' } })).kind,
    'retraction',
  );
});

test('an entry of the document with DELETE retracts', () => {
  const bundle: JsonObject = {
    identifier: { value: 'MRN-1001' },
    entry: [{ request: { method: 'DELETE', url: 'Bundle/1' } }],
  };
  assert.is(mapBundle(bundle).kind, 'retraction');
});

test('the outer entry with DELETE retracts', () => {
  const mapped = mapCourse(
    { position: 0, bundle: birthBundle(), retractedByEntry: true },
    'partner',
    [],
  );
  assert.is(mapped.kind, 'retraction');
});

test('a retraction without chart number is rejected, not-found', () => {
  const mapped = mapBundle(retractionBundle(null));
  assert.is(mapped.reference, 'record[0]');
  assert.equal(mapped.kind === 'rejected' && mapped.rejections, [NO_RECORD_TO_RETRACT]);
});

test('a retraction with an unusable chart number is rejected for that', () => {
  const mapped = mapBundle(retractionBundle('a\u0000b'));
  assert.equal(mapped.kind === 'rejected' && mapped.rejections, [CHART_NUMBER_UNUSABLE]);
});

test('a Composition of any other status retracts nothing', () => {
  assert.is(mapBundle(birthBundle({ composition: { status: 'amended' } })).kind, 'course');
});

for (const [name, profile, version] of [
  ['the suffix of the profile', 'http://x.org/Bundle|1.1.0', '1.1.0'],
  ['a ballot', 'http://x.org/Bundle|2.0.0-ballot', '2.0.0-ballot'],
  ['none', 'http://x.org/Bundle', null],
  ['what looks like no version is dropped', 'http://x.org/Bundle|Rosa Marin', null],
  ['a number alone is no version', 'http://x.org/Bundle|555-0101', null],
] as const) {
  test(`IG version: ${name}`, () => {
    assert.is(courseOf(birthBundle({ profile })).ig_version, version);
  });
}

test('an OperationOutcome has one error issue for each rejection', () => {
  assert.equal(toOperationOutcome([NO_MOTHER, PLACE_OF_BIRTH_REQUIRED]), {
    resourceType: 'OperationOutcome',
    issue: [
      {
        severity: 'error',
        code: NO_MOTHER.code,
        details: buildDiagnosticsId('no-mother'),
        diagnostics: NO_MOTHER.diagnostics,
        expression: NO_MOTHER.expression,
      },
      {
        severity: 'error',
        code: PLACE_OF_BIRTH_REQUIRED.code,
        details: buildDiagnosticsId('place-of-birth-required'),
        diagnostics: PLACE_OF_BIRTH_REQUIRED.diagnostics,
        expression: PLACE_OF_BIRTH_REQUIRED.expression,
      },
    ],
  });
});

test.run();
