import { findStatedAddress, listLackingNumbers } from '../../course/addresses.ts';
import { LIKELY_AGES } from '../../course/age-at-delivery.ts';
import { type Child, WARNING_REASONS } from '../../course/course.ts';
import { isEmpty } from '../../course/course-paths.ts';
import { findFieldAt } from '../../course/fields.ts';
import { MAX_GIVEN_NAMES, MAX_NAME } from '../../course/limits.ts';
import { findPlaceholderName, PLACEHOLDER_QUESTION } from '../../course/placeholder-names.ts';
import { readCodings } from '../../fhir/coded-values.ts';
import { getUse, isCurrent } from '../../fhir/current-elements.ts';
import {
  isDate,
  isDateTime,
  isPlaceholder,
  readPartialDateBeside,
  toDayNumber,
} from '../../fhir/dates.ts';
import { findExtension } from '../../fhir/extensions.ts';
import {
  getFamilyName,
  getFamilyText,
  getGivenNames,
  readKnownName,
  splitFamilyName,
} from '../../fhir/human-names.ts';
import { asArray, asObjects, asText, type JsonObject } from '../../fhir/json.ts';
import { leaveOut, READING_REASONS, type Reading } from '../../fhir/readings.ts';
import { formatResourceName } from '../../fhir/resources.ts';
import { collectStatedValues, findUnusedValue } from '../../fhir/stated-values.ts';
import { listInvisible } from '../../text-input.ts';
import {
  addressesInUse,
  findMaidenName,
  nameInUse,
  phonesInUse,
  recordNumbersInUse,
} from '../from-fhir/names-and-contacts.ts';
import {
  isMultipleBirth,
  isOrderInferred,
  isTypeOfOtherSystem,
  readBirthOrder,
  readLiving,
  readSex,
  readStatedBirth,
  readTotal,
} from '../from-fhir/patient-values.ts';
import {
  listOfOtherSystem,
  listUnreadAnswers,
  readRaceAndEthnicity,
} from '../from-fhir/race-and-ethnicity.ts';
import { isInUtc, type LocalTimes } from './chart-clock.ts';
import type { EhrSourceWithDisplay, LaunchedPerson } from './prefill.ts';
import { addDate, createWholeSource, type PrefillBuilder } from './prefill-builder.ts';

interface Name extends Pick<Child, 'family_name' | 'given_names' | 'suffix'> {
  readonly whole: string | null;
  readonly hasInvisible: boolean;
  readonly isTooLong: boolean;
}

const NO_NAME: Name = {
  family_name: null,
  given_names: [],
  suffix: null,
  whole: null,
  hasInvisible: false,
  isTooLong: false,
};

export const readMother = (patient: JsonObject, today: string, findings: PrefillBuilder): void => {
  const from = readPatientSource(patient);
  offerName('mother.', findCurrentName(patient['name'], today), from, findings);
  const maiden = readFamilyName(findMaidenName(patient['name']) ?? {});
  offerText('mother.birth_surname', maiden, from, findings);
  const { birthDate, _birthDate: beside } = patient;
  offerDate('mother.birth_date', readPartialDateBeside(birthDate, beside), from, findings);
  const ofOtherSystem = listOfOtherSystem(patient);
  for (const [name, value] of Object.entries(readRaceAndEthnicity(patient))) {
    const caution = ofOtherSystem.some((one) => one === name) ? OTHER_SYSTEM : null;
    if (value !== null && !isEmpty(value))
      findings.addCandidate(`mother.${name}`, { value, from, caution });
  }
  for (const name of listUnreadAnswers(patient)) {
    const what = findFieldAt(`mother.${name}`).label;
    findings.skip({ what, said: null, why: `${READING_REASONS['not-understood']}.`, from });
  }
  offerContact(patient, today, from, findings);
  offerRecordNumber('mother.', patient, today, findings);
};

export const readNewborn = (
  patient: JsonObject,
  { today, toLocal }: LocalTimes,
  findings: PrefillBuilder,
): void => {
  const from = readPatientSource(patient);
  const row = 'children.0.';
  findings.ensureChildren(1);
  const mother = findCurrentName(findMotherInNewbornChart(patient)?.['name'], today);
  offerName(row, findCurrentName(patient['name'], today), from, findings, mother);
  const { date, time, day } = readStatedBirth(patient);
  offerDate(`${row}birth_date`, date, from, findings);
  if (time.kind === 'value') findings.addCandidate(`${row}birth_time`, { value: time.value, from });
  if (time.kind === 'left-out')
    findings.skip({
      what: 'Time of birth',
      said: typeof time.raw === 'string' && isDateTime(time.raw) ? time.raw : null,
      why: 'The EHR does not know the whole time.',
      from,
    });
  if (day !== null && !findings.has(`${row}birth_date`)) {
    const value = time.kind === 'value' ? readBirthDate(toLocal(time.value)) : day;
    findings.addCandidate(`${row}birth_date`, { value, from });
  }
  offerReading(`${row}sex`, 'Sex', readSex(patient), from, findings);
  offerRecordNumber(row, patient, today, findings);
  offerBirthOrder(patient, from, findings);
  offerReading(`${row}living`, 'Living', readLiving(patient), from, findings);
  readMotherInNewbornChart(patient, today, findings);
};

/** Returns the newborn's time of birth if it is in UTC, else null. */
export const findUtcBirthTime = (patient: JsonObject): string | null => {
  const { time } = readStatedBirth(patient);
  return time.kind === 'value' && isInUtc(time.value) ? time.value : null;
};

const readPatientSource = (patient: JsonObject): EhrSourceWithDisplay =>
  addDate(createWholeSource(formatResourceName(patient)), null);

const readBirthDate = (time: string): string => time.slice(0, 'YYYY-MM-DD'.length);

const findMotherInNewbornChart = (patient: JsonObject): JsonObject | undefined =>
  asObjects(patient['contact']).find(isMotherRelationship);

/** A newborn's chart lists the mother as a contact, without her date of birth. */
const readMotherInNewbornChart = (
  patient: JsonObject,
  today: string,
  findings: PrefillBuilder,
): void => {
  const from = readPatientSource(patient);
  const contact = findMotherInNewbornChart(patient);
  if (contact !== undefined) {
    offerName('mother.', findCurrentName(contact['name'], today), from, findings);
    offerContact(contact, today, from, findings);
  }
  const maiden = findExtension(patient, 'patient-mothersMaidenName') ?? {};
  const stated = collectStatedValues(maiden);
  const why = `${READING_REASONS['not-understood']}.`;
  if (findUnusedValue(stated, 'numbers', 'quantities', 'booleans').kind === 'left-out')
    findings.skip({ what: 'Birth surname of the mother', said: null, why, from });
  offerText(
    'mother.birth_surname',
    limitName(readKnownName(maiden['valueString'])),
    from,
    findings,
  );
};

/** @see v3-RoleCode */
export const MOTHERS: ReadonlySet<string> = new Set(['MTH', 'NMTH', 'GESTM']);

const isMotherRelationship = (contact: JsonObject): boolean =>
  asObjects(contact['relationship']).some(
    (relationship) =>
      readCodings(relationship).some(({ code }) => MOTHERS.has(code ?? '')) ||
      /^(birth )?mother$/i.test(asText(relationship['text']) ?? ''),
  );

export const toLaunchedPerson = (patient: JsonObject, today: string): LaunchedPerson => {
  const { family_name, given_names, suffix, whole } = findCurrentName(patient['name'], today);
  const parts = [...given_names, family_name, suffix].filter((part) => part !== null);
  const birthDate = asText(patient['birthDate']);
  const sex = readSex(patient);
  return {
    name: parts.length > 0 ? parts.join(' ') : whole,
    birthDate: birthDate !== null && isKnownDate(birthDate) ? birthDate : null,
    sex: sex.kind === 'value' ? sex.value : null,
    medicalRecordNumber: readNumber(findRecordNumber(patient, today)),
  };
};

const findCurrentName = (names: unknown, today: string): Name => {
  const name = nameInUse(names, today);
  return name === null || !isCurrent(name, today) ? NO_NAME : readParts(name);
};

const readParts = (name: JsonObject): Name => {
  const { family, suffix } = splitFamilyName(name, readFamilyName(name));
  const given = getGivenNames(name);
  const given_names = given.filter(isShortEnough).slice(0, MAX_GIVEN_NAMES);
  const sent = [getFamilyText(name), ...asArray(name['given']), ...asArray(name['suffix'])];
  return {
    family_name: family,
    given_names,
    suffix: limitName(suffix),
    whole: limitName(readKnownName(name['text'])),
    hasInvisible: sent.some(
      (text) => typeof text === 'string' && listInvisible(text.trim()) !== null,
    ),
    isTooLong:
      given_names.length < given.length ||
      [getFamilyName(name), suffix].some((text) => text !== null && !isShortEnough(text)),
  };
};

const readFamilyName = (name: JsonObject): string | null => limitName(getFamilyName(name));

const isShortEnough = (text: string): boolean => text.length <= MAX_NAME;

const limitName = (text: string | null): string | null =>
  text !== null && isShortEnough(text) ? text : null;

const offerName = (
  prefix: string,
  { family_name: family, given_names: given, suffix, whole, hasInvisible, isTooLong }: Name,
  from: EhrSourceWithDisplay,
  findings: PrefillBuilder,
  mother: Name | null = null,
): void => {
  offerText(`${prefix}suffix`, suffix, from, findings);
  if (isTooLong)
    findings.skip({ what: 'Name', said: null, why: `${READING_REASONS['text-too-long']}.`, from });
  if (family === null && given.length === 0) {
    const caution = 'The EHR holds the name in one piece: take it apart.';
    if (whole !== null)
      findings.addCandidate(`${prefix}family_name`, { value: whole, from, caution });
    return;
  }
  const doubted =
    mother === null
      ? null
      : findPlaceholderName({ family_name: family, given_names: given }, mother);
  const offer = (name: 'family_name' | 'given_names', value: string | readonly string[]) =>
    findings.addCandidate(`${prefix}${name}`, {
      value,
      from,
      caution: name === doubted ? PLACEHOLDER_QUESTION : hasInvisible ? INVISIBLE : null,
    });
  if (family !== null) offer('family_name', family);
  if (given.length > 0) offer('given_names', given);
};

const offerText = (
  path: string,
  text: string | null,
  from: EhrSourceWithDisplay,
  findings: PrefillBuilder,
  caution: string | null = null,
): void => {
  if (text !== null) findings.addCandidate(path, { value: text, from, caution });
};

const OTHER_SYSTEM = `${WARNING_REASONS['other-system']}.`;

const offerRecordNumber = (
  prefix: string,
  patient: JsonObject,
  today: string,
  findings: PrefillBuilder,
): void => {
  const number = findRecordNumber(patient, today);
  const caution = number !== undefined && isTypeOfOtherSystem(number) ? OTHER_SYSTEM : null;
  const from = readPatientSource(patient);
  offerText(`${prefix}medical_record_number`, readNumber(number), from, findings, caution);
};

const INVISIBLE = `${WARNING_REASONS['invisible-characters']}.`;

const TIME_OF_DATE = `${WARNING_REASONS['time-of-date']}.`;

const isKnownDate = (text: string): boolean => isDateTime(text) && !isPlaceholder(text);

const offerDate = (
  path: string,
  date: Reading<string>,
  from: EhrSourceWithDisplay,
  findings: PrefillBuilder,
): void => {
  if (date.kind === 'value') {
    const caution = date.timeOfDay === undefined ? null : TIME_OF_DATE;
    findings.addCandidate(path, { value: date.value, from, caution });
  }
  if (date.kind === 'left-out')
    findings.skip({
      what: 'Date of birth',
      said: typeof date.raw === 'string' && isDateTime(date.raw) ? date.raw : null,
      why:
        date.reason === 'date-impossible'
          ? 'The EHR does not know the whole date.'
          : `${READING_REASONS[date.reason]}.`,
      from,
    });
};

const offerReading = (
  path: string,
  what: string,
  reading: Reading<string | number | boolean>,
  from: EhrSourceWithDisplay,
  findings: PrefillBuilder,
): void => {
  if (reading.kind === 'value') findings.addCandidate(path, { value: reading.value, from });
  if (reading.kind === 'left-out') {
    const said = reading.raw === null ? null : String(reading.raw);
    findings.skip({ what, said, why: `${READING_REASONS[reading.reason]}.`, from });
  }
};

const offerContact = (
  holder: JsonObject,
  today: string,
  from: EhrSourceWithDisplay,
  findings: PrefillBuilder,
): void => {
  const home = findStatedAddress(listHomes(holder['address'], today), 'ISO 3166');
  if (home !== null) {
    for (const { name, reading } of home.parts) {
      const path = `mother.address.${name}` as const;
      offerReading(path, findFieldAt(path).label, reading, from, findings);
    }
    const { label } = findFieldAt('mother.address.line');
    for (const number of listLackingNumbers(home.address))
      offerReading('', label, leaveOut(number, 'not-understood'), from, findings);
  }
  const phone = phonesInUse(holder['telecom'], today).find(
    (one) => isCurrent(one, today) && getUse(one) !== 'work',
  );
  offerText('mother.phone', limitName(asText(phone?.['value'])), from, findings);
};

/** The home address, then other current addresses, never one for billing only. */
const listHomes = (addresses: unknown, today: string): readonly JsonObject[] =>
  addressesInUse(addresses, today).filter(
    (one) => isCurrent(one, today) && getUse(one) !== 'billing',
  );

const findRecordNumber = (patient: JsonObject, today: string): JsonObject | undefined =>
  recordNumbersInUse(patient['identifier'], today).find((one) => isCurrent(one, today));

const readNumber = (identifier: JsonObject | undefined): string | null =>
  limitName(asText(identifier?.['value']));

const offerBirthOrder = (
  patient: JsonObject,
  from: EhrSourceWithDisplay,
  findings: PrefillBuilder,
): void => {
  const order = readBirthOrder(patient);
  const total = readTotal(patient);
  const isMultiple = isMultipleBirth(patient);
  const isInferred = isOrderInferred(patient);
  const isContradicted = isInferred && total.kind === 'value' && total.value > 1;
  const derived = isInferred ? 'The chart says that it was no multiple birth.' : null;
  const place = order.kind === 'value' && !isContradicted ? order.value : null;
  if (isContradicted) {
    const why = `${WARNING_REASONS['single-among-several']}.`;
    findings.skip({ what: 'Birth order', said: 'No multiple birth', why, from });
  }
  if (isMultiple === true && total.kind === 'value' && total.value === 1) {
    const why = `${WARNING_REASONS['multiple-alone']}.`;
    findings.skip({ what: PLURALITY, said: 'A multiple birth', why, from });
  }
  if (place !== null)
    findings.addCandidate('children.0.birth_order', { value: place, from, derived });
  if (order.kind === 'left-out') offerReading('', 'Birth order', order, from, findings);
  if (total.kind === 'value' && total.value < (place ?? 0)) {
    const why = `${WARNING_REASONS['below-birth-order']}.`;
    findings.skip({ what: PLURALITY, said: String(total.value), why, from });
  } else if (total.kind !== 'unknown' && total.kind !== 'none')
    offerReading('plurality', PLURALITY, total, from, findings);
  else if (isInferred && total.kind === 'none')
    findings.addCandidate('plurality', { value: 1, from, derived });
  if ((isMultiple === true || (place ?? 0) > 1) && !findings.has('plurality'))
    findings.addHint({
      kind: 'plurality',
      path: 'plurality',
      from,
      text: 'The chart says that it was a multiple birth. Each child has a chart of its own.',
    });
};

const PLURALITY = 'Children of this birth';

/** Guesses the person of a chart by age and sex. @param today `YYYY-MM-DD` */
export const guessPerson = (patient: JsonObject, today: string): 'mother' | 'newborn' | null => {
  const birthDate = asText(patient['birthDate']);
  if (birthDate === null || !isKnownDate(birthDate)) return null;
  // A birth date after tomorrow is an error; tomorrow may be today in another time zone.
  if (isDate(birthDate) && toDayNumber(birthDate) > toDayNumber(today) + 1) return null;
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  if (years < LIKELY_AGES.from) return years >= 0 ? 'newborn' : null;
  const sex = readSex(patient);
  const isFemale = sex.kind === 'value' && sex.value === 'female';
  return isFemale && years <= LIKELY_AGES.to ? 'mother' : null;
};
