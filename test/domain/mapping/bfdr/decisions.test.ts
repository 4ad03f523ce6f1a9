import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Transfer } from '../../../../domain/course/course.ts';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import { birthBundle, courseOf } from '../../../support/bundles.ts';

const policy = (code: string): JsonObject => ({
  status: 'active',
  policyRule: { coding: [{ code }] },
});

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
  ['a policy that refuses is not granted', [policy('OPTOUT')], false, 'active'],
  ['nor one that refuses with exceptions', [policy('OPTOUTE')], false, 'active'],
  ['nor one in words', [{ status: 'active', policyRule: { text: 'Opt-out' } }], false, 'active'],
  ...[
    { text: 'Opted out' },
    { text: 'opt-out with exceptions' },
    { coding: [{ display: 'opt-out' }] },
    { coding: [{ code: '7', display: 'Opt-out with exceptions' }] },
    { coding: [{ code: ['OPTOUT'] }] },
    { code: 'OPTOUT' },
    'OPTOUT',
  ].map(
    (policyRule) =>
      [
        `nor one said by ${JSON.stringify(policyRule)}`,
        [{ status: 'active', policyRule }],
        false,
        'active',
      ] as const,
  ),
  [
    'a deny in a list is not granted',
    [{ status: 'active', provision: { type: ['deny'] } }],
    false,
    'active',
  ],
  [
    'nor one beside a permit',
    [{ ...policy('OPTOUT'), provision: { type: 'permit' } }],
    false,
    'active',
  ],
  ['a policy that permits is granted', [policy('OPTIN')], true, 'active'],
  ['nor does any other policy refuse', [policy('cric')], true, 'active'],
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

const TRANSFER_TEXTS: readonly (readonly [string, Transfer['type'], Transfer['direction']])[] = [
  ['Transfer of care', null, null],
  ['Intrapartum transfer of care to hospital', null, 'out'],
  ['Maternal transfer', 'mother', null],
  ['MATERNAL  TRANSFER from birth center', 'mother', 'in'],
  ['Infant transfer', 'infant', null],
  ['Newborn transfer to Level III', 'infant', 'out'],
  ['Neonatal transfer', 'infant', null],
  ['Transferred in', null, 'in'],
  ['Transferred out', null, 'out'],
  ['Transferred from home', null, 'in'],
  ['Transferred to another hospital', null, 'out'],
  ['Emergency transfer to hospital', null, 'out'],
  ['Mother transferred-out in labor', null, 'out'],
  ['Transferred to the NICU of another hospital', null, 'out'],
  ['Infant transfer to Level III NICU', 'infant', 'out'],
  ['Maternal transfer, postpartum', 'mother', null],
  ['Transfer of care (postpartum)', null, null],
  ['Transfer to hospital, no complications', null, 'out'],
];

for (const [text, type, direction] of TRANSFER_TEXTS) {
  test(`transfers: the text "${text}" names one`, () => {
    assert.equal(encounterWith({ type: [{ text }] }), [{ type, direction, facility: null }]);
  });

  test(`transfers: the display "${text}" names one`, () => {
    const type_ = [{ coding: [{ code: 'local', display: text }] }];
    assert.equal(encounterWith({ type: type_ }), [{ type, direction, facility: null }]);
  });
}

for (const text of [
  'Frozen embryo transfer',
  'Embryo transferred to uterus',
  'Transfer of embryo to uterus',
  'Blastocyst transfer in IVF cycle',
  'Gamete intrafallopian transfer',
  'Oocytes transferred from donor',
  'FET transfer in natural cycle',
  'Records transferred from clinic',
  'Transfer of records in progress',
  'Tendon transfer',
  'Transfer',
  'Transfer pending',
  'Transferrin saturation',
  'Transferring in a wheelchair',
  'Cotransfer to lab',
  'Did not transfer to hospital',
  'Not transferred from home',
  'No maternal transfer',
  'Non-transferred in labor',
  'Transfer to hospital not needed',
  'Birth without infant transfer',
  'Transferred to room 4',
  'Transfer to postpartum unit',
  'Transfer from bed to chair',
  'Transferred to NICU',
  'Inpatient care',
])
  test(`transfers: the text "${text}" names none`, () => {
    assert.equal(encounterWith({ type: [{ text }] }), []);
    assert.equal(encounterWith({ type: [{ coding: [{ code: 'x', display: text }] }] }), []);
    assert.equal(encounterWith({ class: { code: 'x', display: text } }), []);
  });

test('transfers: a recognized code counts beside any text', () => {
  const type = [{ ...coded('107724000'), text: 'Frozen embryo transfer' }];
  assert.equal(encounterWith({ type }), [{ type: null, direction: null, facility: null }]);
});

test('transfers: who is the subject comes before who is named', () => {
  const type = [{ text: 'Infant transfer' }];
  assert.equal(encounterWith({ type, subject: { reference: 'Patient/mother' } }), [
    { type: 'mother', direction: null, facility: null },
  ]);
});

const transferred = { hospitalization: { dischargeDisposition: coded('other-hcf') } };
const OUT = [{ type: 'infant', direction: 'out', facility: null }];

for (const status of ['cancelled', 'entered-in-error', 'nullified', 'unknown'])
  test(`transfers: an Encounter that is ${status} names none beside one that took place`, () => {
    assert.equal(encounterWith({ ...transferred, status }), []);
  });

for (const [status, expected] of [
  ['cancelled', []],
  ['entered-in-error', []],
  ['nullified', OUT],
  ['unknown', OUT],
] as const)
  test(`transfers: an only Encounter that is ${status} names ${expected.length}`, () => {
    const bundle = birthBundle({ encounter: { ...transferred, status } });
    const { transfers } = courseOf(bundle, 'partner');
    assert.equal(transfers, expected);
  });

test.run();
