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

test('a Reference that is no object resolves to nothing', () => {
  assert.is(document.resolve('Patient/typed', holder), null);
});

test('an entry with DELETE is seen, in any case of letters, and what it holds is not read', () => {
  assert.equal(document.deletions, []);
  const entry = { request: { method: 'delete' }, resource: typed };
  const opened = openDocument({ entry: [entry] });
  assert.equal(opened.deletions, [entry]);
  assert.equal(opened.ofType('Patient'), []);
});

const versioned = (name: string, meta: object = {}, id: string | null = 'c1') => ({
  resourceType: 'Patient',
  ...(id === null ? {} : { id }),
  name,
  meta,
});
const C1 = 'http://ehr.example/fhir/Patient/c1';
const UPPER = 'urn:uuid:AAAAAAAA-0000-4000-8000-00000000000B';
const listedAt = (fullUrl: string, resource: object) => ({ fullUrl, resource });
const updated = (lastUpdated: string) => ({ lastUpdated });

for (const [name, entry, expected] of [
  [
    'entries with the same fullUrl are one resource, the last counts',
    [listedAt(C1, versioned('a')), listedAt(C1, versioned('b'))],
    ['b'],
  ],
  [
    'without ids too',
    [listedAt(C1, versioned('a', {}, null)), listedAt(C1, versioned('b', {}, null))],
    ['b'],
  ],
  [
    'a version in the fullUrl makes no other resource of it',
    [listedAt(C1, versioned('a')), listedAt(`${C1}/_history/2`, versioned('b'))],
    ['b'],
  ],
  [
    'a UUID in another case is the same fullUrl',
    [listedAt(UPPER, versioned('a')), listedAt(UPPER.toLowerCase(), versioned('b', {}, 'c2'))],
    ['b'],
  ],
  [
    'without a fullUrl, entries with the same Type/id are one resource',
    [{ resource: versioned('a') }, { resource: versioned('b') }],
    ['b'],
  ],
  [
    'if one of them has a fullUrl too',
    [listedAt(C1, versioned('a')), { resource: versioned('b') }],
    ['b'],
  ],
  [
    'of two versions the one that was updated later counts',
    [
      { resource: versioned('a', updated('2026-05-02T10:00:00+02:00')) },
      { resource: versioned('b', updated('2026-05-02T07:59:59.999Z')) },
    ],
    ['a'],
  ],
  [
    'else the one with the higher version',
    [
      { resource: versioned('a', { versionId: '10' }) },
      { resource: versioned('b', { versionId: '9' }) },
    ],
    ['a'],
  ],
  [
    'a version that is no number has no order',
    [
      { resource: versioned('a', { versionId: 'x' }) },
      { resource: versioned('b', { versionId: 'w' }) },
    ],
    ['b'],
  ],
  [
    'the place of the first is kept',
    [
      { resource: versioned('a') },
      { resource: versioned('x', {}, 'c2') },
      { resource: versioned('b') },
    ],
    ['b', 'x'],
  ],
  [
    'two addresses are two resources, whatever their ids',
    [listedAt(C1, versioned('a')), listedAt('http://other.example/Patient/c1', versioned('b'))],
    ['a', 'b'],
  ],
  [
    'resources without id and fullUrl are not compared',
    [{ resource: versioned('a', {}, null) }, { resource: versioned('a', {}, null) }],
    ['a', 'a'],
  ],
  [
    'profiles that have nothing in common are of two resources with one id',
    [
      { resource: versioned('a', { profile: ['http://x.org/Patient-mother-vr'] }) },
      { resource: versioned('b', { profile: ['http://x.org/Patient-child-vr'] }) },
    ],
    ['a', 'b'],
  ],
] as const) {
  test(`one resource listed twice: ${name}`, () => {
    const patients = openDocument({ entry }).ofType('Patient');
    assert.equal(
      patients.map((one) => one['name']),
      expected,
    );
  });
}

test('a reference leads to the version that counts', () => {
  const opened = openDocument({
    entry: [listedAt(C1, versioned('a')), listedAt(C1, versioned('b'))],
  });
  for (const reference of [C1, 'Patient/c1'])
    assert.is(opened.resolve({ reference }, observation)?.['name'], 'b');
});

const site = (name: string, system: string | null, value: string) => ({
  resource: {
    resourceType: 'Location',
    name,
    identifier: [{ ...(system === null ? {} : { system }), value }],
  },
});
const SITES = [
  site('first', 'urn:example:sites', 'S-1'),
  site('second', 'urn:example:sites', 'S-2'),
  site('other system', 'urn:example:wards', 'S-2'),
  site('no system', null, 'S-3'),
  site('spaced', 'http://x.org/sites', 'A B|C'),
  { resource: { resourceType: 'Organization', name: 'owner', identifier: [{ value: 'S-1' }] } },
];

for (const [name, reference, expected] of [
  ['by system and value', { reference: 'Location?identifier=urn:example:sites|S-1' }, 'first'],
  [
    'written in percent',
    { reference: 'Location?identifier=urn%3Aexample%3Asites%7CS-2' },
    'second',
  ],
  ['by the value alone', { reference: 'Location?identifier=S-1' }, 'first'],
  ['of no system', { reference: 'Location?identifier=|S-3' }, 'no system'],
  ['of an address', { reference: 'http://a.example/fhir/Location?identifier=S-3' }, 'no system'],
  [
    'beside a parameter of the answer',
    { reference: 'Location?identifier=S-3&_format=json' },
    'no system',
  ],
  [
    'with escaped bars',
    { reference: 'Location?identifier=http://x.org/sites|A%20B\\|C' },
    'spaced',
  ],
  ['that two have', { reference: 'Location?identifier=S-2' }, undefined],
  ['that nobody has', { reference: 'Location?identifier=urn:example:sites|S-9' }, undefined],
  ['of another type', { reference: 'Patient?identifier=urn:example:sites|S-1' }, undefined],
  ['of a system that it has not', { reference: 'Location?identifier=|S-1' }, undefined],
  ['with another criterion', { reference: 'Location?identifier=S-3&name=x' }, undefined],
  ['by another criterion', { reference: 'Location?name=first' }, undefined],
  ['in broken percent', { reference: 'Location?identifier=%E0%A4%A' }, undefined],
  [
    'in Reference.identifier',
    { identifier: { system: 'urn:example:sites', value: 'S-2' } },
    'second',
  ],
  [
    'in Reference.identifier, with a type',
    { type: 'Organization', identifier: { value: 'S-1' } },
    'owner',
  ],
  ['in Reference.identifier, of two types', { identifier: { value: 'S-1' } }, undefined],
  [
    'beside a reference that leads nowhere',
    { reference: 'Location/gone', identifier: { value: 'S-3' } },
    'no system',
  ],
  ['without a value', { identifier: { system: 'urn:example:sites' } }, undefined],
] as const) {
  const outcome = expected === undefined ? 'resolves to nothing' : `resolves to ${expected}`;
  test(`a reference by an identifier ${name} ${outcome}`, () => {
    assert.is(openDocument({ entry: SITES }).resolve(reference, observation)?.['name'], expected);
  });
}

const LOWER_UUID = 'aaaaaaaa-0000-4000-8000-00000000000b';
const UPPER_UUID = LOWER_UUID.toUpperCase();
for (const [name, entry, reference] of [
  ['in fullUrl', listedAt(`urn:uuid:${UPPER_UUID}`, east), `urn:uuid:${LOWER_UUID}`],
  ['in the reference', listedAt(`urn:uuid:${LOWER_UUID}`, east), `URN:UUID:${UPPER_UUID}`],
  ['in the id', { resource: { ...east, id: UPPER_UUID } }, `Patient/${LOWER_UUID}`],
  [
    'in an id that a urn names',
    { resource: { ...east, id: UPPER_UUID } },
    `urn:uuid:${LOWER_UUID}`,
  ],
  [
    'at the end of an address',
    listedAt(`${EAST}/Patient/${UPPER_UUID}`, east),
    `${EAST}/Patient/${LOWER_UUID}`,
  ],
] as const) {
  test(`UUIDs are compared without regard to case: ${name}`, () => {
    const found = openDocument({ entry: [entry] }).resolve({ reference }, observation);
    assert.is(found?.['name'], 'east');
  });
}

test('ids that are no UUIDs are compared as they are', () => {
  assert.is(resolve('Patient/TYPED'), null);
});

const MODIFIED = [{ url: 'http://x.org/negated', valueBoolean: true }];

test('an element with a modifier extension is left out, and named', () => {
  const names = [{ family: 'A', modifierExtension: MODIFIED }, { family: 'B' }];
  const opened = openDocument({ entry: [{ resource: { ...typed, name: names } }] });
  const [resource] = opened.ofType('Patient');
  assert.equal(resource, { ...typed, name: [{ family: 'B' }] });
  assert.equal(opened.leftOut, [{ resource, element: 'name' }]);
  assert.is(opened.resolve({ reference: 'Patient/typed' }, holder), resource);
});

test('a resource with a modifier extension is left out, a person without content', () => {
  const encounter = { resourceType: 'Encounter', modifierExtension: MODIFIED };
  const person = { ...typed, gender: 'female', modifierExtension: MODIFIED };
  const opened = openDocument({ entry: [{ resource: encounter }, { resource: person }] });
  assert.equal(opened.ofType('Encounter'), []);
  assert.equal(opened.ofType('Patient'), [{ ...typed, meta: undefined }]);
  assert.equal(
    opened.leftOut.map(({ element }) => element),
    [null, null],
  );
});

test('an empty modifierExtension modifies nothing', () => {
  const encounter = { resourceType: 'Encounter', modifierExtension: [] };
  assert.equal(openDocument({ entry: [{ resource: encounter }] }).ofType('Encounter'), [encounter]);
});

test.run();
