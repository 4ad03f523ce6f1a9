import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOffsetAt } from '../../../../api/practice-time/practice-clock.ts';
import { buildDocumentBundle } from '../../../../domain/export/bfdr/document-bundle.ts';
import { readCodes } from '../../../../domain/fhir/coded-values.ts';
import { asObject, asObjects, type JsonObject } from '../../../../domain/fhir/json.ts';
import { BIRTHS, type BirthOfShape } from '../../../support/births-of-every-shape.ts';
import { assertBroughtBack } from '../../../support/exported-records.ts';
import {
  ASKED,
  type Asked,
  BIRTH_SEX,
  CHILD,
  FETUS,
  foundUnder,
  IN_PARTS,
  MOTHER,
  ORIGINS,
  peopleProblemsOf,
  profileIn,
  QUESTIONS,
  RACE,
  resourcesIn,
  WORKSHEET,
} from '../../../support/people-of-the-guide.ts';

const documentOf = ({ record, timeZone }: BirthOfShape): JsonObject =>
  JSON.parse(
    JSON.stringify(
      buildDocumentBundle(record, timeZone === null ? null : createOffsetAt(timeZone)),
    ),
  );

const laneOf = ({ record: { keyKind } }: BirthOfShape) =>
  keyKind === 'partner' ? 'partner' : 'native';

/** Rows of the guide that a document breaks. */
const problemsOf = (bundle: JsonObject): readonly string[] => [
  ...peopleProblemsOf(bundle),
  ...(isWorksheetThere(bundle) ? [] : [`E3 bundle ${WORKSHEET}: not about mother and child`]),
];

/** Whether race and ethnicity of the mother stand in one worksheet, of the child, with her in focus. */
const isWorksheetThere = (bundle: JsonObject): boolean => {
  const of = (profile: string) =>
    asObjects(bundle['entry']).filter(({ resource }) => profileIn(asObject(resource)) === profile);
  const [mother] = of(MOTHER);
  const stated = foundUnder(asObject(mother?.['resource']), 'extension').length;
  const worksheets = of(WORKSHEET).map(({ resource }) => asObject(resource));
  if (stated === 0) return worksheets.length === 0;
  const children = [...of(CHILD), ...of(FETUS)].map(({ fullUrl }) => fullUrl);
  const [focus] = asObjects(worksheets[0]?.['focus']);
  return (
    worksheets.length === 1 &&
    focus?.['reference'] === mother?.['fullUrl'] &&
    children.includes(asObject(worksheets[0]?.['subject'])['reference'])
  );
};

const shapes = suite('a birth that leaves, as far as it is about people');

for (const birth of BIRTHS) {
  shapes(`${birth.name}: keeps to the guide`, () => {
    assert.equal(problemsOf(documentOf(birth)), []);
  });
  if (birth.record.status === 'live')
    shapes(`${birth.name}: comes back the same`, () => {
      assertBroughtBack(birth.record, laneOf(birth), documentOf(birth));
    });
}

shapes('each row of the guide is about an element that one of them has, or must not have', () => {
  const documents = BIRTHS.map(documentOf).flatMap(resourcesIn);
  const isThere = ({ profile, path }: Asked): boolean =>
    documents.some(
      (resource) =>
        profileIn(resource) === profile &&
        path
          .split('.')
          .reduce<readonly JsonObject[]>(
            (held, step) =>
              held.flatMap((holder) => foundUnder(holder, step).map(({ element }) => element)),
            [resource],
          ).length > 0,
    );
  const unseen = ASKED.filter((asked) => asked.most !== 0 && !isThere(asked));
  assert.equal(
    unseen.filter(
      // A mother has no time or order of birth; a fetus of these has a whole date.
      ({ profile, path }) =>
        !(profile === MOTHER && /^(birthDate\.|multipleBirth)/.test(path)) &&
        !(profile === FETUS && path.startsWith(IN_PARTS)),
    ),
    [],
  );
});

shapes.run();

const named = (name: string): BirthOfShape => {
  const birth = BIRTHS.find((each) => each.name === name);
  if (birth === undefined) throw new Error(`No birth is called ${name}`);
  return birth;
};

type Change = (resource: JsonObject) => JsonObject | null;

/** The Bundle with its resources of a profile changed, or without those that are changed to nothing. */
const changed = (bundle: JsonObject, profile: string, change: Change): JsonObject => ({
  ...bundle,
  entry: asObjects(bundle['entry']).flatMap((entry) => {
    const resource = asObject(entry['resource']);
    if (profileIn(resource) !== profile) return [entry];
    const after = change(resource);
    return after === null ? [] : [{ ...entry, resource: after }];
  }),
});

const without = (resource: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => !names.includes(name)));

const withoutExtensions = (resource: JsonObject, ...ends: readonly string[]): JsonObject => ({
  ...resource,
  extension: asObjects(resource['extension']).filter(
    ({ url }) => !ends.some((end) => String(url).endsWith(end)),
  ),
});

const RACE_URL = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race';
const FHIR = 'http://hl7.org/fhir/StructureDefinition';
const COMMON = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';
const VERBATIM = { url: 'urn:birth-registry:extension/verbatim', valueBoolean: true };
const ABSENT = {
  url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
  valueCode: 'masked',
};

const race = (url: string, code: string): JsonObject => ({
  url: RACE_URL,
  extension: [
    { url, valueCoding: { code } },
    { url: 'text', valueString: code },
  ],
});

const withTime = (birthTime: string) => (patient: JsonObject) => ({
  ...patient,
  _birthDate: { extension: [{ url: `${FHIR}/patient-birthTime`, valueDateTime: birthTime }] },
});

/** Each row as it was written before 0.2.0, in which other readers lost it: what the check has to find. */
const BEFORE: readonly {
  readonly row: string;
  readonly name: string;
  readonly birth: string;
  readonly written: (bundle: JsonObject) => JsonObject;
  /** Paths of which the check says that they are wrong. */
  readonly found: readonly string[];
}[] = [
  {
    row: 'E3',
    name: 'race and ethnicity as extensions alone',
    birth: 'a singleton',
    written: (bundle) => changed(bundle, WORKSHEET, () => null),
    found: [WORKSHEET],
  },
  {
    row: 'E3',
    name: 'the worksheet of a category and a detail about the mother, without what is not so',
    birth: 'races: detail before categories',
    written: (bundle) => {
      const mother = asObjects(bundle['entry']).find(
        ({ resource }) => profileIn(asObject(resource)) === MOTHER,
      );
      return changed(bundle, WORKSHEET, (worksheet) => ({
        ...without(worksheet, 'focus'),
        subject: { reference: mother?.['fullUrl'] },
        component: asObjects(worksheet['component']).filter(
          (each) => each['valueBoolean'] === true,
        ),
      }));
    },
    found: ['focus', WORKSHEET],
  },
  {
    row: 'E5',
    name: 'a boolean that it was no multiple birth',
    birth: 'a singleton',
    written: (bundle) =>
      changed(bundle, CHILD, (patient) => ({
        ...without(patient, 'multipleBirthInteger', '_multipleBirthInteger'),
        multipleBirthBoolean: false,
      })),
    found: ['multipleBirthBoolean'],
  },
  {
    row: 'E7',
    name: 'a time of birth without an offset',
    birth: 'a time without an offset, in a practice without a time zone',
    written: (bundle) => changed(bundle, CHILD, withTime('2026-03-12T04:31:07.25')),
    found: ['birthDate.extension(/patient-birthTime).valueDateTime'],
  },
  {
    row: 'E7',
    name: 'a time of birth without seconds',
    birth: 'a time without seconds or offset, in a practice with a time zone',
    written: (bundle) => changed(bundle, CHILD, withTime('2026-03-12T04:31')),
    found: ['birthDate.extension(/patient-birthTime).valueDateTime'],
  },
  {
    row: 'E8',
    name: 'no identifier where there is no chart number',
    birth: 'no chart number',
    written: (bundle) => without(bundle, 'identifier'),
    found: ['identifier'],
  },
  {
    row: 'E11',
    name: 'a child that was born alive and is deceased',
    birth: 'a live-born child that died',
    written: (bundle) =>
      changed(bundle, CHILD, (patient) => ({ ...patient, deceasedBoolean: true })),
    found: ['deceasedBoolean'],
  },
  {
    row: 'E11',
    name: 'a fetus of which nothing is said',
    birth: 'a fetal death of which nobody said whether it lives',
    written: (bundle) =>
      changed(bundle, FETUS, (patient) =>
        withoutExtensions(without(patient, 'deceasedBoolean'), '/unrecorded'),
      ),
    found: ['deceasedBoolean'],
  },
  {
    row: 'E12',
    name: 'the year in an extension alone, masked in its parts',
    birth: 'a masked record of a partner',
    written: (bundle) =>
      changed(bundle, CHILD, (patient) => ({
        ...without(patient, 'birthDate'),
        _birthDate: {
          extension: [
            {
              url: `${COMMON}/Extension-partial-date-vr`,
              extension: [
                { url: 'year', valueUnsignedInt: 2026 },
                { url: 'month', extension: [ABSENT] },
                { url: 'day', extension: [ABSENT] },
              ],
            },
          ],
        },
      })),
    found: ['birthDate', 'birthDate.extension(/Extension-partial-date-vr)'],
  },
  {
    row: 'E13',
    name: 'a mother without a gender',
    birth: 'a singleton',
    written: (bundle) => changed(bundle, MOTHER, (patient) => without(patient, 'gender')),
    found: ['gender'],
  },
  {
    row: 'E13',
    name: 'a chart number under a system of the registry',
    birth: 'a singleton',
    written: (bundle) => ({
      ...bundle,
      identifier: { system: 'urn:birth-registry:chart-numbers', value: 'C-1' },
    }),
    found: ['identifier.system'],
  },
  {
    row: 'E13',
    name: 'a record number without a system',
    birth: 'a singleton',
    written: (bundle) =>
      changed(bundle, MOTHER, (patient) => ({
        ...patient,
        identifier: asObjects(patient['identifier']).map((each) => without(each, 'system')),
      })),
    found: ['identifier.system'],
  },
  {
    row: 'E17',
    name: 'a mother without name, record number and date of birth',
    birth: 'a masked record of a partner',
    written: (bundle) =>
      changed(bundle, MOTHER, (patient) => without(patient, 'name', 'identifier', '_birthDate')),
    found: ['identifier', 'name', 'birthDate'],
  },
  {
    row: 'E18',
    name: 'no sex where none is recorded',
    birth: 'sex: not recorded',
    written: (bundle) =>
      changed(bundle, CHILD, (patient) =>
        without(withoutExtensions(patient, '/us-core-birthsex', '/unrecorded'), 'gender'),
      ),
    found: ['gender', BIRTH_SEX],
  },
  {
    row: 'E18',
    name: 'another sex at birth',
    birth: 'sex: other',
    written: (bundle) =>
      changed(bundle, CHILD, (patient) => ({
        ...patient,
        extension: asObjects(patient['extension']).map((each) =>
          String(each['url']).endsWith('/us-core-birthsex') ? { ...each, valueCode: 'OTH' } : each,
        ),
      })),
    found: [`${BIRTH_SEX}.valueCode`],
  },
  {
    row: 'E19',
    name: 'an extension for each kind of race',
    birth: 'races: detail before categories',
    written: (bundle) =>
      changed(bundle, MOTHER, (patient) => ({
        ...patient,
        extension: [
          race('detailed', '2047-9'),
          race('ombCategory', '2106-3'),
          race('ombCategory', '2054-5'),
          ...asObjects(withoutExtensions(patient, '/us-core-race')['extension']),
        ],
      })),
    found: [RACE],
  },
  {
    row: 'E20',
    name: 'a state and a country as they are stored',
    birth: 'a state and a country by their names',
    written: (bundle) =>
      changed(bundle, MOTHER, (patient) => ({
        ...patient,
        address: asObjects(patient['address']).map((address) => ({
          ...address,
          state: 'Utah',
          country: 'USA',
          _state: { extension: [VERBATIM] },
          _country: { extension: [VERBATIM] },
        })),
      })),
    found: ['address.state', 'address.country'],
  },
  {
    row: 'E20',
    name: 'a country by the letters of ISO',
    birth: 'an address in Germany',
    written: (bundle) =>
      changed(bundle, MOTHER, (patient) => ({
        ...patient,
        address: asObjects(patient['address']).map(({ _state, _country, ...address }) => ({
          ...address,
          state: 'BW',
          country: 'DE',
        })),
      })),
    found: ['address.state', 'address.country'],
  },
];

const places = suite('a state and a country, as other readers see them');

const placesIn = (birth: BirthOfShape): readonly (readonly [unknown, unknown])[] =>
  resourcesIn(documentOf(birth)).flatMap(({ address }) =>
    asObjects(address).map(({ state, country }) => [state, country] as const),
  );

for (const [name, expected] of [
  ['a state and a country by their names', ['UT', 'US']],
  ['an address in Germany', ['XX', 'GM']],
  ['an address in Australia', ['XX', 'AS']],
  ['an address in Quebec', ['QC', 'CA']],
  ['an address in Puerto Rico, as a country', ['PR', 'US']],
  ['an address abroad', ['XX', 'CA']],
] as const)
  places(name, () => {
    assert.equal(placesIn(named(name)), [expected]);
  });

places.run();

const worksheet = suite('the worksheet of race and ethnicity');

const answersIn = (birth: BirthOfShape): readonly (readonly [string, unknown])[] =>
  resourcesIn(documentOf(birth))
    .filter((resource) => profileIn(resource) === WORKSHEET)
    .flatMap((resource) => asObjects(resource['component']))
    .map((each) => [
      String(readCodes(each['code'])[0]),
      each['valueBoolean'] ?? each['valueString'] ?? readCodes(each['valueCodeableConcept'])[0],
    ]);

const NOT_HISPANIC = Object.fromEntries(ORIGINS.map((origin) => [origin, 'N']));

/** What is said; of the races that are not named: `no` to each of them, or nothing. */
const ANSWERED: readonly (readonly [
  string,
  Readonly<Record<string, unknown>>,
  'no' | 'nothing',
])[] = [
  ['a singleton', { White: true, ...NOT_HISPANIC }, 'no'],
  ['races: none, and no ethnicity', {}, 'nothing'],
  [
    'races: a category and its detail',
    {
      Chinese: true,
      HispanicMexican: 'UNK',
      HispanicPuertoRican: 'UNK',
      HispanicCuban: 'UNK',
      HispanicOther: 'Y',
      HispanicLiteral: 'Hispanic or Latino',
    },
    'no',
  ],
  [
    'races: Pacific Islander alone',
    {
      OtherRace: true,
      FirstOtherRaceLiteral: 'Pacific Islander',
      ...NOT_HISPANIC,
    },
    'no',
  ],
  [
    'races: Asian alone',
    { OtherRace: true, FirstOtherRaceLiteral: 'Asian', ...NOT_HISPANIC },
    'no',
  ],
  ['races: the answer Other Asian', { OtherAsian: true, ...NOT_HISPANIC }, 'no'],
  [
    'races: Other Asian beside its category and another of it',
    { Filipino: true, OtherAsian: true, ...NOT_HISPANIC },
    'no',
  ],
  ['races: Pacific Islander and Samoan', { Samoan: true, ...NOT_HISPANIC }, 'no'],
  [
    'races: texts, and a code that the worksheet does not know',
    {
      OtherRace: true,
      White: true,
      FirstOtherRaceLiteral: 'Garifuna',
      SecondOtherRaceLiteral: '1004-1',
    },
    'no',
  ],
  ['ethnicity: a text', { White: true }, 'no'],
  ['races: declined', { RACEMVR: 'PREFUS', ...NOT_HISPANIC }, 'nothing'],
  ['races: asked, but unknown', { RACEMVR: 'ASKU', ...NOT_HISPANIC }, 'nothing'],
  [
    'races: one, and a reason that there is none',
    { White: true, RACEMVR: 'UNK', ...NOT_HISPANIC },
    'no',
  ],
];

for (const [name, said, ofOthers] of ANSWERED)
  worksheet(`${name}: answers what is held, and ${ofOthers} to the other races`, () => {
    const others = ofOthers === 'no' ? QUESTIONS.filter((answer) => said[answer] !== true) : [];
    assert.equal(Object.fromEntries(answersIn(named(name))), {
      ...said,
      ...Object.fromEntries(others.map((answer) => [answer, false])),
    });
  });

worksheet.run();

const times = suite('a time of birth without an offset');

const timesIn = (name: string): readonly unknown[] =>
  resourcesIn(documentOf(named(name))).flatMap((patient) =>
    foundUnder(asObject(patient['_birthDate']), 'extension').flatMap(({ element }) => [
      ...(element['valueDateTime'] === undefined ? [] : [element['valueDateTime']]),
      ...asObjects(element['extension']).flatMap(({ valueTime }) => valueTime ?? []),
    ]),
  );

for (const [name, expected] of [
  ['a time without seconds or offset, in a practice with a time zone', '2026-03-12T04:31:00-04:00'],
  ['a time without an offset, in a practice without a time zone', '04:31:07'],
  ['a time that the clocks show twice', '01:30:00'],
  ['a time that the clocks skip', '02:30:00'],
  ['a singleton', '2026-03-12T04:31:00-05:00'],
] as const)
  times(`${name}: ${expected}`, () => {
    assert.equal(timesIn(name), [expected]);
  });

times.run();

const before = suite('a row that is written as it was before');

for (const { row, name, birth, written, found } of BEFORE) {
  const asBefore = () => written(documentOf(named(birth)));
  before(`${row}, ${name}: is found`, () => {
    const paths = problemsOf(asBefore()).map((problem) => problem.split(' ')[2]?.replace(/:$/, ''));
    assert.equal([...new Set(paths)], found);
  });
  before(`${row}, ${name}: is read as it was`, () => {
    assertBroughtBack(named(birth).record, laneOf(named(birth)), asBefore());
  });
}

before.run();
