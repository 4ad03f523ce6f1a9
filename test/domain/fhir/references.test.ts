import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openDocument } from '../../../domain/fhir/references.ts';

const patient = (id: string) => ({ resourceType: 'Patient', id });
const full = patient('full');
const typed = patient('typed');
const uuid = patient('0f7e-uuid');
const broken = patient('urn:uuid:broken');
const document = openDocument({
  entry: [
    { fullUrl: 'http://example.org/fhir/Patient/other', resource: full },
    { resource: typed },
    { resource: uuid },
    { resource: broken },
    { fullUrl: 'urn:uuid:first', resource: patient('first') },
    { fullUrl: 'urn:uuid:first', resource: patient('second') },
    { resource: { resourceType: 'Patient', id: '__proto__' } },
    { resource: null },
    null,
    'entry',
  ],
});
const holder = {
  resourceType: 'Encounter',
  contained: [{ resourceType: 'Location', id: 'here' }],
};
const resolve = (reference: unknown) => document.resolve({ reference }, holder);

for (const [name, reference, expected] of [
  ['by exact fullUrl', 'http://example.org/fhir/Patient/other', full],
  ['by Type/id', 'Patient/typed', typed],
  ['by urn:uuid and id', 'urn:uuid:0f7e-uuid', uuid],
  ['by an id that is a urn:uuid itself', 'urn:uuid:broken', broken],
  ['by Type/id at the end of an address', 'https://ehr.example.org/r4/Patient/typed', typed],
  ['by Type/id with a version', 'Patient/typed/_history/3', typed],
  ['to nothing when the type differs', 'Group/typed', null],
  ['to nothing when it is absent', 'Patient/nobody', null],
  ['to nothing when it is no text', 7, null],
  ['to nothing when it is blank', '  ', null],
  ['to nothing for names of prototypes', 'constructor', null],
] as const) {
  test(`references resolve ${name}`, () => {
    assert.is(resolve(reference), expected);
  });
}

test('#id resolves to a contained resource', () => {
  assert.is(resolve('#here'), holder.contained[0]);
  assert.is(resolve('#gone'), null);
});

test('of several resources under one address the first counts', () => {
  assert.is(resolve('urn:uuid:first')?.['id'], 'first');
});

test('a Reference that is no object resolves to nothing', () => {
  assert.is(document.resolve('Patient/typed', holder), null);
});

test('an entry with DELETE is seen, in any case of letters', () => {
  assert.is(document.hasDeletedEntry, false);
  assert.is(openDocument({ entry: [{ request: { method: 'delete' } }] }).hasDeletedEntry, true);
});

test.run();
