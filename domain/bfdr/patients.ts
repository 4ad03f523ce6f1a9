import { AGES_AT_DELIVERY } from '../course-of-care/age-at-delivery.ts';
import {
  type Address,
  type Child,
  emptyAddress,
  emptyChild,
  emptyMother,
  type Mother,
} from '../course-of-care/canonical-record.ts';
import {
  addressesInUse,
  maidenNameIn,
  nameInUse,
  phonesInUse,
  recordNumbersInUse,
} from '../course-of-care/from-fhir/names-and-contacts.ts';
import {
  addressParts,
  birthTimeOf,
  isBirthCount,
  livingOf,
  sexOf,
} from '../course-of-care/from-fhir/patient-values.ts';
import { raceAndEthnicityOf } from '../course-of-care/from-fhir/race-and-ethnicity.ts';
import { MAX_GIVEN_NAMES, MAX_NAME } from '../course-of-care/limits.ts';
import { codesOf, statesUnknown } from '../fhir/coded-values.ts';
import type { HeldAgainst } from '../fhir/current-elements.ts';
import { readDate } from '../fhir/dates.ts';
import { extensionOf, isAbsent, isVerbatim } from '../fhir/extensions.ts';
import { familyNameOf, givenNamesOf, knownName } from '../fhir/human-names.ts';
import { firstOf, type JsonObject, listOf, objectsOf, textOf } from '../fhir/json.ts';
import { readWhole } from '../fhir/quantities.ts';
import { leftOut, NOTHING_READ, type Reading, read, readText } from '../fhir/readings.ts';
import { namesOfInvisible } from '../unusable-characters.ts';
import type { Notes } from './notes.ts';
import { isDecedent, isFetus } from './roles.ts';

type Name = {
  readonly family_name: string | null;
  readonly given_names: readonly string[];
};

/**
 * Reads the mother's demographics from her Patient, without what Observations say of her.
 * @param day what her names, numbers and addresses are held against
 */
export const motherFrom = (patient: JsonObject, day: HeldAgainst, notes: Notes): Mother => {
  const take = (name: string, reading: Reading<string>): string | null =>
    notes.take(`mother.${name}`, null, reading);
  const { family_name, given_names } = nameOf(
    patient,
    day,
    { holder: 'mother', child: null },
    notes,
  );
  return {
    ...emptyMother(),
    family_name,
    given_names,
    birth_surname: take('birth_surname', familyOf(maidenNameIn(patient['name']))),
    birth_date: take('birth_date', readDate(patient['birthDate'])),
    ...raceAndEthnicityOf(patient),
    address: addressOf(patient, day, notes),
    phone: take('phone', readText(phoneOf(patient, day), MAX_NAME)),
    medical_record_number: take(
      'medical_record_number',
      readText(recordNumberOf(patient, day), MAX_NAME),
    ),
  };
};

/**
 * Reads one child from its Patient, without what Observations say of it. A child without a usable
 * birth date takes the date of its birth time.
 * @param day what its names and numbers are held against
 */
export const childFrom = (
  patient: JsonObject,
  position: number,
  day: HeldAgainst,
  notes: Notes,
): Child => {
  const take = <T>(name: string, reading: Reading<T>): T | null =>
    notes.take(`children.${name}`, position, reading);
  const { time, day: dayOfTime } = birthTimeOf(patient);
  const birth_time = take('birth_time', time);
  const birth_date = take('birth_date', birthDateOf(patient)) ?? dayOfTime;
  const { family_name, given_names } = nameOf(
    patient,
    day,
    { holder: 'children', child: position },
    notes,
  );
  return {
    ...emptyChild(),
    family_name,
    given_names,
    birth_date,
    birth_time,
    sex: sexOf(patient),
    birth_order: take('birth_order', birthOrderOf(patient)),
    medical_record_number: take(
      'medical_record_number',
      readText(recordNumberOf(patient, day), MAX_NAME),
    ),
    fetal_death: fetalDeathOf(patient),
    living: livingOf(patient),
  };
};

/** How many were born together, as a child's Patient states it; null if it does not. */
export const pluralityOf = (patient: JsonObject): number | null => {
  const stated = extensionOf(patient['_multipleBirthInteger'], 'patient-multipleBirthTotal');
  const total = stated?.['valuePositiveInt'];
  if (isBirthCount(total)) return total;
  return patient['multipleBirthBoolean'] === false ? 1 : null;
};

const REPORTED_AGE = 'Extension-reported-parent-age-at-delivery-vr';
const YEARS: ReadonlySet<string> = new Set(['a', 'yr', 'year', 'years']);

/** The mother's age at delivery in whole years, as a child's Patient states it. */
export const reportedAgeOf = (patient: JsonObject): Reading<number> => {
  for (const { url, extension } of objectsOf(patient['extension'])) {
    const parts = objectsOf(extension);
    const isOfMother = parts.some((part) => codesOf(part['valueCodeableConcept']).includes('MTH'));
    const age = parts.find((part) => part['url'] === 'reportedAge');
    if (textOf(url)?.endsWith(`/${REPORTED_AGE}`) === true && isOfMother && age !== undefined)
      return readWhole(age, (unit) => YEARS.has(unit), AGES_AT_DELIVERY);
  }
  return NOTHING_READ;
};

const nameOf = (
  patient: JsonObject,
  day: HeldAgainst,
  { holder, child }: { readonly holder: 'mother' | 'children'; readonly child: number | null },
  notes: Notes,
): Name => {
  const name = nameInUse(patient['name'], day);
  const family = notes.take(`${holder}.family_name`, child, familyOf(name));
  const given = name === null ? [] : givenNamesOf(name);
  const fitting = given.filter((part) => part.length <= MAX_NAME).slice(0, MAX_GIVEN_NAMES);
  const invisible = namesOfInvisible(listOf(name?.['given']).join(' '));
  if (invisible !== null)
    notes.warn(`${holder}.given_names`, child, invisible, 'invisible-characters');
  if (fitting.length < given.length)
    notes.take(`${holder}.given_names`, child, leftOut(null, 'text-too-long'));
  if (family !== null || fitting.length > 0) return { family_name: family, given_names: fitting };
  return {
    family_name: notes.take(`${holder}.family_name`, child, wholeName(name)),
    given_names: [],
  };
};

// A name that is only a text is kept whole as the family name: it cannot be taken apart safely.
const wholeName = (name: JsonObject | null): Reading<string> =>
  knownName(name?.['text']) === null ? NOTHING_READ : readText(name?.['text'], MAX_NAME);

const familyOf = (name: JsonObject | null): Reading<string> =>
  name === null || familyNameOf(name) === null ? NOTHING_READ : readText(name['family'], MAX_NAME);

// A date of which all but the year is masked is what the registry itself keeps of it for a partner.
const birthDateOf = (patient: JsonObject): Reading<string> => {
  const stated = readDate(patient['birthDate']);
  if (stated.kind !== 'none') return stated;
  const parts = objectsOf(
    extensionOf(patient['_birthDate'], 'Extension-partial-date-vr')?.['extension'],
  );
  const part = (url: string) => parts.find((one) => one['url'] === url);
  const year = part('year')?.['valueUnsignedInt'];
  const isMasked = ['month', 'day'].every(
    (url) => extensionOf(part(url), 'data-absent-reason')?.['valueCode'] === 'masked',
  );
  return isMasked && isYear(year) ? read(String(year).padStart(4, '0')) : NOTHING_READ;
};

const isYear = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 9999;

const birthOrderOf = (patient: JsonObject): Reading<number> => {
  const order = patient['multipleBirthInteger'];
  if (order === undefined || order === null || order === -1)
    return patient['multipleBirthBoolean'] === false ? read(1) : NOTHING_READ;
  return isBirthCount(order) ? read(order) : leftOut(order, 'out-of-range');
};

// A profile for a live-born child says no as well as one for a fetus says yes.
const fetalDeathOf = (patient: JsonObject): boolean | null => {
  const stated = firstOf(
    booleanOrNull(extensionOf(patient['_deceasedBoolean'], FETAL_DEATH)?.['valueBoolean']),
    booleanOrNull(extensionOf(patient, FETAL_DEATH)?.['valueBoolean']),
  );
  if (stated !== null) return stated;
  if (isAbsent(extensionOf(patient, FETAL_DEATH)?.['_valueBoolean'])) return null;
  if (isFetus(patient)) return true;
  return isDecedent(patient) ? null : false;
};

const FETAL_DEATH = 'Extension-patient-fetal-death-vr';

const booleanOrNull = (value: unknown): boolean | null =>
  typeof value === 'boolean' ? value : null;

const recordNumberOf = (patient: JsonObject, day: HeldAgainst): unknown =>
  recordNumbersInUse(patient['identifier'], day)[0]?.['value'];

const phoneOf = (patient: JsonObject, day: HeldAgainst): unknown =>
  phonesInUse(patient['telecom'], day)[0]?.['value'];

const addressOf = (patient: JsonObject, day: HeldAgainst, notes: Notes): Address => {
  const [address] = addressesInUse(patient['address'], day);
  if (address === undefined) return emptyAddress();
  const taken: Record<keyof Address, string | null> = emptyAddress();
  for (const { name, value, element, longest } of addressParts(address)) {
    const isPart = isVerbatim(element) || knownPart(value) !== null;
    const reading = isPart ? readText(value, longest) : NOTHING_READ;
    taken[name] = notes.take(`mother.address.${name}`, null, reading);
  }
  return taken;
};

/** The text of a part of an address; null for one that says that it is unknown. */
export const knownPart = (value: unknown): string | null => {
  const text = textOf(value);
  return text === null || (text.length > 2 && statesUnknown(text)) ? null : text;
};
