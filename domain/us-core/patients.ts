import { codingsOf } from '../bfdr/coded-values.ts';
import { dayNumber, isDate, isDateTime, parseDateAndTime } from '../bfdr/dates.ts';
import { isObject, type JsonObject, listOf, objectIn, objectsOf, textOf } from '../bfdr/json.ts';
import { raceAndEthnicityOf } from '../bfdr/race-and-ethnicity.ts';
import { MAX_NAME, MAX_TEXT } from '../bfdr/readings.ts';
import { type Findings, readFromWhole, shortText } from './findings.ts';
import type { LaunchedPerson, ReadFrom } from './prefill.ts';
import { extensionOf } from './pulled-chart.ts';

interface Name {
  readonly family: string | null;
  readonly given: readonly string[];
  /** The whole name, where it is not taken apart. */
  readonly whole: string | null;
}

// Our choice: more given names than any certificate has room for.
const MAX_GIVEN_NAMES = 10;
const MAX_BIRTH_ORDER = 20;

/** Offers what the Patient of the mother says of her. @param today `YYYY-MM-DD` */
export const readMother = (patient: JsonObject, today: string, findings: Findings): void => {
  const from = readFromWhole(patient);
  offerName('mother.', currentName(patient['name'], today), from, findings);
  const maiden = objectsOf(patient['name']).find(({ use }) => use === 'maiden');
  offerText('mother.birth_surname', familyIn(maiden ?? {}), from, findings);
  offerBirthDate('mother.birth_date', patient, from, findings);
  const { race, ethnicity } = raceAndEthnicityOf(patient);
  if (race.length > 0) findings.offer('mother.race', { value: race, from });
  offerText('mother.ethnicity', ethnicity, from, findings);
  offerContact(patient, today, from, findings);
  offerText('mother.medical_record_number', recordNumberOf(patient, today), from, findings);
};

/** Offers what the Patient of a newborn says of the child, and of its mother. */
export const readNewborn = (patient: JsonObject, today: string, findings: Findings): void => {
  const from = readFromWhole(patient);
  const row = 'children.0.';
  findings.needChildren(1);
  offerName(row, currentName(patient['name'], today), from, findings);
  offerBirthDate(`${row}birth_date`, patient, from, findings);
  const birthTime = shortText(
    extensionOf(patient['_birthDate'], 'patient-birthTime')?.['valueDateTime'],
  );
  if (birthTime !== null && parseDateAndTime(birthTime) !== null) {
    findings.offer(`${row}birth_time`, { value: birthTime, from });
    // The date that the birth time names, where the Patient has no usable date of its own.
    if (!findings.has(`${row}birth_date`))
      findings.offer(`${row}birth_date`, { value: birthTime.slice(0, 'YYYY-MM-DD'.length), from });
  }
  const sex = sexOf(patient);
  if (sex !== null) findings.offer(`${row}sex`, { value: sex, from });
  offerText(`${row}medical_record_number`, recordNumberOf(patient, today), from, findings);
  offerBirthOrder(patient, from, findings);
  const living = livingOf(patient);
  if (living !== null) findings.offer(`${row}living`, { value: living, from });
  readMotherOfNewborn(patient, today, findings);
};

/** A newborn's chart names the mother among its contacts, without her date of birth. */
const readMotherOfNewborn = (patient: JsonObject, today: string, findings: Findings): void => {
  const from = readFromWhole(patient);
  const contact = objectsOf(patient['contact']).find(isMother);
  if (contact !== undefined) {
    offerName('mother.', currentName(contact['name'], today), from, findings);
    offerContact(contact, today, from, findings);
  }
  const maidenName = extensionOf(patient, 'patient-mothersMaidenName')?.['valueString'];
  offerText('mother.birth_surname', knownName(maidenName), from, findings);
};

// v3-RoleCode: mother, natural mother, gestational mother; or said in words.
const MOTHERS: ReadonlySet<string> = new Set(['MTH', 'NMTH', 'GESTM']);

const isMother = (contact: JsonObject): boolean =>
  objectsOf(contact['relationship']).some(
    (relationship) =>
      codingsOf(relationship).some(({ code }) => MOTHERS.has(code ?? '')) ||
      /^(birth )?mother$/i.test(textOf(relationship['text']) ?? ''),
  );

/** Who is shown at the top, whatever the chart is taken for. */
export const personOf = (patient: JsonObject, today: string): LaunchedPerson => {
  const { family, given, whole } = currentName(patient['name'], today);
  const parts = [...given, ...(family === null ? [] : [family])];
  const birthDate = textOf(patient['birthDate']);
  return {
    name: parts.length > 0 ? parts.join(' ') : whole,
    birthDate: birthDate !== null && isDateTime(birthDate) ? birthDate : null,
    sex: sexOf(patient),
    medicalRecordNumber: recordNumberOf(patient, today),
  };
};

const NAME_USES = ['official', 'usual', null, 'nickname', 'anonymous', 'temp'] as const;

/** The official name, else the usual one, else one without a use; a former name never. */
const currentName = (names: unknown, today: string): Name => {
  const current = objectsOf(names).filter((name) => isCurrent(name, today));
  for (const use of NAME_USES)
    for (const name of current)
      if (textOf(name['use']) === use && !isBlank(name)) return nameIn(name);
  return { family: null, given: [], whole: null };
};

const isBlank = (name: JsonObject): boolean => {
  const { family, given, whole } = nameIn(name);
  return family === null && given.length === 0 && whole === null;
};

const nameIn = (name: JsonObject): Name => {
  const absent = listOf(name['_given']);
  return {
    family: familyIn(name),
    given: listOf(name['given'])
      .flatMap((given, place) => (isAbsent(absent[place]) ? [] : [knownName(given)]))
      .filter((given) => given !== null)
      .slice(0, MAX_GIVEN_NAMES),
    whole: knownName(name['text']),
  };
};

const familyIn = (name: JsonObject): string | null =>
  isAbsent(name['_family']) ? null : knownName(name['family']);

// UNK and its long form only: other null flavors, such as Na, are people's names.
const knownName = (value: unknown): string | null => {
  const text = textOf(value);
  return text === null || text.length > MAX_NAME || /^unk(nown)?$/i.test(text) ? null : text;
};

const isAbsent = (element: unknown): boolean =>
  isObject(element) && extensionOf(element, 'data-absent-reason') !== undefined;

// What hospitals write until a child has a name.
const PLACEHOLDER =
  /^(?:baby|babyboy|babygirl|bb|bg|boy|girl|infant|newborn|male|female|twin)\b[\s.,-]*(?:boy|girl|[a-z]|\d)?$/i;

const offerName = (
  prefix: string,
  { family, given, whole }: Name,
  from: ReadFrom,
  findings: Findings,
): void => {
  if (family === null && given.length === 0) {
    const caution = 'The EHR holds the name in one piece: take it apart.';
    if (whole !== null) findings.offer(`${prefix}family_name`, { value: whole, from, caution });
    return;
  }
  offerText(`${prefix}family_name`, family, from, findings);
  if (given.length === 0) return;
  const isPlaceholder =
    prefix.startsWith('children.') && given.every((part) => PLACEHOLDER.test(part));
  const caution = isPlaceholder ? 'This looks like the name before the child had one.' : null;
  findings.offer(`${prefix}given_names`, { value: given, from, caution });
};

const offerText = (path: string, text: string | null, from: ReadFrom, findings: Findings): void => {
  if (text !== null) findings.offer(path, { value: text, from });
};

const offerBirthDate = (
  path: string,
  patient: JsonObject,
  from: ReadFrom,
  findings: Findings,
): void => {
  const text = shortText(patient['birthDate']);
  if (text === null) return;
  if (isDate(text)) findings.offer(path, { value: text, from });
  else
    findings.notTaken({
      what: 'Date of birth',
      said: isDateTime(text) ? text : null,
      why: 'The EHR does not know the whole date.',
      from,
    });
};

const offerContact = (
  holder: JsonObject,
  today: string,
  from: ReadFrom,
  findings: Findings,
): void => {
  const address = homeOf(holder['address'], today);
  if (address !== null) {
    const lines = listOf(address['line'])
      .map(textOf)
      .filter((line) => line !== null)
      .join(', ');
    const take = (name: string, value: unknown, longest = MAX_NAME): void => {
      const text = textOf(value);
      const path = `mother.address.${name}`;
      if (text !== null && text.length <= longest) findings.offer(path, { value: text, from });
    };
    take('line', lines, MAX_TEXT);
    take('city', address['city']);
    take('county', address['district']);
    take('state', address['state']);
    take('postal_code', address['postalCode']);
    take('country', address['country']);
  }
  const phones = objectsOf(holder['telecom']).filter(
    (telecom) => telecom['system'] === 'phone' && isCurrent(telecom, today),
  );
  const phone =
    phones.find(({ use }) => use === 'mobile' || use === 'home') ??
    phones.find(({ use }) => use !== 'work');
  const number = textOf(phone?.['value']);
  if (number !== null && number.length <= MAX_NAME)
    findings.offer('mother.phone', { value: number, from });
};

/** The home, else an address of no stated use; never one for bills only, or a former one. */
const homeOf = (addresses: unknown, today: string): JsonObject | null => {
  const current = objectsOf(addresses).filter(
    (address) => isCurrent(address, today) && address['use'] !== 'billing',
  );
  const homes = current.filter(({ use }) => use === 'home');
  return (
    homes.find(({ type }) => type !== 'postal') ??
    homes[0] ??
    current.find(({ use, type }) => use === undefined && type !== 'postal') ??
    current[0] ??
    null
  );
};

/** Neither marked as former nor over. */
const isCurrent = (element: JsonObject, today: string): boolean => {
  if (element['use'] === 'old') return false;
  const end = textOf(objectIn(element['period'])['end']);
  return (
    end === null || !isDateTime(end) || end.slice(0, today.length) >= today.slice(0, end.length)
  );
};

/** Identifier type MR of v2-0203, the usual one first; social security numbers are never read. */
const recordNumberOf = (patient: JsonObject, today: string): string | null => {
  const numbers = objectsOf(patient['identifier']).filter(
    (identifier) =>
      isCurrent(identifier, today) &&
      codingsOf(identifier['type']).some(({ code }) => code === 'MR'),
  );
  const number = numbers.find(({ use }) => use === 'usual') ?? numbers[0];
  const text = textOf(number?.['value']);
  return text === null || text.length > MAX_NAME ? null : text;
};

type Sex = NonNullable<LaunchedPerson['sex']>;

const SEX_AT_BIRTH: ReadonlyMap<string, Sex> = new Map([
  ['F', 'female'],
  ['M', 'male'],
  ['OTH', 'other'],
  ['UNK', 'unknown'],
]);

const GENDERS: ReadonlySet<string> = new Set(['female', 'male', 'other', 'unknown']);

const sexOf = (patient: JsonObject): Sex | null => {
  const code = textOf(extensionOf(patient, 'us-core-birthsex')?.['valueCode']) ?? '';
  const atBirth = SEX_AT_BIRTH.get(code) ?? null;
  const stated = textOf(patient['gender'])?.toLowerCase() ?? '';
  const gender = GENDERS.has(stated) ? (stated as Sex) : null;
  return atBirth === 'unknown' ? (gender ?? atBirth) : (atBirth ?? gender);
};

const offerBirthOrder = (patient: JsonObject, from: ReadFrom, findings: Findings): void => {
  const order = patient['multipleBirthInteger'];
  const isMultiple = patient['multipleBirthBoolean'];
  if (
    typeof order === 'number' &&
    Number.isInteger(order) &&
    order >= 1 &&
    order <= MAX_BIRTH_ORDER
  ) {
    findings.offer('children.0.birth_order', { value: order, from });
    if (order === 1) return;
  }
  if (isMultiple === false) {
    const derived = 'The chart says that it was no multiple birth.';
    findings.offer('plurality', { value: 1, from, derived });
    findings.offer('children.0.birth_order', { value: 1, from, derived });
  }
  if (isMultiple === true || (typeof order === 'number' && order > 1))
    findings.hint({
      ...{ kind: 'plurality', path: 'plurality', from },
      text: 'The chart says that it was a multiple birth. Each child has a chart of its own.',
    });
};

const livingOf = (patient: JsonObject): boolean | null => {
  if (textOf(patient['deceasedDateTime']) !== null) return false;
  const deceased = patient['deceasedBoolean'];
  return typeof deceased === 'boolean' ? !deceased : null;
};

const YOUNGEST_MOTHER = 10;
const OLDEST_MOTHER = 60;

/** Whose chart it seems to be, by age and sex. @param today `YYYY-MM-DD` */
export const seemsToBe = (patient: JsonObject, today: string): 'mother' | 'newborn' | null => {
  const birthDate = textOf(patient['birthDate']);
  if (birthDate === null || !isDateTime(birthDate)) return null;
  // A day in the future is a slip, or another time zone.
  if (isDate(birthDate) && dayNumber(birthDate) > dayNumber(today) + 1) return null;
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  if (years < YOUNGEST_MOTHER) return years >= 0 ? 'newborn' : null;
  return patient['gender'] === 'female' && years <= OLDEST_MOTHER ? 'mother' : null;
};
