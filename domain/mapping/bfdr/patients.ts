import { findStatedAddress, listLackingNumbers } from '../../course/addresses.ts';
import { AGES_AT_DELIVERY } from '../../course/age-at-delivery.ts';
import { isOnDay } from '../../course/birth-times.ts';
import {
  type Address,
  type Child,
  emptyAddress,
  emptyChild,
  emptyMother,
  type Mother,
} from '../../course/course.ts';
import { MAX_GIVEN_NAMES, MAX_NAME } from '../../course/limits.ts';
import { isAmbiguousCountry } from '../../course/places.ts';
import { readCodes } from '../../fhir/coded-values.ts';
import type { ReferenceDay } from '../../fhir/current-elements.ts';
import {
  findPartialDate,
  parseDateAndTime,
  readDate,
  readPartialDateBeside,
} from '../../fhir/dates.ts';
import { findExtension, isMasked, readUnrecorded } from '../../fhir/extensions.ts';
import {
  getFamilyName,
  getFamilyText,
  getGivenNames,
  getSuffix,
  isFamilyJoined,
  readKnownName,
  splitFamilyName,
} from '../../fhir/human-names.ts';
import { asArray, asObjects, asText, type JsonObject } from '../../fhir/json.ts';
import { readWhole } from '../../fhir/quantities.ts';
import { ABSENT, leaveOut, present, type Reading, readText } from '../../fhir/readings.ts';
import { listInvisible } from '../../text-input.ts';
import {
  addressesInUse,
  findMaidenName,
  nameInUse,
  phonesInUse,
  recordNumbersInUse,
} from '../from-fhir/names-and-contacts.ts';
import {
  isTypeOfOtherSystem,
  readBirthOrder,
  readLiving,
  readSex,
  type StatedBirth,
} from '../from-fhir/patient-values.ts';
import {
  listOfOtherSystem,
  listUnreadAnswers,
  readRaceAndEthnicity,
} from '../from-fhir/race-and-ethnicity.ts';
import { isOfVitalRecords } from './roles.ts';
import type { WarningCollector } from './warning-collector.ts';

type Name = Pick<Child, 'family_name' | 'given_names' | 'suffix'>;

interface Person {
  readonly holder: 'mother' | 'children';
  readonly child: number | null;
}

export const readMother = (
  patient: JsonObject,
  day: ReferenceDay,
  notes: WarningCollector,
): Mother => {
  const take = (name: string, reading: Reading<string>): string | null =>
    notes.unwrap(`mother.${name}`, null, reading);
  const own = readName(patient, day, { holder: 'mother', child: null }, notes);
  const maiden = findMaidenName(patient['name']);
  warnIfJoined('mother.birth_surname', null, maiden, notes);
  for (const name of listOfOtherSystem(patient))
    notes.warn(`mother.${name}`, null, null, 'other-system');
  for (const name of listUnreadAnswers(patient))
    notes.warn(`mother.${name}`, null, null, 'not-understood');
  return Object.assign(emptyMother(), own, readRaceAndEthnicity(patient), {
    birth_surname: take('birth_surname', readFamily(maiden)),
    birth_date: take(
      'birth_date',
      readPartialDateBeside(patient['birthDate'], patient['_birthDate']),
    ),
    address: findAddress(patient, day, notes),
    phone: take('phone', readText(readPhone(patient, day), MAX_NAME)),
    medical_record_number: readRecordNumber(patient, day, { holder: 'mother', child: null }, notes),
  });
};

/** A child without a usable birth date gets the date of its birth time. */
export const readChild = (
  patient: JsonObject,
  { date, time, day: dayOfTime }: StatedBirth,
  fetalDeath: Reading<boolean>,
  position: number,
  day: ReferenceDay,
  notes: WarningCollector,
): Child => {
  const unrecorded = readUnrecorded(patient);
  const take = <T>(name: string, reading: Reading<T>): T | null =>
    unrecorded.has(name) ? null : notes.unwrap(`children.${name}`, position, reading);
  const birth_time = take('birth_time', time);
  const year = readMaskedYear(patient);
  const birth_date = take('birth_date', year === null ? date : present(year)) ?? dayOfTime;
  const timed = birth_time === null ? null : parseDateAndTime(birth_time);
  if (timed !== null && birth_date !== null && !isOnDay(timed, birth_date))
    notes.warn('children.birth_time', position, birth_time, 'time-on-another-day');
  const name = readName(patient, day, { holder: 'children', child: position }, notes);
  return Object.assign(emptyChild(), name, {
    birth_date,
    birth_time,
    sex: take('sex', readSex(patient)),
    birth_order: take('birth_order', readBirthOrder(patient)),
    medical_record_number: unrecorded.has('medical_record_number')
      ? null
      : readRecordNumber(patient, day, { holder: 'children', child: position }, notes),
    fetal_death: take('fetal_death', fetalDeath),
    living: take('living', readLiving(patient)),
  });
};

const REPORTED_AGE = 'Extension-reported-parent-age-at-delivery-vr';
const YEARS: ReadonlySet<string> = new Set(['a', 'yr', 'year', 'years']);

export const readReportedAge = (patient: JsonObject): Reading<number> => {
  for (const { url, extension } of asObjects(patient['extension'])) {
    const parts = asObjects(extension);
    const isOfMother = parts.some((part) =>
      readCodes(part['valueCodeableConcept']).includes('MTH'),
    );
    const age = parts.find((part) => part['url'] === 'reportedAge');
    if (asText(url)?.endsWith(`/${REPORTED_AGE}`) === true && isOfMother && age !== undefined)
      return readWhole(age, (unit) => YEARS.has(unit), AGES_AT_DELIVERY);
  }
  return ABSENT;
};

const readName = (
  patient: JsonObject,
  day: ReferenceDay,
  { holder, child }: Person,
  notes: WarningCollector,
): Name => {
  const name = nameInUse(patient['name'], day);
  const whole = notes.unwrap(`${holder}.family_name`, child, readFamily(name));
  warnIfJoined(`${holder}.family_name`, child, name, notes);
  const { family, suffix: found } = splitFamilyName(name ?? {}, whole);
  const suffix = notes.unwrap(`${holder}.suffix`, child, readText(found, MAX_NAME));
  if (found !== getSuffix(name ?? {})) notes.warn(`${holder}.suffix`, child, null, 'other-form');
  warnOfInvisible(`${holder}.suffix`, child, name?.['suffix'], notes);
  const given = name === null ? [] : getGivenNames(name);
  const fitting = given.filter((part) => part.length <= MAX_NAME).slice(0, MAX_GIVEN_NAMES);
  warnOfInvisible(`${holder}.given_names`, child, name?.['given'], notes);
  if (fitting.length < given.length)
    notes.unwrap(`${holder}.given_names`, child, leaveOut(null, 'text-too-long'));
  if (family !== null || fitting.length > 0)
    return { family_name: family, given_names: fitting, suffix };
  return {
    family_name: notes.unwrap(`${holder}.family_name`, child, readWholeName(name)),
    given_names: [],
    suffix,
  };
};

const warnOfInvisible = (
  field: string,
  child: number | null,
  sent: unknown,
  notes: WarningCollector,
): void => {
  if (sent === undefined) return;
  const texts = asArray(sent).map((part) => (typeof part === 'string' ? part.trim() : ''));
  const invisible = listInvisible(texts.join(' '));
  if (invisible !== null) notes.warn(field, child, invisible, 'invisible-characters');
};

// A name that is only text becomes the family name, because it cannot be split reliably.
const readWholeName = (name: JsonObject | null): Reading<string> =>
  readKnownName(name?.['text']) === null ? ABSENT : readText(name?.['text'], MAX_NAME);

const warnIfJoined = (
  field: string,
  child: number | null,
  name: JsonObject | null,
  notes: WarningCollector,
): void => {
  if (name !== null && isFamilyJoined(name)) notes.warn(field, child, null, 'other-form');
};

const readFamily = (name: JsonObject | null): Reading<string> =>
  name === null || getFamilyName(name) === null ? ABSENT : readText(getFamilyText(name), MAX_NAME);

// Reads a date that the registry's own partner mask reduced to its year.
const readMaskedYear = ({ birthDate, _birthDate: beside }: JsonObject): string | null => {
  if (isMasked(beside)) {
    const year = asText(birthDate) ?? '';
    return /^\d{4}$/.test(year) ? year : null;
  }
  // Older exports contain only the parts.
  const parts = findPartialDate(beside);
  if (parts.length === 0 || readDate(birthDate).kind !== 'none') return null;
  const part = (url: string) => parts.find((one) => one['url'] === url);
  const year = part('year')?.['valueUnsignedInt'];
  const areMasked = ['month', 'day'].every((url) => isMaskedPart(part(url)));
  return areMasked && isYear(year) ? String(year).padStart(4, '0') : null;
};

const isMaskedPart = (part: JsonObject | undefined): boolean =>
  [part, part?.['_valueUnsignedInt']].some(
    (element) => findExtension(element, 'data-absent-reason')?.['valueCode'] === 'masked',
  );

const isYear = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 9999;

const readRecordNumber = (
  patient: JsonObject,
  day: ReferenceDay,
  { holder, child }: Person,
  notes: WarningCollector,
): string | null => {
  const [number] = recordNumbersInUse(patient['identifier'], day);
  const field = `${holder}.medical_record_number`;
  if (number !== undefined && isTypeOfOtherSystem(number))
    notes.warn(field, child, null, 'other-system');
  return notes.unwrap(field, child, readText(number?.['value'], MAX_NAME));
};

const readPhone = (patient: JsonObject, day: ReferenceDay): unknown =>
  phonesInUse(patient['telecom'], day)[0]?.['value'];

const findAddress = (patient: JsonObject, day: ReferenceDay, notes: WarningCollector): Address => {
  const list = isOfVitalRecords(patient) ? 'vital records' : 'ISO 3166';
  const stated = findStatedAddress(addressesInUse(patient['address'], day), list);
  if (stated === null) return emptyAddress();
  const { address, parts } = stated;
  const country = asText(address['country']) ?? '';
  if (list === 'ISO 3166' && isAmbiguousCountry(country))
    notes.warn('mother.address.country', null, country, 'country-ambiguous');
  const taken: Record<keyof Address, string | null> = emptyAddress();
  for (const { name, reading } of parts)
    taken[name] = notes.unwrap(`mother.address.${name}`, null, reading);
  for (const number of listLackingNumbers(address))
    notes.unwrap('mother.address.line', null, leaveOut(number, 'not-understood'));
  return taken;
};
