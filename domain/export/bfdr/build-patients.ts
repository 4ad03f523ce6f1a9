import { isUnknownText } from '../../course/addresses.ts';
import type { Address, Child, CourseOfCare, Mother, Sex } from '../../course/course.ts';
import { findSentFlag } from '../../course/edit-flags.ts';
import type { FieldPath } from '../../course/fields.ts';
import { findOffsets, type OffsetAt, readClockAt } from '../../course/local-times.ts';
import {
  ELSEWHERE,
  encodeState,
  readCountry,
  reportCountry,
  reportState,
  UNKNOWN,
} from '../../course/places.ts';
import { UCUM } from '../../fhir/coded-values.ts';
import { isDate, parseDateAndTime, toLocalSecond, withSeconds } from '../../fhir/dates.ts';
import { MASKED } from '../../fhir/extensions.ts';
import { readKnownName, splitSuffix } from '../../fhir/human-names.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { MEDICAL_RECORD } from '../../mapping/from-fhir/patient-values.ts';
import { buildRaceExtensions } from './build-race.ts';
import { type BundleBuilder, buildChildKey, type ExportedContent } from './bundle-builder.ts';
import {
  type AbsentReason,
  addExtension,
  BFDR,
  buildAbsent,
  buildConcept,
  buildEditFlag,
  COMMON,
  declareProfiles,
  markRecorded,
  markUnrecorded,
  omitNull,
  TERMINOLOGY,
  toList,
  US_CORE,
  VERBATIM_MARK,
} from './elements.ts';

const FHIR = 'http://hl7.org/fhir/StructureDefinition';

export const MOTHER = 'mother';

export interface StatementStyle {
  readonly reason: AbsentReason;
  /** `null` if no time zone is configured. */
  readonly offsetAt: OffsetAt | null;
}

interface PersonStyle extends StatementStyle {
  /** Reason that a user gave for a missing value of the person; null if there is none. */
  readonly findReason: (path: FieldPath) => AbsentReason | null;
}

export const buildPatients = (
  { course, positions, absences }: ExportedContent,
  draft: BundleBuilder,
  style: StatementStyle,
): readonly JsonObject[] => {
  const buildStyle = (person: number | null): PersonStyle => ({
    ...style,
    findReason: (path) =>
      absences.find((one) => one.path === path && one.child === person)?.reason ?? null,
  });
  return [
    draft.entry(MOTHER, 'Patient', buildMother(course, buildStyle(null))),
    ...course.children.flatMap((child, position) =>
      positions.includes(position)
        ? [
            draft.entry(
              buildChildKey(position),
              'Patient',
              buildChild(child, course, buildStyle(position)),
            ),
          ]
        : [],
    ),
  ];
};

const buildMother = (course: CourseOfCare, style: PersonStyle): JsonObject => {
  const { mother } = course;
  const flags = listEditFlags(course, 'mother.birth_date');
  return {
    ...declareProfiles(`${COMMON}/Patient-mother-vr`),
    ...toList('extension', buildRaceExtensions(mother)),
    ...buildRecordNumber(
      mother.medical_record_number,
      getReason(style, 'mother.medical_record_number'),
    ),
    name: buildMotherNames(mother, style),
    ...omitNull(mother.phone, (value) => ({ telecom: [{ system: 'phone', value }] })),
    // US Core requires a gender, and the registry does not collect the mother's.
    gender: 'unknown',
    ...buildOrAbsent('birthDate', mother.birth_date, getReason(style, 'mother.birth_date')),
    ...(flags.length === 0 ? {} : { _birthDate: { extension: flags } }),
    ...toList('address', buildHome(mother)),
  };
};

const listEditFlags = (course: CourseOfCare, path: FieldPath): readonly JsonObject[] => {
  const flag = findSentFlag(course, path, null);
  return flag === null ? [] : [buildEditFlag(flag)];
};

const getReason = ({ findReason, reason }: PersonStyle, path: FieldPath): AbsentReason =>
  findReason(path) ?? reason;

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

type PersonName = Pick<Mother, 'family_name' | 'given_names' | 'suffix'>;

const buildMotherNames = (mother: Mother, style: PersonStyle): readonly JsonObject[] => [
  buildOfficialName(mother, 'mother', style),
  ...(mother.birth_surname === null
    ? []
    : [{ use: 'maiden', ...buildPrimitive('family', mother.birth_surname, isName) }]),
];

const buildOfficialName = (
  { family_name, given_names, suffix }: PersonName,
  person: 'mother' | 'children',
  style: PersonStyle,
): JsonObject => ({
  use: 'official',
  ...(family_name === null
    ? buildOrAbsent('family', null, getReason(style, `${person}.family_name`))
    : buildPrimitive('family', family_name, isFamilyName)),
  ...(given_names.length === 0
    ? omitNull(style.findReason(`${person}.given_names`), (reason) => ({
        _given: [{ extension: [buildAbsent(reason)] }],
      }))
    : buildTexts('given', given_names)),
  ...buildTexts('suffix', suffix === null ? [] : [suffix]),
});

const buildTexts = (name: string, texts: readonly string[]): JsonObject => ({
  ...toList(name, texts),
  ...(texts.every(isName)
    ? {}
    : {
        [`_${name}`]: texts.map((text) => (isName(text) ? null : { extension: [VERBATIM_MARK] })),
      }),
});

// A reader would split a suffix that is stored as part of the family name.
const isFamilyName = (text: string): boolean => isName(text) && splitSuffix(text).suffix === null;

const isName = (text: string): boolean => readKnownName(text) !== null;

/** Text element, marked as verbatim if a reader would change it. */
const buildPrimitive = (
  name: string,
  text: string,
  isKnown: (text: string) => boolean,
): JsonObject => ({
  [name]: text,
  ...(isKnown(text) ? {} : { [`_${name}`]: { extension: [VERBATIM_MARK] } }),
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
    ...(address.state === null && address.country !== null ? buildUnrecordedState(address) : {}),
    ...part('postalCode', 'postal_code'),
    ...part('country', 'country'),
  };
  return Object.keys(parts).length === 0 ? [] : [{ use: 'home', ...parts }];
};

/** Required for an address abroad, and for a territory that is stored as the country. */
const buildUnrecordedState = (address: Address): JsonObject => {
  const state = encodeState(address);
  if (state === UNKNOWN) return {};
  // Read as no state.
  if (state === ELSEWHERE) return { state };
  return { state, _state: { extension: [markUnrecorded('state')] } };
};

const formatAddress = (
  field: keyof Address,
  value: string,
  { country }: Address,
): { readonly text: string; readonly mark: JsonObject | null } => {
  const text = buildAddressPart(field, value, country);
  if (text === value && isUnknownText(field, value)) return { text, mark: VERBATIM_MARK };
  const isRestored =
    text === value &&
    (field !== 'country' || (readCountry(text, 'vital records') ?? text) === value);
  return { text, mark: isRestored ? null : markRecorded(value) };
};

const buildAddressPart = (field: keyof Address, value: string, country: string | null): string => {
  if (field === 'country') return reportCountry(value);
  return field === 'state' ? reportState({ state: value, country }) : value;
};

const buildChild = (child: Child, course: CourseOfCare, style: PersonStyle): JsonObject => ({
  ...declareProfiles(
    child.fetal_death === true ? `${BFDR}/Patient-decedent-fetus` : `${COMMON}/Patient-child-vr`,
  ),
  extension: [
    { url: `${US_CORE}/us-core-birthsex`, valueCode: SEX_CODES[child.sex ?? 'unknown'] },
    ...buildReportedAge(course.mother.age_at_delivery),
    ...listFieldsWithoutValue(child).map(markUnrecorded),
  ],
  ...buildRecordNumber(
    child.medical_record_number,
    getReason(style, 'children.medical_record_number'),
  ),
  name: [buildOfficialName(child, 'children', style)],
  gender: child.sex ?? 'unknown',
  ...buildBirth(child, style),
  // A live-born child's survival belongs in an Observation, so the Patient must not state a death.
  ...(child.fetal_death === true
    ? {
        deceasedBoolean: true,
        _deceasedBoolean: { extension: [{ url: FETAL_DEATH, valueBoolean: true }] },
      }
    : {}),
  ...buildBirthOrder(child, course),
});

const FETAL_DEATH = `${COMMON}/Extension-patient-fetal-death-vr`;

/** The guide has no code for `other`. @see ValueSet-sex-assigned-at-birth-vr */
const SEX_CODES: Readonly<Record<Sex, string>> = {
  female: 'F',
  male: 'M',
  other: 'UNK',
  unknown: 'UNK',
};

const listFieldsWithoutValue = ({ sex, fetal_death, living }: Child): readonly string[] => [
  ...(sex === null ? ['sex'] : []),
  ...(fetal_death === null ? ['fetal_death'] : []),
  ...(fetal_death === true && living === null ? ['living'] : []),
];

// A de-identified record has no birth dates to calculate the age from.
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
  style: PersonStyle,
): JsonObject => {
  const { offsetAt } = style;
  const isWhole = date !== null && isDate(date);
  const extensions = [
    ...(date === null ? [buildAbsent(getReason(style, 'children.birth_date'))] : []),
    // Masking reduces a date to its year.
    ...(date === null || isWhole ? [] : [{ url: MASKED, valueBoolean: true }]),
    ...(time === null
      ? []
      : buildBirthTime(
          isWhole ? date : null,
          time,
          formatWithOffset(time, isWhole ? date : null, offsetAt),
        )),
  ];
  return {
    ...omitNull(date, (birthDate) => ({ birthDate })),
    ...(extensions.length === 0 ? {} : { _birthDate: { extension: extensions } }),
  };
};

/**
 * Time with seconds and offset, because FHIR requires both. A time in UTC is on the practice's clock,
 * since readers ignore the offset, unless that is another day than the date of birth. Returns `null`
 * if the offset is unknown or ambiguous, such as in the repeated hour when daylight saving time ends.
 */
const formatWithOffset = (
  time: string,
  date: string | null,
  offsetAt: OffsetAt | null,
): string | null => {
  const whole = withSeconds(time);
  const parsed = parseDateAndTime(time);
  if (parsed?.offsetMinutes === 0 && offsetAt !== null) {
    const local = readClockAt(toLocalSecond(parsed), offsetAt);
    return local === null || (date !== null && !local.startsWith(date)) ? whole : local;
  }
  if (parsed?.offsetMinutes !== null) return whole;
  const [offset, ...others] = offsetAt === null ? [] : (findOffsets(whole, offsetAt) ?? []);
  return offset === undefined || others.length > 0 ? null : `${whole}${offset}`;
};

/** With its offset, else in the guide's form without one, which needs a full date. */
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
  // Some validators reject fractional seconds here.
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

const buildBirthOrder = ({ birth_order }: Child, course: CourseOfCare): JsonObject => ({
  ...omitNull(birth_order, (order) => ({ multipleBirthInteger: order })),
  ...omitNull(course.plurality, (total) => ({
    _multipleBirthInteger: {
      extension: [
        { url: `${FHIR}/patient-multipleBirthTotal`, valuePositiveInt: total },
        // Readers ignore a total below a birth order unless it is marked as verbatim.
        ...(course.children.some((child) => (child.birth_order ?? 0) > total)
          ? [VERBATIM_MARK]
          : []),
        ...listEditFlags(course, 'plurality'),
      ],
    },
  })),
});
