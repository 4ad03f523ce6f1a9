import { asObject, asObjects, type JsonObject } from '../../domain/fhir/json.ts';
import { at, profilesIn } from './facts-of-the-guide.ts';
import { LAYOUT } from './state-file.ts';

const UNKNOWN = 'unknown';
const NULL_FLAVORS = ['UNK', 'ASKU', 'NI'];

const EDUCATION = ['ELEM', 'SEC', 'HS', 'SCOL', 'AA', 'BA', 'MA', 'POSTG'];
const RACES = [
  ...['White', 'BlackOrAfricanAmerican', 'AmericanIndianOrAlaskanNative', 'AsianIndian'],
  ...['Chinese', 'Filipino', 'Japanese', 'Korean', 'Vietnamese', 'OtherAsian', 'NativeHawaiian'],
  ...['GuamanianOrChamorro', 'Samoan', 'OtherPacificIslander', 'OtherRace'],
];
/** Texts beside answers about race, in the order of their columns. */
const LITERALS = [
  ...['AmericanIndianOrAlaskanNative', 'OtherAsian', 'OtherPacificIslander', 'OtherRace'],
];

const ORIGINS = ['HispanicMexican', 'HispanicPuertoRican', 'HispanicCuban', 'HispanicOther'];
const PLACES: Readonly<Record<string, string>> = {
  22232009: '1',
  91154008: '2',
  408839006: '3',
  408838003: '4',
  unknownplannedhomebirth: '5',
  67190003: '6',
  OTH: '7',
};
const TITLES: Readonly<Record<string, string>> = {
  309343006: '1',
  76231001: '2',
  '445521000124102': '3',
  '445531000124104': '4',
  OTH: '5',
};
const ROUTES: Readonly<Record<string, string>> = {
  700000006: '1',
  302383004: '2',
  61586001: '3',
  11466000: '4',
};
const PRESENTATIONS: Readonly<Record<string, string>> = {
  70028003: '1',
  6096002: '2',
  OTH: '3',
};

/** Counts of the layout by the code of their Observation. */
const COUNTS: Readonly<Record<string, string>> = {
  '9274-2': 'APGAR5',
  '9271-8': 'APGAR10',
  '68493-6': 'NPREV',
  '11638-4': 'PLBL',
  '68496-9': 'PLBD',
  '69043-8': 'POPO',
  '64794-1': 'CIGPN',
  '87298-6': 'CIGFN',
  '87299-4': 'CIGSN',
  '64795-8': 'CIGLN',
  '68497-7': 'NPCES',
  '73773-4': 'LIVEB',
};
const ANSWERS: Readonly<Record<string, string>> = {
  '73757-7': 'ILIV',
  '73756-9': 'BFED',
  '87303-4': 'WIC',
  '73760-1': 'TLAB',
};

/** Edit flags by the code of the Observation whose value they are on. */
const FLAGS: Readonly<Record<string, string>> = {
  '57712-2': 'MEDUC_BYPASS',
  '68493-6': 'NPREV_BYPASS',
  '8302-2': 'HGT_BYPASS',
  '56077-1': 'PWGT_BYPASS',
  '69461-2': 'DWGT_BYPASS',
  '68497-7': 'NPCES_BYPASS',
  '8339-4': 'BW_BYPASS',
  '11884-4': 'OWGEST_BYPASS',
};

/** Dates of which absence says that there was none. */
const DATES: Readonly<
  Record<string, readonly [columns: readonly string[], isNoneIfAbsent: boolean]>
> = {
  '69044-6': [['DOFP_YR', 'DOFP_MO', 'DOFP_DY'], true],
  '68499-3': [['YLLB', 'MLLB'], true],
  '68500-8': [['YOPO', 'MOPO'], true],
  '8665-2': [['DLMP_YR', 'DLMP_MO', 'DLMP_DY'], false],
};

/**
 * Reads the document of a child as a national reader does: by the guide alone, with the columns of the
 * layout that it states, `unknown` where it says so. Fractions are cut, offsets are passed over.
 */
export const readDocument = (bundle: JsonObject): ReadonlyMap<string, string> => {
  const entries = asObjects(bundle['entry']);
  const resources = entries.map(({ resource }) => asObject(resource));
  const ofType = (type: string) => resources.filter(({ resourceType }) => resourceType === type);
  const withProfile = (profile: string) =>
    resources.find((one) => profilesIn(one).includes(profile)) ?? {};
  const target = (reference: unknown) =>
    asObject(entries.find(({ fullUrl }) => fullUrl === reference)?.['resource']);
  const first = (element: unknown, path: string): string | undefined => {
    const [value] = at(element, path).filter((one) => typeof one !== 'object');
    return value === undefined ? undefined : String(value);
  };
  const said = new Map<string, string>();
  const say = (column: string, value: string | number | undefined): void => {
    const length = LAYOUT.get(column)?.length ?? 0;
    if (value === undefined || value === '') return;
    said.set(column, typeof value === 'number' ? String(value).padStart(length, '0') : value);
  };
  const number = (text: string | undefined) =>
    text === undefined ? undefined : Math.trunc(Number(text));
  const sayDate = (columns: readonly string[], date: string | undefined): void => {
    for (const [index, column] of columns.entries())
      say(column, date?.slice(0, 10).split('-')[index]);
  };
  const extension = (holder: JsonObject, name: string): JsonObject =>
    asObjects(at(holder, 'extension')).find(({ url }) => String(url).endsWith(`/${name}`)) ?? {};
  const part = (holder: JsonObject, url: string) =>
    asObjects(holder['extension']).find((one) => one['url'] === url) ?? {};

  const child = withProfile('Patient-child-vr');
  const mother = withProfile('Patient-mother-vr');
  const sayPerson = (
    person: JsonObject,
    [given, middle, family, suffix, record]: readonly [string, string, string, string, string],
  ): void => {
    const name = asObjects(person['name']).find(({ use }) => use === 'official') ?? {};
    const names = at(name, 'given').filter((one) => typeof one === 'string');
    say(given, names[0]);
    say(middle, names.slice(1).join(' '));
    say(family, first(name, 'family'));
    say(suffix, first(name, 'suffix'));
    say(record, first(person, 'identifier.value'));
  };
  sayPerson(child, ['KIDFNAME', 'KIDMNAME', 'KIDLNAME', 'KIDSUFFX', 'INF_MED_REC_NUM']);
  sayPerson(mother, ['MOMFNAME', 'MOMMIDDL', 'MOMLNAME', 'MOMSUFFX', 'MOM_MED_REC_NUM']);
  say(
    'MOMMAIDN',
    first(
      asObjects(mother['name']).find(({ use }) => use === 'maiden'),
      'family',
    ),
  );
  sayDate(['IDOB_YR', 'IDOB_MO', 'IDOB_DY'], first(child, 'birthDate'));
  sayDate(['MDOB_YR', 'MDOB_MO', 'MDOB_DY'], first(mother, 'birthDate'));
  const besideBirth = asObject(child['_birthDate']);
  const moment = first(extension(besideBirth, 'patient-birthTime'), 'valueDateTime');
  const clock = first(
    part(extension(besideBirth, 'Extension-partial-date-time-vr'), 'time'),
    'valueTime',
  );
  say('TB', (moment?.slice(11) ?? clock)?.slice(0, 5).replace(':', ''));
  say(
    'ISEX',
    { M: 'M', F: 'F' }[first(extension(child, 'us-core-birthsex'), 'valueCode') ?? ''] ?? 'N',
  );
  const age = extension(child, 'Extension-reported-parent-age-at-delivery-vr');
  say('MAGER', number(first(part(age, 'reportedAge'), 'valueQuantity.value')));
  const born = first(child, 'birthDate');
  const ofMother = first(mother, 'birthDate');
  if (born?.length === 10 && ofMother?.length === 10) {
    const years = Number(born.slice(0, 4)) - Number(ofMother.slice(0, 4));
    say('MAGE_CALC', years - (born.slice(5) < ofMother.slice(5) ? 1 : 0));
  }
  say('SORD', number(first(child, 'multipleBirthInteger')));
  const total = extension(asObject(child['_multipleBirthInteger']), 'patient-multipleBirthTotal');
  say('PLUR', number(first(total, 'valuePositiveInt')));

  const sayFlag = (column: string, element: unknown): void =>
    say(
      column,
      first(
        extension(asObject(element), 'BypassEditFlag'),
        'valueCodeableConcept.coding.code',
      )?.[0],
    );
  sayFlag('MAGE_BYPASS', mother['_birthDate']);
  sayFlag('PLUR_BYPASS', child['_multipleBirthInteger']);

  const [address = {}] = asObjects(mother['address']);
  const letters = (text: string | undefined) =>
    text === 'ZZ' ? UNKNOWN : /^[A-Z]{2}$/.test(text ?? '') ? text : undefined;
  say('ADDRESS', first(address, 'line'));
  say('CITYTEXT', first(address, 'city'));
  say('COUNTYTXT', first(address, 'district'));
  say('ZIPCODE', first(address, 'postalCode')?.replaceAll('-', ''));
  say('STATEC', letters(first(address, 'state')));
  say('COUNTRYC', letters(first(address, 'country')));

  const observed = new Map<string, JsonObject>();
  for (const one of ofType('Observation'))
    for (const code of at(one, 'code.coding').map(asObject))
      if (code['system'] === 'http://loinc.org') observed.set(String(code['code']), one);
  const coding = (element: unknown): string | undefined => first(element, 'coding.code');
  const concept = (code: string) => coding(observed.get(code)?.['valueCodeableConcept']);
  const isUnknown = (one: JsonObject | undefined): boolean =>
    one?.['dataAbsentReason'] !== undefined;
  for (const [code, column] of Object.entries(COUNTS)) {
    const one = observed.get(code);
    say(column, isUnknown(one) ? UNKNOWN : number(first(one, 'valueInteger')));
  }
  if (!observed.has('9271-8')) say('APGAR10', '88');
  for (const [code, column] of Object.entries(ANSWERS)) {
    const answer = first(observed.get(code), 'valueBoolean') ?? concept(code);
    const letter = { true: 'Y', false: 'N', Y: 'Y', N: 'N' }[answer ?? ''];
    say(column, letter ?? (NULL_FLAVORS.includes(answer ?? '') ? UNKNOWN : undefined));
  }
  for (const [code, [columns, isNoneIfAbsent]] of Object.entries(DATES)) {
    const one = observed.get(code);
    if (isUnknown(one)) for (const column of columns) say(column, UNKNOWN);
    else if (one !== undefined) sayDate(columns, first(one, 'valueDateTime'));
    else if (isNoneIfAbsent)
      for (const column of columns) say(column, '8'.repeat(LAYOUT.get(column)?.length ?? 0));
  }
  for (const [code, column] of Object.entries(FLAGS)) {
    const one = observed.get(code) ?? {};
    for (const name of ['valueQuantity', 'valueCodeableConcept', '_valueInteger'])
      sayFlag(column, one[name]);
  }
  const quantity = (code: string) => number(first(observed.get(code), 'valueQuantity.value'));
  say('BWG', quantity('8339-4'));
  const inches = quantity('8302-2');
  if (inches !== undefined) {
    say('HFT', Math.floor(inches / 12));
    say('HIN', inches % 12);
  }
  say('PWGT', quantity('56077-1'));
  say('DWGT', quantity('69461-2'));
  const gestation = quantity('11884-4');
  if (gestation !== undefined)
    say(
      'OWGEST',
      first(observed.get('11884-4'), 'valueQuantity.code') === 'd'
        ? Math.floor(gestation / 7)
        : gestation,
    );
  say('PRES', PRESENTATIONS[concept('73761-9') ?? '']);
  const level = EDUCATION.indexOf(concept('57712-2') ?? '');
  if (level >= 0) say('MEDUC', level + 1);
  if (concept('73812-0') !== undefined) say('NICU', 'Y');
  if (concept('73775-9') === '200144004') say('PCES', 'Y');

  const worksheet = withProfile('input-race-and-ethnicity-vr');
  const answers = new Map(
    asObjects(worksheet['component']).map((one) => [coding(one['code']), one]),
  );
  for (const [index, race] of RACES.entries())
    say(
      `MRACE${index + 1}`,
      { true: 'Y', false: 'N' }[first(answers.get(race), 'valueBoolean') ?? ''],
    );
  for (const [row, literal] of LITERALS.entries())
    for (const [index, place] of ['First', 'Second'].entries())
      say(
        `MRACE${16 + 2 * row + index}`,
        first(answers.get(`${place}${literal}Literal`), 'valueString'),
      );
  for (const [index, origin] of ORIGINS.entries()) {
    const answer = coding(answers.get(origin)?.['valueCodeableConcept']);
    say(`METHNIC${index + 1}`, { Y: 'H', N: 'N', UNK: UNKNOWN }[answer ?? '']);
  }
  say('METHNIC5', first(answers.get('HispanicLiteral'), 'valueString'));

  const procedures = ofType('Procedure').flatMap((one) => coding(one['code']) ?? []);
  for (const code of procedures) say('ROUT', ROUTES[code]);
  if (procedures.includes('236958009')) say('INDL', 'Y');
  if (procedures.includes('237001001')) say('AUGL', 'Y');

  const stay = withProfile('Encounter-birth');
  const maternity = withProfile('Encounter-maternity');
  say('BPLACE', PLACES[first(stay, 'location.physicalType.coding.code') ?? '']);
  const sayMoved = (column: string, code: string | undefined, moved: string): void => {
    if (code !== undefined) say(column, code === moved ? 'Y' : 'N');
  };
  sayMoved('TRAN', first(maternity, 'hospitalization.admitSource.coding.code'), 'hosp-trans');
  sayMoved('ITRAN', first(stay, 'hospitalization.dischargeDisposition.coding.code'), 'other-hcf');
  say('HOSPFROM', first(target(first(maternity, 'hospitalization.origin.reference')), 'name'));
  say('HOSPTO', first(target(first(stay, 'hospitalization.destination.reference')), 'name'));
  for (const [role, prefix] of [
    ['attendant', 'ATTEND'],
    ['certifier', 'CERTIF'],
  ] as const) {
    const practitioner = withProfile(`Practitioner-birth-${role}`);
    const npi = asObjects(practitioner['identifier']).find(({ system }) =>
      String(system).endsWith('/us-npi'),
    );
    say(`${prefix}_NAME`, first(practitioner, 'name.text'));
    say(`${prefix}_NPI`, first(npi, 'value'));
    say(prefix, TITLES[first(practitioner, 'qualification.code.coding.code') ?? '']);
    say(`${prefix}_OTH_TXT`, first(practitioner, 'qualification.code.text'));
  }
  sayDate(['DOR_YR', 'DOR_MO', 'DOR_DY'], first(ofType('Composition')[0], 'date'));
  return said;
};
