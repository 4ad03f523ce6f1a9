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

const EAST = 'https://east.example/fhir';
const WEST = 'https://west.example/fhir';
const bare = (name: string) => ({ resourceType: 'Patient', name });
const at = (base: string, resource: object, id = '123') => ({
  fullUrl: `${base}/Patient/${id}`,
  resource,
});
const observation = { resourceType: 'Observation' };
const observed = (base: string) => ({
  fullUrl: `${base}/Observation/9`,
  resource: observation,
});
const unaddressed = { resource: observation };
const [east, west] = [bare('east'), bare('west')];
const eastern = { ...east, id: '123' };
const western = { ...west, id: '123' };
const other = { ...bare('other'), id: '123' };

for (const [name, entry, reference, expected] of [
  ['of the server that holds the reference', [at(EAST, east), observed(EAST)], 'Patient/123', east],
  ['from an entry without an address', [at(EAST, east), unaddressed], 'Patient/123', east],
  ['from an entry of another server', [at(EAST, east), observed(WEST)], 'Patient/123', east],
  ['with a version', [at(EAST, east), observed(EAST)], 'Patient/123/_history/2', east],
  [
    'of the one of two servers that holds the reference',
    [at(EAST, east), at(WEST, west), observed(WEST)],
    'Patient/123',
    west,
  ],
  [
    'of the one of two servers that holds the reference, where both state an id',
    [at(EAST, eastern), at(WEST, western), observed(WEST)],
    'Patient/123',
    western,
  ],
  ['of either of two servers', [at(EAST, east), at(WEST, west), unaddressed], 'Patient/123', null],
  [
    'of either of two servers, where both state an id',
    [at(EAST, eastern), at(WEST, western), unaddressed],
    'Patient/123',
    null,
  ],
  [
    'by the address before another resource with that id',
    [{ resource: other }, at(EAST, east), observed(EAST)],
    'Patient/123',
    east,
  ],
  [
    'by its id before an address, where the reference is of no server',
    [at(EAST, east), { resource: other }, unaddressed],
    'Patient/123',
    other,
  ],
  [
    'by the address before its own other id',
    [at(EAST, { ...east, id: 'own' }), observed(EAST)],
    'Patient/123',
    east,
  ],
  ['of another type', [at(EAST, { resourceType: 'Group' }), observed(EAST)], 'Patient/123', null],
  ['of a server that is not in the Bundle', [at(EAST, east)], `${WEST}/Patient/123`, null],
  [
    'of a server that is not in the Bundle, where two state that id',
    [at(EAST, eastern), at(WEST, western)],
    'https://north.example/fhir/Patient/123',
    null,
  ],
  [
    'of a server, in a version',
    [at(EAST, eastern), at(WEST, western)],
    `${WEST}/Patient/123/_history/2`,
    western,
  ],
  [
    'with an address that names no resource',
    [{ fullUrl: `${EAST}/Patient/`, resource: east }],
    'Patient/',
    null,
  ],
] as const) {
  const outcome = expected === null ? 'resolves to nothing' : `resolves to ${expected.name}`;
  test(`a reference to a Patient ${name} ${outcome}`, () => {
    const found = openDocument({ entry }).resolve({ reference }, observation);
    assert.is(found?.['name'], expected?.name);
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
