import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readPatientRole } from '../../../../domain/mapping/bfdr/roles.ts';

const patient = (...profile: readonly string[]) => ({ meta: { profile } });
const VRCL = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';

for (const [name, resource, role] of [
  ['a mother profile', patient(`${VRCL}/Patient-mother-vr`), 'mother'],
  ['a maternal profile', patient('http://x.org/Maternal-Patient'), 'mother'],
  ['a child profile', patient(`${VRCL}/Patient-child-vr`), 'child'],
  ['a newborn profile', patient('http://x.org/NEWBORN'), 'child'],
  ['a fetus profile is a child', patient('http://x.org/Patient-decedent-fetus'), 'child'],
  ['the version suffix does not count', patient(`${VRCL}/Patient-mother-vr|2.0.0-child`), 'mother'],
  [
    'any host, and a segment with a prefix',
    patient('http://build.fhir.org/ig/HL7/vr-common-library/StructureDefinition-Patient-mother-vr'),
    'mother',
  ],
  ['only the last path segment counts', patient('http://child.org/mother/us-core-patient'), null],
  ['within one segment a child word wins', patient('http://x.org/child-of-mother'), 'child'],
  [
    'across several profiles the mother wins',
    patient('http://x.org/child', 'http://x.org/mother'),
    'mother',
  ],
  ['no recognized profile, no role', patient('http://x.org/us-core-patient'), null],
  ['no meta, no role', {}, null],
  ['a lone profile string is read', { meta: { profile: 'http://x.org/mother' } }, 'mother'],
  ['profiles that are no strings are no role', { meta: { profile: [null, {}, 3] } }, null],
] as const) {
  test(`roles: ${name}`, () => {
    assert.is(readPatientRole(resource), role);
  });
}

test.run();
