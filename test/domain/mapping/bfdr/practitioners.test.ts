import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import {
  readProviderIdentity,
  readProviderRole,
} from '../../../../domain/mapping/bfdr/practitioners.ts';
import { birthBundle, courseOf, mapBundle } from '../../../support/bundles.ts';

const qualified = (...texts: readonly string[]): JsonObject => ({
  qualification: texts.map((text) => ({ code: { text } })),
});

for (const [text, role] of [
  ['Certified Nurse Midwife', 'midwife'],
  ['CNM, MD', 'midwife'],
  ['CPM', 'midwife'],
  ['LM', 'midwife'],
  ['C.N.M.', 'midwife'],
  ['Physician', 'physician'],
  ['OBSTETRICIAN', 'physician'],
  ['Obstetrics and Gynecology', 'physician'],
  ['MD', 'physician'],
  ['M.D.', 'physician'],
  ['Physician Assistant', 'physician'],
  ['Doula', 'doula'],
  ['Registered Nurse', 'nurse'],
  ['RN', 'nurse'],
  ['Medical assistant', 'assistant'],
  ['Osteopath', 'other'],
  ['Medical Doctor', 'other'],
  ['ALMOND LMX CNMX', 'other'],
  ['Paraphysician', 'other'],
] as const) {
  test(`role: ${text} is ${role}`, () => {
    assert.is(readProviderRole(qualified(text)), role);
    const displayed = { qualification: [{ code: { coding: [{ display: text }] } }] };
    assert.is(readProviderRole(displayed), role);
  });
}

test('role: midwife keywords are checked first, over all qualifications', () => {
  assert.is(readProviderRole(qualified('MD', 'Midwife')), 'midwife');
});

test('role: neither a code nor the name counts', () => {
  assert.is(
    readProviderRole({
      qualification: [{ code: { coding: [{ code: 'MD' }] } }],
      name: [{ family: 'Midwife', suffix: ['MD'] }],
    }),
    'other',
  );
});

const npi = { system: 'http://hl7.org/fhir/sid/us-npi', value: '1932304839' };

for (const [name, practitioner, expected] of [
  [
    'the first non-NPI identifier',
    { id: 'p', identifier: [npi, { value: 'EHR-7' }, { value: 'EHR-8' }] },
    'EHR-7',
  ],
  [
    'an identifier of type NPI is none',
    { id: 'p', identifier: [{ type: { coding: [{ code: 'NPI' }] }, value: '1' }] },
    'p',
  ],
  [
    'nor is one of the system of NPIs by its OID',
    {
      id: 'p',
      identifier: [
        { system: 'urn:oid:2.16.840.1.113883.4.6', value: '1' },
        { system: '2.16.840.1.113883.4.6', value: '2' },
      ],
    },
    'p',
  ],
  [
    'an OID that only begins or ends like it is another system',
    { id: 'p', identifier: [{ system: 'urn:oid:2.16.840.1.113883.4.61', value: 'EHR-7' }] },
    'EHR-7',
  ],
  ['else the resource id', { id: 'p', identifier: [npi] }, 'p'],
  ['blanks do not count', { id: 'p', identifier: [{ value: ' ' }] }, 'p'],
  ['else none', { identifier: [npi] }, null],
] as const) {
  test(`identity: ${name}`, () => {
    assert.is(readProviderIdentity(practitioner), expected);
  });
}

const practitioner = (id: string, ...texts: readonly string[]): JsonObject => ({
  resourceType: 'Practitioner',
  id,
  identifier: [npi, { system: 'urn:ehr', value: `EHR-${id}` }],
  name: [{ family: 'Jones', given: ['Avery'], suffix: ['CNM'] }],
  ...qualified(...texts),
});
const participant = (id: string, code = 'ATND') => ({
  type: [{ coding: [{ system: 'urn:any', code }] }],
  individual: { reference: `Practitioner/${id}` },
});

const partner = (parts: {
  encounter?: JsonObject;
  composition?: JsonObject;
  more: readonly JsonObject[];
}) => {
  const mapped = mapBundle(birthBundle(parts), 'partner');
  if (mapped.kind !== 'course') throw new Error(mapped.kind);
  return mapped;
};

for (const status of ['cancelled', 'entered-in-error', 'nullified', 'unknown'])
  test(`an Encounter that is ${status} names no attendant beside one that took place`, () => {
    const gone = { resourceType: 'Encounter', status, participant: [participant('gone')] };
    const people = [practitioner('gone', 'A'), practitioner('there', 'B')];
    const bundle = birthBundle({
      encounter: { participant: [participant('there')] },
      more: [gone, ...people],
    });
    assert.is(courseOf(bundle, 'partner').attendant, 'EHR-there');
    const without = birthBundle({ more: [gone, ...people] });
    assert.is(courseOf(without, 'partner').attendant, null);
  });

test('the attendant is the participant marked ATND, whatever the coding system', () => {
  const { course } = partner({
    encounter: { participant: [participant('a', 'PPRF'), participant('b')] },
    more: [practitioner('a', 'Midwife'), practitioner('b', 'Physician')],
  });
  assert.is(course.attendant, 'EHR-b');
});

test('the attendant comes from the birth Encounter, else from any', () => {
  const elsewhere = { resourceType: 'Encounter', id: 'm', participant: [participant('a')] };
  const more = [elsewhere, practitioner('a', 'MD'), practitioner('b', 'MD')];
  assert.is(partner({ more }).course.attendant, 'EHR-a');
  const both = partner({ encounter: { participant: [participant('b')] }, more });
  assert.is(both.course.attendant, 'EHR-b');
});

test('no other participant becomes attendant, but a doula among them is present', () => {
  const { course } = partner({
    encounter: { participant: [participant('a', '87286-1'), participant('d', 'SPRF')] },
    more: [practitioner('a', 'MD'), practitioner('d', 'Doula')],
  });
  assert.is(course.attendant, null);
  assert.is(course.doula_present, true);
});

test('an attending doula is present too', () => {
  const { course } = partner({
    encounter: { participant: [participant('d')] },
    more: [practitioner('d', 'Doula')],
  });
  assert.equal([course.attendant, course.doula_present], ['EHR-d', true]);
});

for (const [name, composition, expected] of [
  [
    'the first attester that has a party',
    {
      attester: [{ mode: 'legal' }, { party: { reference: 'Practitioner/a' } }],
      author: [{ reference: 'Practitioner/b' }],
    },
    'EHR-a',
  ],
  [
    'else the first author',
    {
      attester: [{ mode: 'legal' }],
      author: [{ reference: 'Practitioner/b' }, { reference: 'Practitioner/a' }],
    },
    'EHR-b',
  ],
  ['an Organization is no certifier', { author: [{ reference: 'Organization/o' }] }, null],
  ['nobody', {}, null],
] as const) {
  test(`certifier: ${name}`, () => {
    const more = [practitioner('a'), practitioner('b'), { resourceType: 'Organization', id: 'o' }];
    assert.is(partner({ composition, more }).course.certifier, expected);
  });
}

test('every Practitioner with a stable identity is identified, once', () => {
  const nameless = { resourceType: 'Practitioner', identifier: [npi] };
  const { providers } = partner({
    more: [
      practitioner('a', 'CNM, MD'),
      nameless,
      { ...practitioner('a'), id: 'a-elsewhere' },
      { resourceType: 'Practitioner', id: 'b' },
    ],
  });
  assert.equal(providers, [
    {
      identity: 'EHR-a',
      npi: '1932304839',
      name: 'Avery Jones',
      credentials: 'CNM, MD',
      role: 'midwife',
    },
    { identity: 'b', npi: null, name: null, credentials: null, role: 'other' },
  ]);
});

for (const [suffixes, qualification, expected] of [
  [['MD'], 'MD, Obstetrics and Gynecology', 'MD, Obstetrics and Gynecology'],
  [['M.D.'], 'MD', 'MD'],
  [['CNM', 'MSN'], 'Certified Nurse Midwife (CNM)', 'MSN, Certified Nurse Midwife (CNM)'],
  [['MD'], 'MDS Coordinator', 'MD, MDS Coordinator'],
] as const)
  test(`credentials say nothing twice: ${suffixes.join(', ')} and ${qualification}`, () => {
    const { providers } = partner({
      more: [
        {
          resourceType: 'Practitioner',
          id: 'a',
          name: [{ family: 'Jones', suffix: [...suffixes] }],
          qualification: [{ code: { text: qualification } }],
        },
      ],
    });
    assert.is(providers[0]?.credentials, expected);
  });

test('more credentials than anybody has are left out', () => {
  const suffix = Array.from({ length: 200 }, (_, n) => `X${n}`);
  const name = [{ family: 'Jones', suffix }];
  const { providers } = partner({ more: [{ resourceType: 'Practitioner', id: 'a', name }] });
  assert.is(providers[0]?.credentials, null);
});

test('a contained Practitioner is identified by an identifier of its own, never by its id', () => {
  const contained = (identifier: readonly JsonObject[]): JsonObject => ({
    contained: [{ resourceType: 'Practitioner', id: 'p', identifier, ...qualified('Doula') }],
    participant: [{ type: [{ coding: [{ code: 'ATND' }] }], individual: { reference: '#p' } }],
  });
  const known = partner({ encounter: contained([{ value: 'EHR-9' }]), more: [] });
  assert.equal([known.course.attendant, known.providers[0]?.identity], ['EHR-9', 'EHR-9']);
  const unknown = partner({ encounter: contained([npi]), more: [] });
  assert.equal([unknown.course.attendant, unknown.providers], [null, []]);
  assert.is(unknown.course.doula_present, true);
});

test('native lane: no attendant, no certifier, no doula from participants, no providers', () => {
  const bundle = birthBundle({
    encounter: { participant: [participant('d')] },
    composition: { author: [{ reference: 'Practitioner/d' }] },
    more: [practitioner('d', 'Doula')],
  });
  const course = courseOf(bundle);
  assert.equal([course.attendant, course.certifier, course.doula_present], [null, null, null]);
  const mapped = mapBundle(bundle);
  assert.equal(mapped.kind === 'course' && mapped.providers, []);
});

const doctor = (
  id: string,
  active: boolean | string,
  ...identifier: readonly JsonObject[]
): JsonObject => ({
  resourceType: 'Practitioner',
  id,
  active,
  identifier: [{ system: 'urn:ehr', value: id }, ...identifier],
});

for (const [what, practitioners, attendant, mentioned] of [
  [
    'an inactive one leads to the active one with its NPI',
    [doctor('old', false, npi), doctor('new', true, { ...npi, system: 'NPI' })],
    'new',
    ['new'],
  ],
  [
    'one that is inactive in quotes, too',
    [doctor('old', 'false', npi), doctor('new', 'true', npi)],
    'new',
    ['new'],
  ],
  ['an inactive one alone stays', [doctor('old', false, npi)], 'old', ['old']],
  [
    'of two active ones with its NPI, neither replaces it',
    [doctor('old', false, npi), doctor('new', true, npi), doctor('newer', true, npi)],
    'old',
    ['old', 'new', 'newer'],
  ],
] as const)
  test(`attendant: ${what}`, () => {
    const participant = {
      type: [{ coding: [{ code: 'ATND' }] }],
      individual: { reference: 'Practitioner/old' },
    };
    const mapped = mapBundle(
      birthBundle({ encounter: { participant: [participant] }, more: practitioners }),
      'partner',
    );
    assert.ok(mapped.kind === 'course');
    assert.is(mapped.course.attendant, attendant);
    assert.equal(
      mapped.providers.map(({ identity }) => identity),
      mentioned,
    );
    assert.equal(
      mapped.course.warnings.map(({ id }) => id),
      attendant === 'new' ? ['person-replaced'] : [],
    );
  });

test.run();
