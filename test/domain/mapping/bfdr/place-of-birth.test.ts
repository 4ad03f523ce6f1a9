import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { maskForPartner } from '../../../../domain/course/mask.ts';
import { PLACE_OF_BIRTH_REQUIRED } from '../../../../domain/course/rejections.ts';
import type { Lane } from '../../../../domain/mapping/bfdr/place-of-birth.ts';
import { type BirthParts, birthBundle, courseOf, rejectionsOf } from '../../../support/bundles.ts';

const SNOMED = 'http://snomed.info/sct';
const ROLE_CODE = 'http://terminology.hl7.org/CodeSystem/v3-RoleCode';
const BFDR_LOCAL = 'http://hl7.org/fhir/us/bfdr/CodeSystem/CodeSystem-local-bfdr-codes';
const LANES: readonly Lane[] = ['native', 'partner'];

const concept = (...codings: readonly (readonly [string, string])[]) => ({
  coding: codings.map(([system, code]) => ({ system, code })),
});
const typed = (...codings: readonly (readonly [string, string])[]): BirthParts => ({
  place: null,
  location: { type: [concept(...codings)] },
});
const vehicle = { physicalType: concept(['http://x.org', 've']) };
const hospital = { physicalType: concept([SNOMED, '22232009']) };

const accepted: readonly (readonly [string, BirthParts, string])[] = [
  ['22232009 is Hospital', { place: '22232009' }, 'Hospital'],
  ['91154008 is Birth center', { place: '91154008' }, 'Birth center'],
  ['408839006 is Home', { place: '408839006' }, 'Home'],
  ['67190003 is Home', { place: '67190003' }, 'Home'],
  ['39350007 is Clinic', { place: '39350007' }, 'Clinic'],
  ['OTH is Other', { place: 'OTH', placeSystem: 'http://x.org/null' }, 'Other'],
  [
    'the table knows a code under any system',
    { place: '91154008', placeSystem: 'urn:x' },
    'Birth center',
  ],
  [
    'of several type codings the first that the table knows counts',
    typed([ROLE_CODE, 'HOSP'], [SNOMED, '999'], [SNOMED, '39350007'], [SNOMED, '22232009']),
    'Clinic',
  ],
  [
    'codings of the function alone leave the word to Encounter.location.physicalType',
    { ...typed([ROLE_CODE, 'HOSP'], [BFDR_LOCAL, 'loc_birth']), stay: hospital },
    'Hospital',
  ],
  [
    'no type coding and Location.physicalType ve is En route',
    { place: null, location: vehicle },
    'En route',
  ],
  [
    'no type coding and Encounter.location.physicalType ve is En route',
    { place: null, stay: vehicle },
    'En route',
  ],
  [
    'no type coding and an Encounter.location.physicalType of the table is that place',
    { place: null, stay: hospital },
    'Hospital',
  ],
  [
    'Encounter.location.physicalType counts without any Location',
    { encounter: { location: [hospital] } },
    'Hospital',
  ],
  [
    'a contained Location counts',
    {
      encounter: {
        contained: [{ resourceType: 'Location', id: 'l', type: [concept([SNOMED, '91154008'])] }],
        location: [{ location: { reference: '#l' } }],
      },
    },
    'Birth center',
  ],
  [
    'codings without a code do not count',
    {
      place: null,
      location: { type: [{ coding: [{ display: 'Ward' }, { system: SNOMED }] }], ...vehicle },
    },
    'En route',
  ],
];

for (const [name, parts, place] of accepted) {
  test(name, () => {
    for (const lane of LANES) assert.is(courseOf(birthBundle(parts), lane).place_of_birth, place);
  });
}

const refused: readonly (readonly [string, BirthParts, string])[] = [
  ['an unrecognized type coding is rejected, naming the code', { place: '408838003' }, '408838003'],
  [
    'an unrecognized type coding is rejected even if the Location is also a vehicle',
    { place: 'AMB', location: vehicle },
    'AMB',
  ],
  [
    'a function that comes with no place is rejected',
    typed([ROLE_CODE, 'HOSP'], [BFDR_LOCAL, 'loc_birth']),
    'HOSP',
  ],
  [
    'a type coding of another system keeps Encounter.location.physicalType from deciding',
    { ...typed([SNOMED, '999'], [ROLE_CODE, 'HOSP']), stay: hospital },
    '999',
  ],
  [
    'no system is not the function system',
    { place: null, location: { type: [{ coding: [{ code: 'HOSP' }] }] }, stay: hospital },
    'HOSP',
  ],
];

for (const [name, parts, code] of refused) {
  test(`${name}, in both lanes`, () => {
    for (const lane of LANES) {
      const [rejection, ...rest] = rejectionsOf(birthBundle(parts), lane);
      assert.is(rest.length, 0);
      assert.is(rejection?.code, 'code value');
      assert.equal(rejection?.expression, ['Encounter.location.location.type']);
      assert.ok(rejection?.diagnostics.includes(code), rejection?.diagnostics);
    }
  });
}

test('what does not look like a code is not echoed', () => {
  const [rejection] = rejectionsOf(birthBundle({ place: 'Rosa Marin, home' }));
  assert.is(rejection?.code, 'code value');
  assert.not(rejection?.diagnostics.includes('Rosa'));
});

for (const [name, parts] of [
  ['no Encounter', { encounter: null }],
  ['an Encounter without location', { encounter: { location: [] } }],
  [
    'a Location that is not in the Bundle',
    { encounter: { location: [{ location: { reference: 'Location/x' } }] } },
  ],
  ['a Location without type', { place: null }],
  ['a Location type of text alone', { place: null, location: { type: [{ text: 'Hospital' }] } }],
  ['a Location.physicalType of the table', { place: null, location: hospital }],
] as const) {
  test(`${name}: required on a native key, accepted on a partner key`, () => {
    assert.equal(rejectionsOf(birthBundle(parts)), [PLACE_OF_BIRTH_REQUIRED]);
    assert.is(courseOf(birthBundle(parts), 'partner').place_of_birth, null);
  });
}

const encounter = (profile: string, subject: string, place: string | null, id: string) => ({
  resourceType: 'Encounter',
  id,
  meta: { profile: [profile] },
  subject: { reference: subject },
  ...(place === null ? {} : { location: [{ physicalType: concept([SNOMED, place]) }] }),
});
const MATERNITY = 'http://x.org/Encounter-maternity';

test('the birth Encounter is the one whose profile ends in birth', () => {
  const more = [
    encounter(MATERNITY, 'Patient/child-1', '39350007', 'm'),
    encounter('http://x.org/Encounter-birth|2.0.0', 'Patient/mother', '91154008', 'b'),
  ];
  assert.is(courseOf(birthBundle({ encounter: null, more })).place_of_birth, 'Birth center');
});

test('else the one whose subject is a child', () => {
  const more = [
    encounter(MATERNITY, 'Patient/mother', '39350007', 'm'),
    encounter('http://x.org/visit', 'Patient/child-1', '91154008', 'b'),
  ];
  assert.is(courseOf(birthBundle({ encounter: null, more })).place_of_birth, 'Birth center');
});

test('else the first with a location', () => {
  const more = [
    encounter(MATERNITY, 'Patient/mother', null, 'a'),
    encounter(MATERNITY, 'Patient/mother', '39350007', 'b'),
  ];
  assert.is(courseOf(birthBundle({ encounter: null, more })).place_of_birth, 'Clinic');
});

const standing = (status: string | null, place: string | null, id: string) => ({
  ...encounter('http://x.org/Encounter-birth', 'Patient/child-1', place, id),
  ...(status === null ? {} : { status }),
});
const [HOSPITAL, BIRTH_CENTER] = ['22232009', '91154008'];

for (const status of ['cancelled', 'entered-in-error', 'nullified', 'unknown'])
  test(`an Encounter that is ${status} gives way to one that took place`, () => {
    const gone = standing(status, BIRTH_CENTER, 'gone');
    const finished = standing('finished', HOSPITAL, 'finished');
    for (const lane of LANES)
      for (const more of [
        [gone, finished],
        [finished, gone],
      ])
        assert.is(
          courseOf(birthBundle({ encounter: null, more }), lane).place_of_birth,
          'Hospital',
        );
  });

test('an Encounter of the mother that took place comes before a canceled one of the child', () => {
  const more = [
    standing('cancelled', BIRTH_CENTER, 'gone'),
    encounter(MATERNITY, 'Patient/mother', HOSPITAL, 'm'),
  ];
  assert.is(courseOf(birthBundle({ encounter: null, more })).place_of_birth, 'Hospital');
});

for (const status of ['cancelled', 'entered-in-error'])
  test(`an Encounter that is ${status} gives no place, even alone`, () => {
    const more = [standing(status, BIRTH_CENTER, 'gone')];
    const bundle = birthBundle({ encounter: null, more });
    assert.equal(rejectionsOf(bundle), [PLACE_OF_BIRTH_REQUIRED]);
    assert.is(courseOf(bundle, 'partner').place_of_birth, null);
  });

test('a place that is not recognized in a canceled Encounter rejects nothing', () => {
  const bad = { ...encounter('http://x.org/Encounter-birth', 'Patient/child-1', null, 'gone') };
  const location = [{ location: { reference: 'Location/odd' } }];
  const odd = { resourceType: 'Location', id: 'odd', type: [concept([SNOMED, '999'])] };
  const more = [{ ...bad, status: 'cancelled', location }, odd, standing(null, HOSPITAL, 'b')];
  assert.is(courseOf(birthBundle({ encounter: null, more })).place_of_birth, 'Hospital');
});

for (const status of ['nullified', 'unknown']) {
  test(`an Encounter that is ${status} gives the place where there is no other`, () => {
    const more = [standing('cancelled', HOSPITAL, 'gone'), standing(status, BIRTH_CENTER, 'b')];
    const course = courseOf(birthBundle({ encounter: null, more }));
    assert.is(course.place_of_birth, 'Birth center');
  });

  test(`an Encounter that is ${status} gives the place where no other has a location`, () => {
    const more = [
      { ...encounter(MATERNITY, 'Patient/mother', null, 'm'), status: 'finished' },
      standing(status, BIRTH_CENTER, 'b'),
    ];
    const course = courseOf(birthBundle({ encounter: null, more }));
    assert.is(course.place_of_birth, 'Birth center');
  });
}

const UNKNOWN_PLACE = {
  id: 'place-of-birth-unknown',
  reason: 'The code names no known place of birth',
};

test('a type coding that is not recognized beside one that is: accepted, with a warning', () => {
  const mixed = typed(
    [SNOMED, '999'],
    [ROLE_CODE, 'HOSP'],
    ['urn:x', 'ward-7'],
    [SNOMED, '22232009'],
    [SNOMED, '999'],
  );
  const course = courseOf(birthBundle(mixed));
  assert.is(course.place_of_birth, 'Hospital');
  assert.equal(course.warnings, [
    { field: 'place_of_birth', child: null, raw: '999', ...UNKNOWN_PLACE },
    { field: 'place_of_birth', child: null, raw: 'ward-7', ...UNKNOWN_PLACE },
  ]);
});

test('what does not look like a code is not named by the warning', () => {
  const course = courseOf(birthBundle(typed([SNOMED, '22232009'], ['urn:x', 'Rosa Marin, home'])));
  assert.equal(
    course.warnings.map(({ raw, id }) => [raw, id]),
    [[null, UNKNOWN_PLACE.id]],
  );
});

test("the mask takes the code out of a partner's warning", () => {
  const mixed = birthBundle(typed([SNOMED, '22232009'], [SNOMED, '999']));
  assert.equal(maskForPartner(courseOf(mixed, 'partner')).warnings, [
    { field: 'place_of_birth', child: null, raw: null, ...UNKNOWN_PLACE },
  ]);
});

test('codings of the table or of the function alone leave no warning', () => {
  const mixed = typed([ROLE_CODE, 'HOSP'], [SNOMED, '39350007'], [SNOMED, '22232009']);
  assert.equal(courseOf(birthBundle(mixed)).warnings, []);
});

test.run();
