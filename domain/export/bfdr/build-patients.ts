import { isUnknownText } from '../../course/addresses.ts';
import type { Address, Child, CourseOfCare, Mother, Sex } from '../../course/course.ts';
import { reportCountry, reportState } from '../../course/places.ts';
import { findOffsets, type OffsetAt } from '../../course/practice-clock.ts';
import { UCUM } from '../../fhir/coded-values.ts';
import { isDate, parseDateAndTime, withSeconds } from '../../fhir/dates.ts';
import { MASKED } from '../../fhir/extensions.ts';
import { readKnownName } from '../../fhir/identifiers.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { MEDICAL_RECORD } from '../../intake/from-fhir/patient-values.ts';
import { buildRaceExtensions } from './build-race.ts';
import { type BundleBuilder, buildChildKey, type ExportedContent } from './bundle-builder.ts';
import {
  type AbsentReason,
  addExtension,
  BFDR,
  buildAbsent,
  buildConcept,
  COMMON,
  markRecorded,
  markUnrecorded,
  omitNull,
  TERMINOLOGY,
  toList,
  US_CORE,
  VERBATIM_MARK,
  withProfile,
} from './elements.ts';

const FHIR = 'http://hl7.org/fhir/StructureDefinition';

/** The key of the mother's Patient. */
export const MOTHER = 'mother';

/** What a document says of its Patients beside the course of care. */
export interface StatementStyle {
  /** Why what the record does not hold is absent. */
  readonly reason: AbsentReason;
  /** Offsets of the practice's time zone; null: it has set none. */
  readonly offsetAt: OffsetAt | null;
}

/** The mother and the children of a document as Patients. */
export const buildPatients = (
  { course, positions }: ExportedContent,
  draft: BundleBuilder,
  telling: StatementStyle,
): readonly JsonObject[] => [
  draft.entry(MOTHER, 'Patient', buildMother(course.mother, telling)),
  ...course.children.flatMap((child, position) =>
    positions.includes(position)
      ? [draft.entry(buildChildKey(position), 'Patient', buildChild(child, course, telling))]
      : [],
  ),
];

const buildMother = (mother: Mother, { reason }: StatementStyle): JsonObject => ({
  ...withProfile(`${COMMON}/Patient-mother-vr`),
  ...toList('extension', buildRaceExtensions(mother)),
  ...buildRecordNumber(mother.medical_record_number, reason),
  name: buildMotherNames(mother, reason),
  ...omitNull(mother.phone, (value) => ({ telecom: [{ system: 'phone', value }] })),
  // US Core requires it, and the registry does not ask for it.
  gender: 'unknown',
  ...buildOrAbsent('birthDate', mother.birth_date, reason),
  ...toList('address', buildHome(mother)),
});

/** An element under its name; where there is no value, why. */
const buildOrAbsent = (name: string, value: string | null, reason: AbsentReason): JsonObject =>
  value === null ? { [`_${name}`]: { extension: [buildAbsent(reason)] } } : { [name]: value };

const RECORD_NUMBERS = 'urn:birth-registry:medical-record-numbers';

const buildRecordNumber = (number: string | null, reason: AbsentReason): JsonObject => ({
  identifier: [
    {
      use: 'usual',
      type: buildConcept(`${TERMINOLOGY}/v2-0203`, MEDICAL_RECORD, 'Medical Record Number'),
      ...buildOrAbsent('system', number === null ? null : RECORD_NUMBERS, reason),
      ...buildOrAbsent('value', number, reason),
    },
  ],
});

type Named = Pick<Mother, 'family_name' | 'given_names'>;

const buildMotherNames = (mother: Mother, reason: AbsentReason): readonly JsonObject[] => [
  buildOfficialName(mother, reason),
  ...(mother.birth_surname === null
    ? []
    : [{ use: 'maiden', ...buildPrimitive('family', mother.birth_surname, isName) }]),
];

const buildOfficialName = (
  { family_name, given_names }: Named,
  reason: AbsentReason,
): JsonObject => {
  const marks = given_names.map((given) => (isName(given) ? null : { extension: [VERBATIM_MARK] }));
  return {
    use: 'official',
    ...(family_name === null
      ? buildOrAbsent('family', null, reason)
      : buildPrimitive('family', family_name, isName)),
    ...toList('given', given_names),
    ...(marks.some((mark) => mark !== null) ? { _given: marks } : {}),
  };
};

const isName = (text: string): boolean => readKnownName(text) !== null;

/** A text under its name; one that would be read as unknown is marked as meant. */
const buildPrimitive = (
  name: string,
  text: string,
  isTaken: (text: string) => boolean,
): JsonObject => ({
  [name]: text,
  ...(isTaken(text) ? {} : { [`_${name}`]: { extension: [VERBATIM_MARK] } }),
});

const buildHome = ({ address }: Mother): readonly JsonObject[] => {
  const part = (name: string, field: keyof typeof address): JsonObject =>
    omitNull(address[field], (value) => {
      const { text, mark } = formatAddress(field, value, address);
      return { [name]: text, ...(mark === null ? {} : { [`_${name}`]: { extension: [mark] } }) };
    });
  const parts: JsonObject = {
    ...Object.fromEntries(
      Object.entries(part('line', 'line')).map(([name, value]) => [name, [value]]),
    ),
    ...part('city', 'city'),
    ...part('district', 'county'),
    ...part('state', 'state'),
    ...part('postalCode', 'postal_code'),
    ...part('country', 'country'),
  };
  return Object.keys(parts).length === 0 ? [] : [{ use: 'home', ...parts }];
};

/** A part of an address, a state or country by its code, with a mark where it would be read as another text. */
const formatAddress = (
  field: keyof Address,
  value: string,
  { country }: Address,
): { readonly text: string; readonly mark: JsonObject | null } => {
  if (isUnknownText(field, value)) return { text: value, mark: VERBATIM_MARK };
  const text = buildAddressPart(field, value, country);
  return { text, mark: text === value ? null : markRecorded(value) };
};

const buildAddressPart = (field: keyof Address, value: string, country: string | null): string => {
  if (field === 'country') return reportCountry(value);
  return field === 'state' ? reportState({ state: value, country }) : value;
};

const buildChild = (child: Child, course: CourseOfCare, telling: StatementStyle): JsonObject => ({
  ...withProfile(
    child.fetal_death === true ? `${BFDR}/Patient-decedent-fetus` : `${COMMON}/Patient-child-vr`,
  ),
  extension: [
    { url: `${US_CORE}/us-core-birthsex`, valueCode: SEX_CODES[child.sex ?? 'unknown'] },
    ...buildReportedAge(course.mother.age_at_delivery),
    ...listFieldsWithoutValue(child).map(markUnrecorded),
  ],
  ...buildRecordNumber(child.medical_record_number, telling.reason),
  name: [buildOfficialName(child, telling.reason)],
  gender: child.sex ?? 'unknown',
  ...buildBirth(child, telling),
  // Whether a child that was born alive lives is for an Observation: its Patient must not say that it died.
  ...(child.fetal_death === true
    ? {
        deceasedBoolean: true,
        _deceasedBoolean: { extension: [{ url: FETAL_DEATH, valueBoolean: true }] },
      }
    : {}),
  ...buildBirthOrder(child, course),
});

const FETAL_DEATH = `${COMMON}/Extension-patient-fetal-death-vr`;

/** Codes of sex at birth; the guide's set has none for another one. @see ValueSet-sex-assigned-at-birth-vr */
const SEX_CODES: Readonly<Record<Sex, string>> = {
  female: 'F',
  male: 'M',
  other: 'UNK',
  unknown: 'UNK',
};

/** Fields that the record does not hold, of which the profile of the child says something nonetheless. */
const listFieldsWithoutValue = ({ sex, fetal_death, living }: Child): readonly string[] => [
  ...(sex === null ? ['sex'] : []),
  ...(fetal_death === null ? ['fetal_death'] : []),
  ...(fetal_death === true && living === null ? ['living'] : []),
];

// The guide states the mother's age at each child; a de-identified record has no date to count from.
const buildReportedAge = (age: number | null): readonly JsonObject[] =>
  age === null
    ? []
    : [
        addExtension(`${COMMON}/Extension-reported-parent-age-at-delivery-vr`, [
          { url: 'reportedAge', valueQuantity: { value: age, unit: 'a', system: UCUM, code: 'a' } },
          {
            url: 'motherOrFather',
            valueCodeableConcept: buildConcept(`${TERMINOLOGY}/v3-RoleCode`, 'MTH', 'mother'),
          },
        ]),
      ];

const buildBirth = (
  { birth_date: date, birth_time: time }: Child,
  { reason, offsetAt }: StatementStyle,
): JsonObject => {
  const isWhole = date !== null && isDate(date);
  const extensions = [
    ...(date === null ? [buildAbsent(reason)] : []),
    // The mask leaves the year of a date.
    ...(date === null || isWhole ? [] : [{ url: MASKED, valueBoolean: true }]),
    ...(time === null
      ? []
      : buildBirthTime(isWhole ? date : null, time, formatWithOffset(time, offsetAt))),
  ];
  return {
    ...omitNull(date, (birthDate) => ({ birthDate })),
    ...(extensions.length === 0 ? {} : { _birthDate: { extension: extensions } }),
  };
};

/**
 * A time with seconds and offset, as FHIR requires both; null where nobody knows the offset, as of a
 * time that the clock of the practice shows twice.
 */
const formatWithOffset = (time: string, offsetAt: OffsetAt | null): string | null => {
  const whole = withSeconds(time);
  if (parseDateAndTime(time)?.offsetMinutes !== null) return whole;
  const [offset, ...others] = offsetAt === null ? [] : (findOffsets(whole, offsetAt) ?? []);
  return offset === undefined || others.length > 0 ? null : `${whole}${offset}`;
};

/**
 * The time of birth: with its offset, else in the guide's form for one without, which takes a whole date.
 * What neither of them brings back stands beside it as it is recorded.
 */
const buildBirthTime = (
  date: string | null,
  time: string,
  moment: string | null,
): readonly JsonObject[] => {
  if (moment !== null)
    return [
      { url: `${FHIR}/patient-birthTime`, valueDateTime: moment },
      ...(moment === time ? [] : [markRecorded(time)]),
    ];
  // To the second: some validators refuse fractions of one here.
  const local = withSeconds(time).slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
  return [
    ...(date === null ? [] : [buildParts(local)]),
    ...(date !== null && local === time && time.startsWith(date) ? [] : [markRecorded(time)]),
  ];
};

const buildParts = (local: string): JsonObject => {
  const [day = '', valueTime] = local.split('T');
  const numbers = day.split('-').map(Number);
  return addExtension(`${COMMON}/Extension-partial-date-time-vr`, [
    ...['year', 'month', 'day'].map((url, at) => ({ url, valueUnsignedInt: numbers[at] })),
    { url: 'time', valueTime },
  ]);
};

const buildBirthOrder = (
  { birth_order }: Child,
  { plurality, children }: CourseOfCare,
): JsonObject => ({
  ...omitNull(birth_order, (order) => ({ multipleBirthInteger: order })),
  ...omitNull(plurality, (total) => ({
    _multipleBirthInteger: {
      extension: [
        { url: `${FHIR}/patient-multipleBirthTotal`, valuePositiveInt: total },
        // A total below a birth order is not believed, unless it is meant as it stands.
        ...(children.some((child) => (child.birth_order ?? 0) > total) ? [VERBATIM_MARK] : []),
      ],
    },
  })),
});
