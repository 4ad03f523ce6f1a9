import type { Sex } from '../../course/course.ts';
import { CHILDREN_AT_ONCE } from '../../course/possible-ranges.ts';
import { readYesNo } from '../../fhir/coded-answers.ts';
import {
  IDENTIFIER_TYPES,
  isOfOtherSystem,
  readCodes,
  readCodings,
  statesUnknown,
} from '../../fhir/coded-values.ts';
import {
  type DateAndTime,
  findPartialDate,
  isDate,
  parseDateAndTime,
  readDate,
  readDateBeside,
  readTime,
  readTimeParts,
  toSecondNumber,
  withSeconds,
} from '../../fhir/dates.ts';
import {
  findExtension,
  isAbsent,
  isVerbatim,
  readRecorded,
  readRecordedBeside,
} from '../../fhir/extensions.ts';
import { asText, type JsonObject } from '../../fhir/json.ts';
import { readWhole } from '../../fhir/quantities.ts';
import { ABSENT, leaveOut, mapReading, present, type Reading } from '../../fhir/readings.ts';
import {
  collectStatedValues,
  findUnusedValue,
  getPrimitiveElement,
  listStatedWords,
  omitAbsent,
  type StatedValues,
  statesNothing,
} from '../../fhir/stated-values.ts';

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

/** Codes of the extension us-core-sex (SNOMED CT). */
export const CLINICAL_SEX: ReadonlyMap<string, Sex> = new Map([
  ['248152002', 'female'],
  ['248153007', 'male'],
]);

const SEX_WORDS: ReadonlyMap<string, Sex> = new Map(
  [...SEX_AT_BIRTH, ...CLINICAL_SEX, ...GENDERS].map(([word, sex]) => [word.toLowerCase(), sex]),
);

const readStatedSex = (element: JsonObject): Reading<Sex> => {
  const stated = collectStatedValues(element);
  if (statesNothing(stated)) return ABSENT;
  const words = listStatedWords(stated);
  const known = words.map((word) => SEX_WORDS.get(word.toLowerCase())).find((sex) => sex);
  if (known !== undefined) return omitAbsent(stated, present(known), known);
  const [first] = words;
  if (first === undefined) return findUnusedValue(stated, 'numbers', 'quantities', 'booleans');
  return statesUnknown(first) ? present('unknown') : leaveOut(first, 'not-understood');
};

/** Sex at birth, else clinical sex, else gender. Records from the C# tools have no gender. */
export const readSex = (patient: JsonObject): Reading<Sex> => {
  const stated = [
    findExtension(patient, 'us-core-birthsex'),
    findExtension(patient, 'us-core-sex'),
    getPrimitiveElement(patient, 'gender'),
  ];
  const readings = stated.map((one) => (one === undefined ? ABSENT : readStatedSex(one)));
  const isKnown = (one: Reading<Sex>) => one.kind === 'value' && one.value !== 'unknown';
  return (
    readings.find(isKnown) ??
    readings.find(({ kind }) => kind === 'value') ??
    readings.find(({ kind }) => kind === 'left-out') ??
    ABSENT
  );
};

export interface StatedBirth {
  readonly date: Reading<string>;
  readonly time: Reading<string>;
  /** `YYYY-MM-DD` from the time, if the Patient has no usable date of its own. */
  readonly day: string | null;
}

/** The time is an extension, or else part of `birthDate`, which FHIR does not allow. */
export const readStatedBirth = (patient: JsonObject): StatedBirth => {
  const birth = readBirthExtensions(patient);
  const { date, time } = birth;
  const whole = asText(patient['birthDate']);
  if (date.kind !== 'value' || date.timeOfDay === undefined || whole === null) return birth;
  const isStated = time.kind === 'value' && time.value === whole;
  const isOnlyTime =
    time.kind === 'none' && !isTimeUnknown(patient) && !MIDNIGHT.test(date.timeOfDay);
  return isStated || isOnlyTime
    ? { ...birth, date: present(date.value), time: present(whole) }
    : birth;
};

/** Programs add it to dates, so it is no time of birth. */
const MIDNIGHT = /^00:00(?::00(?:\.0{1,40})?)?(?:Z|[+-]\d\d:\d\d)?$/;

const isTimeUnknown = (patient: JsonObject): boolean =>
  [patient['_birthDate'], patient].some((element) => {
    const extension = findExtension(element, BIRTH_TIME);
    return extension !== undefined && collectStatedValues(extension).isAbsent;
  });

const readBirthExtensions = (patient: JsonObject): StatedBirth => {
  const beside = patient['_birthDate'];
  const date = readDateBeside(patient['birthDate'], beside);
  const extension = findExtension(beside, BIRTH_TIME) ?? findExtension(patient, BIRTH_TIME) ?? {};
  const stated = collectStatedValues(extension);
  const sent = stated.texts[0] ?? readTimeParts(beside);
  const text = findRecordedTime(beside, sent) ?? sent ?? undefined;
  const time =
    text === undefined
      ? findUnusedTime(beside, stated)
      : omitAbsent(stated, readTime(withDate(text, date)), text);
  // A date stated as absent is not replaced with that of the time.
  const isDateUnknown =
    isAbsent(beside) || (findPartialDate(beside).length > 0 && date.kind !== 'value');
  const day = isDateUnknown || stated.isAbsent ? ABSENT : readDate(text);
  return { date, time, day: day.kind === 'value' && isDate(day.value) ? day.value : null };
};

const findUnusedTime = (beside: unknown, stated: StatedValues): Reading<never> => {
  const unused = findUnusedValue(stated, 'numbers', 'quantities', 'booleans');
  const part = findPartialDate(beside).find(({ url }) => url === 'time')?.['valueTime'];
  const [other = typeof part === 'string' ? undefined : part] = readRecorded(beside);
  return unused.kind !== 'none' || other === undefined ? unused : leaveOut(other, 'not-understood');
};

const isSameInstant = (one: DateAndTime | null, other: DateAndTime | null): boolean =>
  one !== null &&
  other !== null &&
  one.offsetMinutes !== null &&
  other.offsetMinutes !== null &&
  toSecondNumber(one) === toSecondNumber(other);

/**
 * If the exported one has added seconds or an offset, no date, or another offset of the same instant.
 */
const findRecordedTime = (beside: unknown, sent: string | null): string | null =>
  readRecordedBeside(beside, (recorded) => {
    const whole = withSeconds(recorded);
    const moment = parseDateAndTime(recorded);
    const isSaid = (text: string) =>
      text.startsWith(whole) ||
      whole.slice('YYYY-MM-DDT'.length).startsWith(text) ||
      isSameInstant(moment, parseDateAndTime(text));
    return moment !== null && (sent === null || isSaid(sent));
  });

const BIRTH_TIME = 'patient-birthTime';

const withDate = (text: string, date: Reading<string>): string => {
  const onDay = date.kind === 'value' ? `${date.value}T${text}` : text;
  return parseDateAndTime(onDay)?.offsetMinutes === null ? onDay : text;
};

export const readLiving = (patient: JsonObject): Reading<boolean> => {
  const died = collectStatedValues(getPrimitiveElement(patient, 'deceasedDateTime'));
  const [diedAt] = died.texts;
  if (diedAt !== undefined && !statesUnknown(diedAt))
    return omitAbsent(died, present(false), diedAt);
  const stray = findUnusedValue(died, 'numbers', 'quantities', 'booleans');
  const deceased = readYesNo(getPrimitiveElement(patient, 'deceasedBoolean'));
  return deceased.kind === 'none' ? stray : mapReading(deceased, (isDead) => !isDead);
};

const isNoUnit = (): boolean => false;

export const readBirthOrder = (patient: JsonObject): Reading<number> => {
  const order = readWhole(
    getPrimitiveElement(patient, 'multipleBirthInteger'),
    isNoUnit,
    CHILDREN_AT_ONCE,
  );
  if (order.kind !== 'none') return order;
  const isMultiple = readYesNo(getPrimitiveElement(patient, 'multipleBirthBoolean'));
  if (isMultiple.kind !== 'value') return isMultiple;
  return isMultiple.value ? ABSENT : present(1);
};

/** True if {@link readBirthOrder} follows from the answer that it was no multiple birth. */
export const isOrderInferred = (patient: JsonObject): boolean =>
  isMultipleBirth(patient) === false && (patient['multipleBirthInteger'] ?? null) === null;

/** Number of children born together from a child's Patient; `unknown` if stated as unknown. */
export type StatedTotal = Reading<number> | { readonly kind: 'unknown' };

export const readTotal = (patient: JsonObject): StatedTotal => {
  const total =
    findExtension(patient['_multipleBirthInteger'], TOTAL) ??
    findExtension(patient['_multipleBirthBoolean'], TOTAL) ??
    findExtension(patient, TOTAL);
  if (total === undefined) return ABSENT;
  const reading = readWhole(total, isNoUnit, CHILDREN_AT_ONCE);
  return reading.kind === 'none' ||
    (reading.kind === 'left-out' && reading.reason === 'said-absent')
    ? { kind: 'unknown' }
    : reading;
};

export const isTotalVerbatim = ({ _multipleBirthInteger: beside }: JsonObject): boolean =>
  isVerbatim(beside) ||
  // Older exports have the mark here.
  isVerbatim(findExtension(beside, TOTAL)?.['_valuePositiveInt']);

const TOTAL = 'patient-multipleBirthTotal';

export const isMultipleBirth = (patient: JsonObject): boolean | null => {
  const isMultiple = readYesNo(getPrimitiveElement(patient, 'multipleBirthBoolean'));
  return isMultiple.kind === 'value' ? isMultiple.value : null;
};

/** Type of a medical record number. @see http://terminology.hl7.org/CodeSystem/v2-0203 */
export const MEDICAL_RECORD = 'MR';

export const isMedicalRecordNumber = (identifier: JsonObject): boolean =>
  readCodes(identifier['type']).some((code) => code?.toUpperCase() === MEDICAL_RECORD);

/** True if a medical record number has its type from another code system. */
export const isTypeOfOtherSystem = ({ type }: JsonObject): boolean =>
  isOfOtherSystem(readCodings(type), IDENTIFIER_TYPES, (code) => code === MEDICAL_RECORD);
