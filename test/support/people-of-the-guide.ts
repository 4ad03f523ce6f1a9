import { USPS_STATES } from '../../domain/course/codes.ts';
import { readCodes } from '../../domain/fhir/coded-values.ts';
import { isAbsent } from '../../domain/fhir/extensions.ts';
import { asArray, asObject, asObjects, isObject, type JsonObject } from '../../domain/fhir/json.ts';
import { getProfiles, parseProfileName } from '../../domain/fhir/resources.ts';

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

export const MOTHER = 'patient-mother-vr';
export const CHILD = 'patient-child-vr';
export const FETUS = 'patient-decedent-fetus';

/** What the guide asks of an element, by the row of the list of what other readers could not read. */
export interface Asked {
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
export const IN_PARTS = 'birthDate.extension(/Extension-partial-date-time-vr)';

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

export const BIRTH_SEX = 'extension(/us-core-birthsex)';
const ofChild = (profile: string): readonly Asked[] => [
  ...ofPatient(profile),
  ...rows(profile, [
    ['E18', BIRTH_SEX, 1, 1],
    ['E18', `${BIRTH_SEX}.extension`, 0, 0],
    ['E18', `${BIRTH_SEX}.valueCode`, 1, 1, one('F', 'M', 'UNK')],
  ]),
];

const FETAL_DEATH = 'extension(/Extension-patient-fetal-death-vr)';
export const RACE = 'extension(/us-core-race)';
const ETHNICITY = 'extension(/us-core-ethnicity)';
export const WORKSHEET = 'input-race-and-ethnicity-vr';
export const QUESTIONS = [
  ...['White', 'BlackOrAfricanAmerican', 'AmericanIndianOrAlaskanNative', 'AsianIndian'],
  ...['Chinese', 'Filipino', 'Japanese', 'Korean', 'Vietnamese', 'OtherAsian', 'NativeHawaiian'],
  ...['GuamanianOrChamorro', 'Samoan', 'OtherPacificIslander', 'OtherRace'],
];
export const ORIGINS = ['HispanicMexican', 'HispanicPuertoRican', 'HispanicCuban', 'HispanicOther'];

export const ASKED: readonly Asked[] = [
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
  String(element['url']).endsWith(end) || readCodes(element['code']).includes(end);

export const foundUnder = (holder: JsonObject, step: string): readonly Found[] => {
  const [name = '', end] = step.split(/[()]/);
  const values = asArray(holder[name]);
  const beside = asArray(holder[`_${name}`]);
  const found = Array.from({ length: Math.max(values.length, beside.length) }, (_, at): Found => {
    const value = values[at];
    return { value, element: isObject(value) ? value : asObject(beside[at]) };
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

export const profileIn = (resource: JsonObject): string => {
  const name = parseProfileName(getProfiles(resource)[0] ?? '');
  return BUNDLE.test(name) ? 'bundle' : name;
};

export const resourcesIn = (bundle: JsonObject): readonly JsonObject[] => [
  bundle,
  ...asObjects(bundle['entry']).map(({ resource }) => asObject(resource)),
];

/** Rows of the guide that a document breaks, as far as it is about people. */
export const peopleProblemsOf = (bundle: JsonObject): readonly string[] =>
  resourcesIn(bundle).flatMap((resource) =>
    ASKED.filter(({ profile }) => profile === profileIn(resource)).flatMap((asked) =>
      problemsWith(resource, asked),
    ),
  );
