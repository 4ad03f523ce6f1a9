import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Transfer } from '../../../../domain/course/course.ts';
import type { JsonObject } from '../../../../domain/fhir/json.ts';
import { birthBundle, courseOf } from '../../../support/bundles.ts';
import { buildTransfer } from '../../../support/transfers.ts';

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
    [buildTransfer({ type: 'mother', direction: 'in', facility: 'North Hospital' })],
  ],
  [
    'other-hcf as discharge disposition: the infant, out, with the destination',
    {
      hospitalization: {
        dischargeDisposition: coded('other-hcf'),
        destination: { reference: 'Location/gone', display: 'East Hospital' },
      },
    },
    [buildTransfer({ type: 'infant', direction: 'out', facility: 'East Hospital' })],
  ],
  [
    'other and oth are no transfer',
    { hospitalization: { admitSource: coded('other'), dischargeDisposition: coded('oth') } },
    [],
  ],
  [
    '107724000 as type',
    { type: [coded('107724000')], subject: { reference: 'Patient/mother' } },
    [buildTransfer({ type: 'mother', direction: null, facility: null })],
  ],
  [
    '19712007 as type',
    { type: [coded('19712007')], subject: { reference: 'Patient/child-1' } },
    [buildTransfer({ type: 'infant', direction: 'out', facility: null })],
  ],
  [
    'a class that names a transfer',
    { class: { code: '19712007' } },
    [buildTransfer({ type: null, direction: 'out', facility: null })],
  ],
  [
    'a text that names a transfer',
    { type: [{ text: 'Transfer from home' }] },
    [buildTransfer({ type: null, direction: 'in', place: 'home', facility: null })],
  ],
  ['a text that denies one', { type: [{ text: 'Did not transfer' }] }, []],
  ['an inpatient stay', { type: [{ ...coded('99234'), text: 'Inpatient care' }] }, []],
] as const) {
  test(`transfers: ${name}`, () => {
    assert.equal(encounterWith(encounter), expected);
  });
}

const TRANSFER_TEXTS: readonly (readonly [
  text: string,
  type: Transfer['type'],
  direction: Transfer['direction'],
  place?: Transfer['place'],
])[] = [
  ['Transfer of care', null, null],
  ['Intrapartum transfer of care to hospital', null, 'out', 'hospital'],
  ['Maternal transfer', 'mother', null],
  ['MATERNAL  TRANSFER from birth center', 'mother', 'in', 'birth center'],
  ['Infant transfer', 'infant', null],
  ['Newborn transfer to Level III', 'infant', 'out'],
  ['Neonatal transfer', 'infant', null],
  ['Transferred in', null, 'in'],
  ['Transferred out', null, 'out'],
  ['Transferred from home', null, 'in', 'home'],
  ['Transferred from home to hospital', null, 'in', 'home'],
  ['Transferred from hospital to home', null, 'in', 'hospital'],
  ['Transferred to another hospital', null, 'out', 'hospital'],
  ['Emergency transfer to hospital', null, 'out', 'hospital'],
  ['Mother transferred-out in labor', null, 'out'],
  ['Transferred to the NICU of another hospital', null, 'out'],
  ['Infant transfer to Level III NICU', 'infant', 'out'],
  ['Maternal transfer, postpartum', 'mother', null],
  ['Transfer of care (postpartum)', null, null],
  ['Transfer to hospital, no complications', null, 'out', 'hospital'],
];

for (const [text, type, direction, place = null] of TRANSFER_TEXTS) {
  const expected = [buildTransfer({ type, direction, place })];
  test(`transfers: the text "${text}" names one`, () => {
    assert.equal(encounterWith({ type: [{ text }] }), expected);
  });

  test(`transfers: the display "${text}" names one`, () => {
    const type_ = [{ coding: [{ code: 'local', display: text }] }];
    assert.equal(encounterWith({ type: type_ }), expected);
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
  assert.equal(encounterWith({ type }), [
    buildTransfer({ type: null, direction: null, facility: null }),
  ]);
});

test('transfers: who is the subject comes before who is named', () => {
  const type = [{ text: 'Infant transfer' }];
  assert.equal(encounterWith({ type, subject: { reference: 'Patient/mother' } }), [
    buildTransfer({ type: 'mother', direction: null, facility: null }),
  ]);
});

const transferred = { hospitalization: { dischargeDisposition: coded('other-hcf') } };
const OUT = [buildTransfer({ type: 'infant', direction: 'out', facility: null })];

/** Transfers of a child whose stay ended then. */
const afterStay = (born: string, end: string, stay: JsonObject = transferred) =>
  courseOf(
    birthBundle({
      children: [{ birthTime: born }],
      more: [
        {
          resourceType: 'Encounter',
          id: 'other',
          subject: { reference: 'Patient/child-1' },
          period: { start: born, end },
          ...stay,
        },
      ],
    }),
  ).transfers;

for (const [born, end, hours] of [
  ['2026-03-12T04:00:00-05:00', '2026-03-12T10:00:00-05:00', 6],
  ['2026-03-12T04:00:00-05:00', '2026-03-12T15:00:01Z', 7],
  ['2026-03-12T04:00:00-05:00', '2026-03-13T04:00:00-05:00', 24],
  ['2026-03-12T04:00:00-05:00', '2026-03-13T04:01:00-05:00', 25],
  ['2026-03-12T04:00:00-05:00', '2026-03-12', null],
  ['2026-03-12T04:00:00', '2026-03-12T10:00:00', null],
  ['2026-03-12T04:00:00-05:00', '2026-03-12T03:00:00-05:00', null],
  ['2026-03-12T04:00:00-05:00', '2026-05-12T03:00:00-05:00', null],
] as const)
  test(`transfers: a child born ${born} whose stay ended ${end} left after ${hours} hours`, () => {
    assert.equal(afterStay(born, end), [{ ...OUT[0], hours_after_birth: hours }]);
  });

test('transfers: the period of a transport is not that of the stay before it', () => {
  const transport = { type: [{ text: 'Infant transfer to hospital' }] };
  assert.equal(afterStay('2026-03-12T04:00:00-05:00', '2026-03-12T10:00:00-05:00', transport), [
    buildTransfer({ type: 'infant', direction: 'out', place: 'hospital' }),
  ]);
});

test('transfers: one of several children is named by the birth order', () => {
  const { transfers } = courseOf(
    birthBundle({
      children: [{ order: 1 }, { order: 2 }],
      more: [1, 2].map((order) => ({
        resourceType: 'Encounter',
        id: `stay-${order}`,
        subject: { reference: `Patient/child-${order}` },
        ...transferred,
      })),
    }),
  );
  assert.equal(
    transfers,
    [1, 2].map((order) => ({ ...OUT[0], child_birth_order: order })),
  );
});

const detail = (name: string, value: JsonObject): JsonObject => ({
  ...transferred,
  extension: [
    { url: 'urn:birth-registry:extension/transfer', extension: [{ url: name, ...value }] },
  ],
});

for (const [name, value, held] of [
  ['timing', { valueCode: 'after birth' }, 'after birth'],
  ['timing', { valueCode: 'on Monday' }, null],
  ['hours_after_birth', { valueInteger: 6 }, 6],
  ['hours_after_birth', { valueInteger: 1_009 }, null],
  ['hours_after_birth', { valueInteger: 1.5 }, null],
  ['hours_after_birth', { valueString: '6' }, null],
  ['urgency', { valueCode: 'urgent' }, 'urgent'],
  ['reason', { valueString: ' Low  oxygen ' }, 'Low  oxygen'],
  ['reason', { valueString: 'x'.repeat(301) }, null],
] as const)
  test(`transfers: ${name} of ${JSON.stringify(value).slice(0, 40)} is ${held}`, () => {
    assert.equal(encounterWith(detail(name, value)), [{ ...OUT[0], [name]: held }]);
  });

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
