import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../domain/fhir/json.ts';
import { birthBundle, courseOf } from '../../support/bundles.ts';

const consentOf = (...consents: readonly JsonObject[]) =>
  courseOf(
    birthBundle({ more: consents.map((consent) => ({ resourceType: 'Consent', ...consent })) }),
  ).consent;

for (const [name, consents, granted, status] of [
  ['active without provisions is granted', [{ status: 'active' }], true, 'active'],
  [
    'active with a permit is granted',
    [{ status: 'active', provision: { type: 'permit' } }],
    true,
    'active',
  ],
  [
    'an explicit deny is not granted',
    [{ status: 'active', provision: { type: 'deny' } }],
    false,
    'active',
  ],
  [
    'a deny anywhere in the tree is not granted',
    [
      {
        status: 'active',
        provision: { provision: [{ type: 'permit', provision: [{ type: 'deny' }] }] },
      },
    ],
    false,
    'active',
  ],
  ['proposed is not granted', [{ status: 'proposed' }], false, 'proposed'],
  ['rejected is not granted', [{ status: 'rejected' }], false, 'rejected'],
  ['inactive is not granted', [{ status: 'inactive' }], false, 'inactive'],
  ['an unknown status is not granted and not kept', [{ status: 'sure' }], false, null],
  ['no Consent at all is not granted', [], false, null],
  [
    'only the first Consent is read',
    [{ status: 'rejected' }, { status: 'active' }],
    false,
    'rejected',
  ],
] as const) {
  test(`consent: ${name}`, () => {
    const consent = consentOf(...consents);
    assert.equal([consent.granted, consent.status], [granted, status]);
  });
}

test('consent: dateTime is preserved when present', () => {
  const dateTime = '2026-03-01T09:30:00-05:00';
  assert.is(consentOf({ status: 'active', dateTime }).date_time, dateTime);
  assert.is(consentOf({ status: 'active', dateTime: '2026-03' }).date_time, '2026-03');
  assert.is(consentOf({ status: 'active', dateTime: 'then' }).date_time, null);
});

const encounterWith = (encounter: JsonObject) =>
  courseOf(
    birthBundle({
      more: [
        { resourceType: 'Encounter', id: 'other', ...encounter },
        { resourceType: 'Location', id: 'north', name: 'North Hospital' },
      ],
    }),
  ).transfers;

const coded = (code: string, rest: JsonObject = {}) => ({ coding: [{ code }], ...rest });

for (const [name, encounter, expected] of [
  [
    'hosp-trans as admit source: the mother, in, with the facility of origin',
    {
      hospitalization: {
        admitSource: coded('hosp-trans'),
        origin: { reference: 'Location/north' },
      },
    },
    [{ type: 'mother', direction: 'in', facility: 'North Hospital' }],
  ],
  [
    'other-hcf as discharge disposition: the infant, out, with the destination',
    {
      hospitalization: {
        dischargeDisposition: coded('other-hcf'),
        destination: { reference: 'Location/gone', display: 'East Hospital' },
      },
    },
    [{ type: 'infant', direction: 'out', facility: 'East Hospital' }],
  ],
  [
    'other and oth are no transfer',
    { hospitalization: { admitSource: coded('other'), dischargeDisposition: coded('oth') } },
    [],
  ],
  [
    '107724000 as type',
    { type: [coded('107724000')], subject: { reference: 'Patient/mother' } },
    [{ type: 'mother', direction: null, facility: null }],
  ],
  [
    '19712007 as type',
    { type: [coded('19712007')], subject: { reference: 'Patient/child-1' } },
    [{ type: 'infant', direction: 'out', facility: null }],
  ],
  [
    'a class that names a transfer',
    { class: { code: '19712007' } },
    [{ type: null, direction: 'out', facility: null }],
  ],
  [
    'a text that names a transfer',
    { type: [{ text: 'Transfer from home' }] },
    [{ type: null, direction: 'in', facility: null }],
  ],
  ['a text that denies one', { type: [{ text: 'Did not transfer' }] }, []],
  ['an inpatient stay', { type: [{ ...coded('99234'), text: 'Inpatient care' }] }, []],
] as const) {
  test(`transfers: ${name}`, () => {
    assert.equal(encounterWith(encounter), expected);
  });
}

test.run();
