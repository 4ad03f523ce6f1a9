import {
  type Address,
  type Child,
  emptyAddress,
  emptyChild,
  emptyMother,
  type Mother,
  type Sex,
} from '../course-of-care/canonical-record.ts';
import { codesOf, statesUnknown } from './coded-values.ts';
import { readDate, readTime } from './dates.ts';
import {
  firstOf,
  firstRead,
  isObject,
  type JsonObject,
  listOf,
  objectIn,
  objectsOf,
  textOf,
} from './json.ts';
import { raceAndEthnicityOf } from './race-and-ethnicity.ts';
import {
  leftOut,
  MAX_NAME,
  MAX_TEXT,
  NOTHING_READ,
  type Notes,
  type Reading,
  read,
  readText,
} from './readings.ts';
import { isDecedent, isFetus } from './roles.ts';

type Name = {
  readonly family_name: string | null;
  readonly given_names: readonly string[];
};

// Our choice: more given names than any certificate has room for.
const MAX_GIVEN_NAMES = 10;
const MAX_BIRTH_ORDER = 20;

/** Reads the mother's demographics from her Patient, without what Observations say of her. */
export const motherFrom = (patient: JsonObject, notes: Notes): Mother => {
  const take = (name: string, reading: Reading<string>): string | null =>
    notes.take(`mother.${name}`, null, reading);
  const { family_name, given_names } = nameOf(patient, 'mother', null, notes);
  return {
    ...emptyMother(),
    family_name,
    given_names,
    birth_surname: take('birth_surname', familyOf(nameWithUse(patient, 'maiden'))),
    birth_date: take('birth_date', readDate(patient['birthDate'])),
    ...raceAndEthnicityOf(patient),
    address: addressOf(patient, notes),
    phone: take('phone', readText(phoneOf(patient), MAX_NAME)),
    medical_record_number: take(
      'medical_record_number',
      readText(recordNumberOf(patient), MAX_NAME),
    ),
  };
};

/**
 * Reads one child from its Patient, without what Observations say of it. A child without a usable
 * birth date takes the date of its birth time.
 */
export const childFrom = (patient: JsonObject, position: number, notes: Notes): Child => {
  const take = <T>(name: string, reading: Reading<T>): T | null =>
    notes.take(`children.${name}`, position, reading);
  const birthTime = birthTimeOf(patient);
  const time = take('birth_time', readTime(birthTime));
  const date = take('birth_date', readDate(patient['birthDate']));
  const dateOfTime = readDate(birthTime);
  const { family_name, given_names } = nameOf(patient, 'children', position, notes);
  return {
    ...emptyChild(),
    family_name,
    given_names,
    birth_date: date ?? (dateOfTime.kind === 'value' ? dateOfTime.value : null),
    birth_time: time,
    sex: sexOf(patient),
    birth_order: take('birth_order', birthOrderOf(patient)),
    medical_record_number: take(
      'medical_record_number',
      readText(recordNumberOf(patient), MAX_NAME),
    ),
    fetal_death: fetalDeathOf(patient),
    living: livingOf(patient),
  };
};

/** How many were born together, as a child's Patient states it; null if it does not. */
export const pluralityOf = (patient: JsonObject): number | null => {
  const total = extensionValue(
    objectIn(patient['_multipleBirthInteger']),
    'patient-multipleBirthTotal',
    'valuePositiveInt',
  );
  if (isBirthCount(total)) return total;
  return patient['multipleBirthBoolean'] === false ? 1 : null;
};

const isBirthCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_BIRTH_ORDER;

// The official name, else the first that is not a maiden name, else the first.
const nameOf = (
  patient: JsonObject,
  holder: 'mother' | 'children',
  child: number | null,
  notes: Notes,
): Name => {
  const names = objectsOf(patient['name']);
  const name =
    nameWithUse(patient, 'official') ??
    names.find((candidate) => textOf(candidate['use']) !== 'maiden') ??
    names[0] ??
    null;
  const family = notes.take(`${holder}.family_name`, child, familyOf(name));
  const given = givenNamesOf(name);
  const fitting = given.filter((part) => part.length <= MAX_NAME).slice(0, MAX_GIVEN_NAMES);
  if (fitting.length < given.length)
    notes.take(`${holder}.given_names`, child, leftOut(null, 'The text is too long'));
  if (family !== null || fitting.length > 0) return { family_name: family, given_names: fitting };
  return {
    family_name: notes.take(`${holder}.family_name`, child, wholeName(name)),
    given_names: [],
  };
};

// A name that is only a text is kept whole as the family name: it cannot be taken apart safely.
const wholeName = (name: JsonObject | null): Reading<string> =>
  readText(knownName(name?.['text']), MAX_NAME);

const nameWithUse = (patient: JsonObject, use: string): JsonObject | null =>
  objectsOf(patient['name']).find((name) => textOf(name['use']) === use) ?? null;

const familyOf = (name: JsonObject | null): Reading<string> => {
  if (name === null || isAbsent(name['_family'])) return NOTHING_READ;
  return readText(knownName(name['family']), MAX_NAME);
};

const givenNamesOf = (name: JsonObject | null): readonly string[] => {
  if (name === null) return [];
  const absent = listOf(name['_given']);
  return listOf(name['given'])
    .map((given, index) => (isAbsent(absent[index]) ? null : knownName(given)))
    .filter((given) => given !== null);
};

// UNK and its long form only: other null flavors, such as Na, are people's names.
const knownName = (value: unknown): string | null => {
  const text = textOf(value);
  return text === null || /^unk(nown)?$/i.test(text) ? null : text;
};

const isAbsent = (element: unknown): boolean =>
  isObject(element) &&
  objectsOf(element['extension']).some(
    (extension) => textOf(extension['url'])?.endsWith('/data-absent-reason') === true,
  );

const extensionValue = (element: JsonObject, name: string, value: string): unknown =>
  objectsOf(element['extension']).find(
    (extension) => textOf(extension['url'])?.endsWith(`/${name}`) === true,
  )?.[value];

const birthTimeOf = (patient: JsonObject): unknown =>
  extensionValue(objectIn(patient['_birthDate']), 'patient-birthTime', 'valueDateTime') ??
  extensionValue(patient, 'patient-birthTime', 'valueDateTime');

const SEX_AT_BIRTH: ReadonlyMap<string, Sex> = new Map([
  ['F', 'female'],
  ['M', 'male'],
  ['OTH', 'other'],
  ['UNK', 'unknown'],
]);

const GENDERS: ReadonlyMap<string, Sex> = new Map([
  ['female', 'female'],
  ['male', 'male'],
  ['other', 'other'],
  ['unknown', 'unknown'],
]);

// The sex at birth is the narrower statement; records of the C# tools have no gender at all.
const sexOf = (patient: JsonObject): Sex | null => {
  const atBirth =
    SEX_AT_BIRTH.get(textOf(extensionValue(patient, 'us-core-birthsex', 'valueCode')) ?? '') ??
    null;
  const gender = GENDERS.get(textOf(patient['gender'])?.toLowerCase() ?? '') ?? null;
  return atBirth === 'unknown' ? (gender ?? atBirth) : (atBirth ?? gender);
};

const birthOrderOf = (patient: JsonObject): Reading<number> => {
  const order = patient['multipleBirthInteger'];
  if (order === undefined || order === null || order === -1)
    return patient['multipleBirthBoolean'] === false ? read(1) : NOTHING_READ;
  return isBirthCount(order)
    ? read(order)
    : leftOut(order, 'The number is outside the possible range');
};

// A profile for a live-born child says no as well as one for a fetus says yes.
const fetalDeathOf = (patient: JsonObject): boolean | null => {
  const stated = firstOf(
    booleanOrNull(
      extensionValue(objectIn(patient['_deceasedBoolean']), FETAL_DEATH, 'valueBoolean'),
    ),
    booleanOrNull(extensionValue(patient, FETAL_DEATH, 'valueBoolean')),
  );
  if (stated !== null) return stated;
  if (isFetus(patient)) return true;
  return isDecedent(patient) ? null : false;
};

const FETAL_DEATH = 'Extension-patient-fetal-death-vr';

const booleanOrNull = (value: unknown): boolean | null =>
  typeof value === 'boolean' ? value : null;

const livingOf = (patient: JsonObject): boolean | null => {
  if (textOf(patient['deceasedDateTime']) !== null) return false;
  const deceased = booleanOrNull(patient['deceasedBoolean']);
  return deceased === null ? null : !deceased;
};

// Identifier type MR of v2-0203; social security numbers are never read.
const recordNumberOf = (patient: JsonObject): string | null =>
  firstRead(objectsOf(patient['identifier']), (identifier) =>
    codesOf(identifier['type']).includes('MR') ? textOf(identifier['value']) : null,
  );

const phoneOf = (patient: JsonObject): string | null =>
  firstRead(objectsOf(patient['telecom']), (telecom) =>
    textOf(telecom['system']) === 'phone' ? textOf(telecom['value']) : null,
  );

// The home, else the first address that is neither for mail nor a former one.
const addressOf = (patient: JsonObject, notes: Notes): Address => {
  const addresses = objectsOf(patient['address']);
  const use = (address: JsonObject): string => textOf(address['use']) ?? '';
  const address =
    addresses.find((candidate) => use(candidate) === 'home') ??
    addresses.find((candidate) => use(candidate) !== 'billing' && use(candidate) !== 'old') ??
    addresses[0];
  if (address === undefined) return emptyAddress();
  const take = (name: keyof Address, value: unknown, longest = MAX_NAME): string | null =>
    notes.take(`mother.address.${name}`, null, readText(knownPart(value), longest));
  const lines = listOf(address['line'])
    .map(textOf)
    .filter((line) => line !== null);
  return {
    line: take('line', lines.join(', '), MAX_TEXT),
    city: take('city', address['city']),
    county: take('county', address['district']),
    state: take('state', address['state']),
    postal_code: take('postal_code', address['postalCode']),
    country: take('country', address['country']),
  };
};

const knownPart = (value: unknown): string | null => {
  const text = textOf(value);
  return text === null || (text.length > 2 && statesUnknown(text)) ? null : text;
};
