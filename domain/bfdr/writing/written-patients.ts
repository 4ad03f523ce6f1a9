import { isReadAsItIs } from '../../course-of-care/addresses.ts';
import type { Child, CourseOfCare, Mother } from '../../course-of-care/canonical-record.ts';
import {
  GENDERS,
  MEDICAL_RECORD,
  SEX_AT_BIRTH,
} from '../../course-of-care/from-fhir/patient-values.ts';
import { UCUM } from '../../fhir/code-systems.ts';
import { isDate } from '../../fhir/dates.ts';
import { knownName } from '../../fhir/human-names.ts';
import type { JsonObject } from '../../fhir/json.ts';
import type { Draft } from './draft.ts';
import {
  absent,
  BFDR,
  COMMON,
  concept,
  extended,
  listed,
  ofProfile,
  TERMINOLOGY,
  unlessNull,
  VERBATIM_MARK,
} from './elements.ts';
import { raceExtensions } from './written-race.ts';

const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';
const FHIR = 'http://hl7.org/fhir/StructureDefinition';

/** The key of the mother's Patient. */
export const MOTHER = 'mother';

/** The key of a child's Patient by its position in the record. */
export const childKey = (position: number): string => `child-${position + 1}`;

/** The mother and her children as Patients. */
export const writtenPatients = (course: CourseOfCare, draft: Draft): readonly JsonObject[] => [
  draft.entry(MOTHER, 'Patient', motherPatient(course.mother)),
  ...course.children.map((child, position) =>
    draft.entry(childKey(position), 'Patient', childPatient(child, course)),
  ),
];

const motherPatient = (mother: Mother): JsonObject => ({
  ...ofProfile(`${COMMON}/Patient-mother-vr`),
  ...listed('extension', raceExtensions(mother)),
  ...recordNumber(mother.medical_record_number),
  ...listed('name', motherNames(mother)),
  ...unlessNull(mother.phone, (value) => ({ telecom: [{ system: 'phone', value }] })),
  ...unlessNull(mother.birth_date, (birthDate) => ({ birthDate })),
  ...listed('address', homeOf(mother)),
});

const recordNumber = (number: string | null): JsonObject =>
  unlessNull(number, (value) => ({
    identifier: [
      {
        use: 'usual',
        type: concept(`${TERMINOLOGY}/v2-0203`, MEDICAL_RECORD, 'Medical Record Number'),
        value,
      },
    ],
  }));

type Named = Pick<Mother, 'family_name' | 'given_names'>;

const motherNames = (mother: Mother): readonly JsonObject[] => {
  const names = officialName(mother);
  const { birth_surname } = mother;
  if (birth_surname === null) return names;
  // A maiden name alone would be read as the name that she has.
  const official = names[0] ?? { use: 'official', _family: { extension: [absent('unknown')] } };
  return [official, { use: 'maiden', ...primitive('family', birth_surname, isName) }];
};

const officialName = ({ family_name, given_names }: Named): readonly JsonObject[] => {
  if (family_name === null && given_names.length === 0) return [];
  const marks = given_names.map((given) => (isName(given) ? null : { extension: [VERBATIM_MARK] }));
  return [
    {
      use: 'official',
      ...unlessNull(family_name, (family) => primitive('family', family, isName)),
      ...listed('given', given_names),
      ...(marks.some((mark) => mark !== null) ? { _given: marks } : {}),
    },
  ];
};

const isName = (text: string): boolean => knownName(text) !== null;

/** A text under its name; one that would be read as unknown is marked as meant. */
const primitive = (name: string, text: string, isTaken: (text: string) => boolean): JsonObject => ({
  [name]: text,
  ...(isTaken(text) ? {} : { [`_${name}`]: { extension: [VERBATIM_MARK] } }),
});

const homeOf = ({ address }: Mother): readonly JsonObject[] => {
  const { line, country } = address;
  const isPart = (name: keyof typeof address) => (text: string) =>
    isReadAsItIs(name, text, country);
  const part = (name: string, field: keyof typeof address): JsonObject =>
    unlessNull(address[field], (value) => primitive(name, value, isPart(field)));
  const parts: JsonObject = {
    ...unlessNull(line, (text) => ({
      line: [text],
      ...(isPart('line')(text) ? {} : { _line: [{ extension: [VERBATIM_MARK] }] }),
    })),
    ...part('city', 'city'),
    ...part('district', 'county'),
    ...part('state', 'state'),
    ...part('postalCode', 'postal_code'),
    ...part('country', 'country'),
  };
  return Object.keys(parts).length === 0 ? [] : [{ use: 'home', ...parts }];
};

const childPatient = (child: Child, course: CourseOfCare): JsonObject => ({
  ...ofProfile(
    child.fetal_death === true ? `${BFDR}/Patient-decedent-fetus` : `${COMMON}/Patient-child-vr`,
  ),
  ...listed('extension', [
    ...sexAtBirth(child),
    ...reportedAge(course.mother.age_at_delivery),
    ...(child.fetal_death === null ? [UNKNOWN_IF_FETAL_DEATH] : []),
  ]),
  ...recordNumber(child.medical_record_number),
  ...listed('name', officialName(child)),
  ...unlessNull(child.sex, (sex) => ({ gender: keyOf(GENDERS, sex) })),
  ...birthOf(child),
  ...unlessNull(child.living, (living) => ({ deceasedBoolean: !living })),
  ...(child.fetal_death === true
    ? { _deceasedBoolean: { extension: [{ url: FETAL_DEATH, valueBoolean: true }] } }
    : {}),
  ...birthOrder(child, course),
});

const FETAL_DEATH = `${COMMON}/Extension-patient-fetal-death-vr`;
const UNKNOWN_IF_FETAL_DEATH: JsonObject = {
  url: FETAL_DEATH,
  _valueBoolean: { extension: [absent('unknown')] },
};

const keyOf = (table: ReadonlyMap<string, string>, value: string): string => {
  for (const [key, one] of table) if (one === value) return key;
  throw new Error('No code stands for the value');
};

const sexAtBirth = ({ sex }: Child): readonly JsonObject[] =>
  sex === null ? [] : [{ url: `${US_CORE}/us-core-birthsex`, valueCode: keyOf(SEX_AT_BIRTH, sex) }];

// The guide states the mother's age at each child; a de-identified record has no date to count from.
const reportedAge = (age: number | null): readonly JsonObject[] =>
  age === null
    ? []
    : [
        extended(`${COMMON}/Extension-reported-parent-age-at-delivery-vr`, [
          { url: 'reportedAge', valueQuantity: { value: age, unit: 'a', system: UCUM, code: 'a' } },
          {
            url: 'motherOrFather',
            valueCodeableConcept: concept(`${TERMINOLOGY}/v3-RoleCode`, 'MTH', 'mother'),
          },
        ]),
      ];

const birthOf = ({ birth_date, birth_time }: Child): JsonObject => {
  const isWhole = birth_date !== null && isDate(birth_date);
  const extensions = [
    ...(birth_date === null && birth_time !== null ? [absent('unknown')] : []),
    ...(birth_date === null || isWhole ? [] : [yearAlone(birth_date)]),
    ...(birth_time === null
      ? []
      : [{ url: `${FHIR}/patient-birthTime`, valueDateTime: birth_time }]),
  ];
  return {
    ...(isWhole ? { birthDate: birth_date } : {}),
    ...(extensions.length === 0 ? {} : { _birthDate: { extension: extensions } }),
  };
};

// The mask leaves the year: the guide's form of a partial date says so, and why there is no more.
const yearAlone = (year: string): JsonObject =>
  extended(`${COMMON}/Extension-partial-date-vr`, [
    { url: 'year', valueUnsignedInt: Number(year) },
    extended('month', [absent('masked')]),
    extended('day', [absent('masked')]),
  ]);

const birthOrder = ({ birth_order }: Child, { plurality, children }: CourseOfCare): JsonObject => {
  if (birth_order === null) return {};
  if (birth_order === 1 && plurality === 1) return { multipleBirthBoolean: false };
  return {
    multipleBirthInteger: birth_order,
    ...unlessNull(plurality, (total) => ({
      _multipleBirthInteger: {
        extension: [
          {
            url: `${FHIR}/patient-multipleBirthTotal`,
            valuePositiveInt: total,
            // A total below a birth order is not believed, unless it is meant as it stands.
            ...(children.some((child) => (child.birth_order ?? 0) > total)
              ? { _valuePositiveInt: { extension: [VERBATIM_MARK] } }
              : {}),
          },
        ],
      },
    })),
  };
};
