import { codesOf } from '../../fhir/coded-values.ts';
import { readDate, readTime } from '../../fhir/dates.ts';
import { extensionOf, isAbsent } from '../../fhir/extensions.ts';
import { type JsonObject, listOf, textOf } from '../../fhir/json.ts';
import { NOTHING_READ, type Reading } from '../../fhir/readings.ts';
import type { Address, Sex } from '../canonical-record.ts';
import { MAX_NAME, MAX_TEXT } from '../limits.ts';
import { CHILDREN_AT_ONCE } from '../possible-ranges.ts';

/** Codes of the extension us-core-birthsex. */
export const SEX_AT_BIRTH: ReadonlyMap<string, Sex> = new Map([
  ['F', 'female'],
  ['M', 'male'],
  ['OTH', 'other'],
  ['UNK', 'unknown'],
]);

/** Codes of `gender`. @see http://hl7.org/fhir/administrative-gender */
export const GENDERS: ReadonlyMap<string, Sex> = new Map([
  ['female', 'female'],
  ['male', 'male'],
  ['other', 'other'],
  ['unknown', 'unknown'],
]);

/**
 * The sex of a Patient: at birth, which is the narrower statement, else the gender. Records of the
 * C# tools have no gender at all.
 */
export const sexOf = (patient: JsonObject): Sex | null => {
  const stated = textOf(extensionOf(patient, 'us-core-birthsex')?.['valueCode']) ?? '';
  const atBirth = SEX_AT_BIRTH.get(stated) ?? null;
  const gender = GENDERS.get(textOf(patient['gender'])?.toLowerCase() ?? '') ?? null;
  return atBirth === 'unknown' ? (gender ?? atBirth) : (atBirth ?? gender);
};

/** The time of birth, and the day that it tells where the Patient has no usable date of its own. */
export interface StatedBirthTime {
  readonly time: Reading<string>;
  /** `YYYY-MM-DD` */
  readonly day: string | null;
}

/** The time of birth as a Patient states it: beside its date, or as a whole. */
export const birthTimeOf = (patient: JsonObject): StatedBirthTime => {
  const beside = patient['_birthDate'];
  const stated =
    extensionOf(beside, BIRTH_TIME)?.['valueDateTime'] ??
    extensionOf(patient, BIRTH_TIME)?.['valueDateTime'];
  // Where the date is said to be absent it is not that of the time either.
  const day = isAbsent(beside) ? NOTHING_READ : readDate(textOf(stated));
  return { time: readTime(stated), day: day.kind === 'value' ? day.value : null };
};

const BIRTH_TIME = 'patient-birthTime';

/** Whether a Patient lives, as far as it says so. */
export const livingOf = (patient: JsonObject): boolean | null => {
  if (textOf(patient['deceasedDateTime']) !== null) return false;
  const deceased = patient['deceasedBoolean'];
  return typeof deceased === 'boolean' ? !deceased : null;
};

/** Says whether a value can be a place in the order of birth, or count those born together. */
export const isBirthCount = (value: unknown): value is number =>
  typeof value === 'number' &&
  Number.isInteger(value) &&
  value >= CHILDREN_AT_ONCE.from &&
  value <= CHILDREN_AT_ONCE.to;

/** The type of a medical record number. @see http://terminology.hl7.org/CodeSystem/v2-0203 */
export const MEDICAL_RECORD = 'MR';

/** Says whether an identifier is a medical record number, by its type and nothing else. */
export const isMedicalRecordNumber = (identifier: JsonObject): boolean =>
  codesOf(identifier['type']).includes(MEDICAL_RECORD);

/** One part of an address as it was sent, and how long it may be, in UTF-16 units. */
export type AddressPart = {
  readonly name: keyof Address;
  readonly value: unknown;
  /** What FHIR keeps beside the value, such as its extensions. */
  readonly element: unknown;
  readonly longest: number;
};

/** The parts of an Address in the order of the record; the street lines are joined. */
export const addressParts = (address: JsonObject): readonly AddressPart[] => {
  const lines = listOf(address['line'])
    .filter((line) => textOf(line) !== null)
    .map((line) => String(line).trim());
  const part = (name: keyof Address, of: string): AddressPart => ({
    name,
    value: address[of],
    element: address[`_${of}`],
    longest: MAX_NAME,
  });
  return [
    {
      name: 'line',
      value: lines.join(', '),
      element: listOf(address['_line'])[0],
      longest: MAX_TEXT,
    },
    part('city', 'city'),
    part('county', 'district'),
    part('state', 'state'),
    part('postal_code', 'postalCode'),
    part('country', 'country'),
  ];
};
