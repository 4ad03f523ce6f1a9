import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { offsetsIn } from '../../../../api/web/practice-clock.ts';
import { documentBundleOf } from '../../../../domain/bfdr/writing/document-bundle.ts';
import { USPS_STATES } from '../../../../domain/course-of-care/codes.ts';
import { codesOf } from '../../../../domain/fhir/coded-values.ts';
import { isAbsent } from '../../../../domain/fhir/extensions.ts';
import {
  isObject,
  type JsonObject,
  listOf,
  objectIn,
  objectsOf,
} from '../../../../domain/fhir/json.ts';
import { profileName, profilesOf } from '../../../../domain/fhir/profiles.ts';
import { BIRTHS, type BirthOfShape } from '../../../support/births-of-every-shape.ts';
import { assertBroughtBack } from '../../../support/exported-records.ts';

/** @see ValueSet-residence-country-vr, without ZZ: the record would hold nothing */
const RESIDENCE_COUNTRIES = new Set(
  (
    'AA AC AE AF AG AJ AL AM AN AO AR AS AT AU AV AX AY BA BB BC BD BE BF BG BH BK BL BM BN BO BP BR ' +
    'BS BT BU BV BX BY CA CB CD CE CF CG CH CI CJ CK CM CN CO CR CS CT CU CV CW CY DA DJ DO DQ DR DX ' +
    'EC EG EI EK EN ER ES ET EU EZ FG FI FJ FK FM FO FP FR FS GA GB GG GH GI GJ GK GL GM GO GP GR GT ' +
    'GV GY GZ HA HK HM HO HQ HR HU IC ID IM IN IO IP IR IS IT IV IZ JA JE JM JN JO JQ JU KE KG KN KR ' +
    'KS KT KU KV KZ LA LE LG LH LI LO LQ LS LT LU LY MA MB MC MD MF MG MH MI MJ MK ML MN MO MP MQ MR ' +
    'MT MU MV MX MY MZ NC NE NF NG NH NI NL NN NO NP NR NS NU NZ OD PA PC PE PF PG PJ PK PL PM PO PP ' +
    'PS PU QA RE RI RM RN RO RP RS RW SA SB SC SE SF SG SH SI SL SM SN SO SP ST SU SV SW SX SY SZ TB ' +
    'TD TE TH TI TK TL TN TO TP TS TT TU TV TW TX TZ UC UG UK UP US UV UY UZ VC VE VI VM VT WA WE WF ' +
    'WI WQ WS WZ YM ZA ZI'
  ).split(' '),
);
/** @see ValueSet-states-territories-provinces-vr */
const STATES = new Set([...USPS_STATES, ...'AB BC MB NB NL NS NT NU ON PE QC SK YT XX'.split(' ')]);

const documentOf = ({ record, timeZone }: BirthOfShape): JsonObject =>
  JSON.parse(
    JSON.stringify(documentBundleOf(record, timeZone === null ? null : offsetsIn(timeZone))),
  );

const laneOf = ({ record: { keyKind } }: BirthOfShape) =>
  keyKind === 'partner' ? 'partner' : 'native';

const MOTHER = 'patient-mother-vr';
const CHILD = 'patient-child-vr';
const FETUS = 'patient-decedent-fetus';

/** What the guide asks of an element, by the row of the list of what other readers could not read. */
interface Asked {
  readonly row: string;
  readonly profile: string;
  /** From the resource; `name(x)` is an element that is known by the end of its `url` or by its code. */
  readonly path: string;
  /** How many there are in each element that holds it; null: as many as you like. */
  readonly least: number;
  readonly most: number | null;
  readonly values?: (value: unknown) => boolean;
}

const one =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value);
const BUNDLE = /^bundle-document-(birth|fetal-death)-report$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const DATE = /^\d{4}(-\d\d(-\d\d)?)?$/;
const TIME = /^\d\d:\d\d:\d\d$/;
const matches = (pattern: RegExp) => (value: unknown) => pattern.test(String(value));
const IN_PARTS = 'birthDate.extension(/Extension-partial-date-time-vr)';

/** Cardinalities and fixed values of the compiled profiles of BFDR 2.0.0, and of US Core beneath them. */
const rows = (
  profile: string,
  asked: readonly (readonly [
    row: string,
    path: string,
    least: number,
    most: number | null,
    values?: (value: unknown) => boolean,
  ])[],
): readonly Asked[] =>
  asked.map(([row, path, least, most, values]) => ({
    row,
    profile,
    path,
    least,
    most,
    ...(values === undefined ? {} : { values }),
  }));

const ofPatient = (profile: string): readonly Asked[] =>
  rows(profile, [
    ['E13', 'gender', 1, 1, one('female', 'male', 'other', 'unknown')],
    ['E17', 'identifier', 1, null],
    ['E13', 'identifier.system', 1, 1],
    ['E17', 'identifier.value', 1, 1],
    ['E17', 'name', 1, null],
    ['E17', 'name.family', 1, 1],
    ['E17', 'birthDate', 1, 1, matches(DATE)],
    ['E12', 'birthDate.extension(/Extension-partial-date-vr)', 0, 0],
    ['E7', IN_PARTS, 0, 1],
    ...['year', 'month', 'day', 'time'].flatMap((part) => {
      const url = `${IN_PARTS}.extension(${part})`;
      const value = part === 'time' ? 'valueTime' : 'valueUnsignedInt';
      return [
        ['E7', url, 1, 1],
        ['E17', `${url}.extension`, 0, 0],
        ['E7', `${url}.${value}`, 1, 1, part === 'time' ? matches(TIME) : Number.isInteger],
      ] as const;
    }),
    ['E7', 'birthDate.extension(/patient-birthTime)', 0, 1],
    ['E7', 'birthDate.extension(/patient-birthTime).valueDateTime', 1, 1, matches(MOMENT)],
    ['E5', 'multipleBirthBoolean', 0, 0],
    ['E5', 'multipleBirthInteger', 0, 1],
    ['E5', 'multipleBirthInteger.extension(/patient-multipleBirthTotal)', 0, 1],
  ]);

const BIRTH_SEX = 'extension(/us-core-birthsex)';
const ofChild = (profile: string): readonly Asked[] => [
  ...ofPatient(profile),
  ...rows(profile, [
    ['E18', BIRTH_SEX, 1, 1],
    ['E18', `${BIRTH_SEX}.extension`, 0, 0],
    ['E18', `${BIRTH_SEX}.valueCode`, 1, 1, one('F', 'M', 'UNK')],
  ]),
];

const FETAL_DEATH = 'extension(/Extension-patient-fetal-death-vr)';
const RACE = 'extension(/us-core-race)';
const ETHNICITY = 'extension(/us-core-ethnicity)';
const WORKSHEET = 'input-race-and-ethnicity-vr';
const QUESTIONS = [
  ...['White', 'BlackOrAfricanAmerican', 'AmericanIndianOrAlaskanNative', 'AsianIndian'],
  ...['Chinese', 'Filipino', 'Japanese', 'Korean', 'Vietnamese', 'OtherAsian', 'NativeHawaiian'],
  ...['GuamanianOrChamorro', 'Samoan', 'OtherPacificIslander', 'OtherRace'],
];
const ORIGINS = ['HispanicMexican', 'HispanicPuertoRican', 'HispanicCuban', 'HispanicOther'];

const ASKED: readonly Asked[] = [
  ...rows('bundle', [
    ['E8', 'identifier', 1, 1],
    [
      'E13',
      'identifier.system',
      1,
      1,
      one('http://hl7.org/fhir/us/vr-common-library/CodeSystem/codesystem-ije-vr'),
    ],
    ['E8', 'identifier.value', 1, 1, (value) => String(value).length <= 12],
  ]),
  ...ofPatient(MOTHER),
  ...rows(MOTHER, [
    ['E19', RACE, 0, 1],
    ['E19', `${RACE}.extension(ombCategory)`, 0, 5],
    ['E19', `${RACE}.extension(text)`, 1, 1],
    ['E19', ETHNICITY, 0, 1],
    ['E19', `${ETHNICITY}.extension(ombCategory)`, 0, 1],
    ['E19', `${ETHNICITY}.extension(text)`, 1, 1],
    ['E20', 'address.state', 0, 1, (value) => STATES.has(String(value))],
    ['E20', 'address.country', 0, 1, (value) => RESIDENCE_COUNTRIES.has(String(value))],
  ]),
  ...ofChild(CHILD),
  ...rows(CHILD, [
    ['E11', 'deceasedBoolean', 0, 0],
    ['E11', 'deceasedDateTime', 0, 0],
    ['E11', FETAL_DEATH, 0, 0],
  ]),
  ...ofChild(FETUS),
  ...rows(FETUS, [
    ['E11', 'deceasedBoolean', 1, 1, one(true)],
    ['E11', `deceasedBoolean.${FETAL_DEATH}`, 1, 1],
    ['E11', `deceasedBoolean.${FETAL_DEATH}.valueBoolean`, 1, 1, one(true)],
  ]),
  ...rows(WORKSHEET, [
    ['E3', 'status', 1, 1, one('final')],
    ['E3', 'subject', 1, 1],
    ['E3', 'focus', 1, 1],
    ['E3', 'valueBoolean', 0, 0],
    ...QUESTIONS.flatMap(
      (answer) =>
        [
          ['E3', `component(${answer})`, 0, 1],
          ['E3', `component(${answer}).valueBoolean`, 1, 1],
        ] as const,
    ),
    ...ORIGINS.flatMap(
      (answer) =>
        [
          ['E3', `component(${answer})`, 0, 1],
          ['E3', `component(${answer}).valueCodeableConcept`, 1, 1],
        ] as const,
    ),
  ]),
];

/** An element as FHIR means it: a primitive value with what stands under the same name with `_`. */
interface Found {
  readonly value: unknown;
  readonly element: JsonObject;
}

const isKnownBy = (end: string, { element }: Found): boolean =>
  String(element['url']).endsWith(end) || codesOf(element['code']).includes(end);

const foundUnder = (holder: JsonObject, step: string): readonly Found[] => {
  const [name = '', end] = step.split(/[()]/);
  const values = listOf(holder[name]);
  const beside = listOf(holder[`_${name}`]);
  const found = Array.from({ length: Math.max(values.length, beside.length) }, (_, at): Found => {
    const value = values[at];
    return { value, element: isObject(value) ? value : objectIn(beside[at]) };
  });
  return end === undefined ? found : found.filter((each) => isKnownBy(end, each));
};

const problemsWith = (resource: JsonObject, asked: Asked): readonly string[] => {
  const steps = asked.path.split('.');
  const last = steps.at(-1) ?? '';
  const holders = steps
    .slice(0, -1)
    .reduce<readonly JsonObject[]>(
      (held, step) => held.flatMap((holder) => foundUnder(holder, step).map((f) => f.element)),
      [resource],
    );
  const name = `${asked.row} ${asked.profile} ${asked.path}`;
  return holders.flatMap((holder) => {
    const found = foundUnder(holder, last);
    const isTooFew = found.length < asked.least;
    const isTooMany = asked.most !== null && found.length > asked.most;
    // Absent for a reason is no wrong value.
    const wrong = found.filter(
      ({ value, element }) =>
        asked.values !== undefined &&
        (value === undefined ? !isAbsent(element) : !asked.values(value)),
    );
    return [
      ...(isTooFew || isTooMany ? [`${name}: ${found.length} of them`] : []),
      ...wrong.map(() => `${name}: a value that the guide does not have`),
    ];
  });
};

const profileIn = (resource: JsonObject): string => {
  const name = profileName(profilesOf(resource)[0] ?? '');
  return BUNDLE.test(name) ? 'bundle' : name;
};

const resourcesIn = (bundle: JsonObject): readonly JsonObject[] => [
  bundle,
  ...objectsOf(bundle['entry']).map(({ resource }) => objectIn(resource)),
];

/** Rows of the guide that a document breaks. */
const problemsOf = (bundle: JsonObject): readonly string[] => [
  ...resourcesIn(bundle).flatMap((resource) =>
    ASKED.filter(({ profile }) => profile === profileIn(resource)).flatMap((asked) =>
      problemsWith(resource, asked),
    ),
  ),
  ...(isWorksheetThere(bundle) ? [] : [`E3 bundle ${WORKSHEET}: not about mother and child`]),
];

/** Whether race and ethnicity of the mother stand in one worksheet, of the child, with her in focus. */
const isWorksheetThere = (bundle: JsonObject): boolean => {
  const of = (profile: string) =>
    objectsOf(bundle['entry']).filter(({ resource }) => profileIn(objectIn(resource)) === profile);
  const [mother] = of(MOTHER);
  const stated = foundUnder(objectIn(mother?.['resource']), 'extension').length;
  const worksheets = of(WORKSHEET).map(({ resource }) => objectIn(resource));
  if (stated === 0) return worksheets.length === 0;
  const children = [...of(CHILD), ...of(FETUS)].map(({ fullUrl }) => fullUrl);
  const [focus] = objectsOf(worksheets[0]?.['focus']);
  return (
    worksheets.length === 1 &&
    focus?.['reference'] === mother?.['fullUrl'] &&
    children.includes(objectIn(worksheets[0]?.['subject'])['reference'])
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
  entry: objectsOf(bundle['entry']).flatMap((entry) => {
    const resource = objectIn(entry['resource']);
    if (profileIn(resource) !== profile) return [entry];
    const after = change(resource);
    return after === null ? [] : [{ ...entry, resource: after }];
  }),
});

const without = (resource: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => !names.includes(name)));

const withoutExtensions = (resource: JsonObject, ...ends: readonly string[]): JsonObject => ({
  ...resource,
  extension: objectsOf(resource['extension']).filter(
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
      const mother = objectsOf(bundle['entry']).find(
        ({ resource }) => profileIn(objectIn(resource)) === MOTHER,
      );
      return changed(bundle, WORKSHEET, (worksheet) => ({
        ...without(worksheet, 'focus'),
        subject: { reference: mother?.['fullUrl'] },
        component: objectsOf(worksheet['component']).filter(
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
        identifier: objectsOf(patient['identifier']).map((each) => without(each, 'system')),
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
        extension: objectsOf(patient['extension']).map((each) =>
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
          ...objectsOf(withoutExtensions(patient, '/us-core-race')['extension']),
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
        address: objectsOf(patient['address']).map((address) => ({
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
        address: objectsOf(patient['address']).map(({ _state, _country, ...address }) => ({
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
    objectsOf(address).map(({ state, country }) => [state, country] as const),
  );

for (const [name, expected] of [
  ['a state and a country by their names', ['UT', 'US']],
  ['an address in Germany', ['XX', 'GM']],
  ['an address in Australia', ['XX', 'AS']],
  ['an address in Quebec', ['QC', 'CA']],
  ['an address in Puerto Rico, as a country', ['PR', 'US']],
  ['an address abroad', [undefined, 'CA']],
] as const)
  places(name, () => {
    assert.equal(placesIn(named(name)), [expected]);
  });

places.run();

const worksheet = suite('the worksheet of race and ethnicity');

const answersIn = (birth: BirthOfShape): readonly (readonly [string, unknown])[] =>
  resourcesIn(documentOf(birth))
    .filter((resource) => profileIn(resource) === WORKSHEET)
    .flatMap((resource) => objectsOf(resource['component']))
    .map((each) => [
      String(codesOf(each['code'])[0]),
      each['valueBoolean'] ?? each['valueString'] ?? codesOf(each['valueCodeableConcept'])[0],
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
      OtherAsian: true,
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
      OtherPacificIslander: true,
      FirstOtherPacificIslanderLiteral: 'Native Hawaiian or Other Pacific Islander',
      ...NOT_HISPANIC,
    },
    'no',
  ],
  ['races: Pacific Islander and Samoan', { Samoan: true, ...NOT_HISPANIC }, 'no'],
  [
    'races: texts, and a code that the worksheet does not know',
    {
      OtherRace: true,
      White: true,
      FirstOtherRaceLiteral: 'Garifuna',
      SecondOtherRaceLiteral: 'Creole',
    },
    'nothing',
  ],
  ['ethnicity: a text', { White: true }, 'no'],
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
    foundUnder(objectIn(patient['_birthDate']), 'extension').flatMap(({ element }) => [
      ...(element['valueDateTime'] === undefined ? [] : [element['valueDateTime']]),
      ...objectsOf(element['extension']).flatMap(({ valueTime }) => valueTime ?? []),
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
