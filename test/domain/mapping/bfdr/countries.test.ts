import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { OTHER_COUNTRIES, readCountry } from '../../../../domain/course/places.ts';
import { buildDocumentBundle } from '../../../../domain/export/bfdr/document-bundle.ts';
import { asObject, asObjects, type JsonObject } from '../../../../domain/fhir/json.ts';
import { birthBundle, courseOf } from '../../../support/bundles.ts';
import { exportedRecord } from '../../../support/exported-records.ts';

/** Countries of an address: codes of the guide, of ISO 3166-1, and names. */

const GUIDE = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition/Patient-mother-vr';
const OTHER = 'http://example.org/StructureDefinition/Patient-mother';

const courseIn = (country: string, profile = GUIDE) =>
  courseOf(
    birthBundle({
      mother: null,
      more: [
        {
          resourceType: 'Patient',
          id: 'm',
          meta: { profile: [profile] },
          address: [{ use: 'home', city: 'Anywhere', country }],
        },
      ],
    }),
  );

const read = (country: string, profile = GUIDE) => {
  const { mother, warnings } = courseIn(country, profile);
  const warned = warnings.filter(({ field }) => field === 'mother.address.country');
  return { country: mother.address.country, warned: warned.map(({ id }) => id) };
};

for (const [code, guide, iso] of [
  ['GM', 'DE', 'GM'],
  ['CH', 'CN', 'CH'],
  ['ES', 'SV', 'ES'],
  ['AX', 'Akrotiri (AX)', 'AX'],
] as const)
  test(`${code} is ${guide} by the guide, and ${iso} in a Patient of another profile, with a warning`, () => {
    assert.equal(read(code), { country: guide, warned: [] });
    assert.equal(read(code, OTHER), { country: iso, warned: ['country-ambiguous'] });
  });

for (const profile of [
  `${GUIDE}|2.0.0`,
  `${GUIDE}/`,
  GUIDE.replace('http:', 'https:').toUpperCase(),
  'https://build.fhir.org/ig/HL7/vr-common-library/StructureDefinition-Patient-mother-vr.html',
  'http://hl7.org/fhir/us/bfdr/StructureDefinition/Patient-mother',
])
  test(`${profile} is a profile of the guide`, () => {
    assert.equal(read('GM', profile), { country: 'DE', warned: [] });
  });

for (const [sent, stored] of [
  ['US', 'US'],
  ['USA', 'US'],
  ['MX', 'MX'],
  ['DEU', 'DE'],
  ['Germany', 'DE'],
  ['KV', 'Kosovo (KV)'],
  ['Gaza Strip', 'Gaza Strip (GZ)'],
  ['Panama', 'PA'],
  // Not in the list of the guide.
  ['DE', 'DE'],
  ['Atlantis', 'Atlantis'],
] as const)
  test(`${sent} is ${stored}`, () => {
    assert.equal(read(sent), { country: stored, warned: [] });
  });

test('a name and a code of one meaning are the same in each Patient', () => {
  for (const sent of ['US', 'MX', 'Germany', 'Kosovo']) assert.equal(read(sent, OTHER), read(sent));
});

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

test('each code of the guide leaves as it came, with XX as the state of an address abroad', () => {
  const known = LETTERS.flatMap((one) => LETTERS.map((other) => `${one}${other}`)).filter(
    (code) => readCountry(code, 'vital records') !== null,
  );
  assert.ok(known.length > 295);
  for (const code of known.filter((one) => read(one).country !== readCountry(one, 'ISO 3166'))) {
    const course = courseOf(buildDocumentBundle(exportedRecord(courseIn(code), 'native')));
    assert.is(course.mother.address.country, read(code).country, code);
    const entries = asObjects(buildDocumentBundle(exportedRecord(course, 'native'))['entry']);
    const address = entries.flatMap(({ resource }) => asObjects(asObject(resource)['address']))[0];
    assert.equal([address?.['country'], address?.['state']], [code, 'XX']);
  }
  assert.is(OTHER_COUNTRIES.size, 55);
});

const home = (place: JsonObject) =>
  courseOf(
    birthBundle({
      mother: null,
      more: [{ resourceType: 'Patient', id: 'm', meta: { profile: [GUIDE] }, address: [place] }],
    }),
  );

for (const [what, place, written] of [
  ['a territory as the country', { country: 'GU' }, ['GU', 'US']],
  ['a territory by name', { country: 'Puerto Rico' }, ['PR', 'US']],
  ['military mail', { state: 'AE', country: 'US' }, ['ZZ', 'US']],
  ['a province without a country', { state: 'ON' }, ['ZZ', undefined]],
  ['a code of no list', { state: 'AL', country: 'QZ' }, ['ZZ', 'ZZ']],
  ['a country of no list', { state: 'AL', country: 'Atlantis' }, ['ZZ', 'Atlantis']],
  ['texts', { state: 'Bavaria', country: 'Atlantis' }, ['Bavaria', 'Atlantis']],
] as const)
  test(`${what} is written as the state file has it, and comes back`, () => {
    const course = home(place);
    const bundle = buildDocumentBundle(exportedRecord(course, 'native'));
    assert.equal(courseOf(bundle).mother.address, course.mother.address);
    const [address] = asObjects(bundle['entry']).flatMap(({ resource }) =>
      asObjects(asObject(resource)['address']),
    );
    assert.equal([address?.['state'], address?.['country']], written);
  });

test('a code that only the guide has is that of the guide, whatever the Patient', () => {
  for (const code of ['VM', 'KV']) {
    const course = courseIn(code, OTHER);
    const bundle = buildDocumentBundle(exportedRecord(course, 'native'));
    const [address] = asObjects(bundle['entry']).flatMap(({ resource }) =>
      asObjects(asObject(resource)['address']),
    );
    assert.equal([address?.['state'], address?.['country']], ['XX', code]);
    assert.equal(courseOf(bundle).mother.address, course.mother.address);
  }
});

test.run();
