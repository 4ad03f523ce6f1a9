import { RACES } from '../../domain/course/codes.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ChildFacts, MotherFacts, Wording } from './birth-story.ts';
import { localDate, localText, zonedText } from './calendar.ts';
import type { Region } from './region.ts';
import {
  BFDR,
  COMMON,
  childKey,
  concept,
  type Report,
  SENDER,
  TERMINOLOGY,
  US_CORE,
} from './report.ts';

const BIRTH_TIME = 'http://hl7.org/fhir/StructureDefinition/patient-birthTime';
const TOTAL_BORN = 'http://hl7.org/fhir/StructureDefinition/patient-multipleBirthTotal';
const DEAD_FETUS = {
  deceasedBoolean: true,
  _deceasedBoolean: {
    extension: [{ url: `${COMMON}/Extension-patient-fetal-death-vr`, valueBoolean: true }],
  },
};
const RACE_CODES = 'urn:oid:2.16.840.1.113883.6.238';

/** Mother and children as Patients of the BFDR profiles. */
export const patientEntries = (report: Report): readonly JsonObject[] => [
  report.entry('Patient', 'mother', motherPatient(report)),
  ...report.story.children.map((child) =>
    report.entry('Patient', childKey(child.order), childPatient(child, report)),
  ),
];

const motherPatient = ({ story }: Report): JsonObject => {
  const { mother, wording } = story;
  const { family, given, birthSurname, birthDate, phone, recordNumber } = mother;
  const isStated = (value: 'race' | 'birthSurname' | 'phone' | 'address') =>
    !wording.missing.has(value);
  return {
    meta: { profile: [`${COMMON}/Patient-mother-vr`] },
    ...(isStated('race') ? { extension: origins(mother) } : {}),
    identifier: [recordNumberOf(recordNumber)],
    name: [
      { use: 'official', family, given },
      ...(birthSurname !== null && isStated('birthSurname')
        ? [{ use: 'maiden', family: birthSurname }]
        : []),
    ],
    ...(isStated('phone') ? { telecom: [{ system: 'phone', value: phone, use: 'mobile' }] } : {}),
    gender: 'female',
    birthDate,
    ...(isStated('address') ? { address: [addressOf(mother)] } : {}),
  };
};

const recordNumberOf = (value: string): JsonObject => ({
  use: 'usual',
  type: concept(`${TERMINOLOGY}/v2-0203`, 'MR', 'Medical Record Number'),
  system: `${SENDER}/sid/mrn`,
  value,
});

const addressOf = ({ home }: MotherFacts): JsonObject => ({
  use: 'home',
  line: home.line.split(', '),
  city: home.town.name,
  district: home.town.county,
  state: home.state,
  postalCode: home.postalCode,
  country: 'US',
});

const origins = ({ race, hispanic }: MotherFacts): readonly JsonObject[] => {
  const displays = race.map((code) => RACES.get(code) ?? code);
  return [
    {
      url: `${US_CORE}/us-core-race`,
      extension: [
        ...race.map((code, at) => ({
          url: isCategory(code) ? 'ombCategory' : 'detailed',
          valueCoding: { system: RACE_CODES, code, display: displays[at] },
        })),
        { url: 'text', valueString: displays.join(', ') },
      ],
    },
    {
      url: `${US_CORE}/us-core-ethnicity`,
      extension: [
        {
          url: 'ombCategory',
          valueCoding: hispanic
            ? { system: RACE_CODES, code: '2135-2', display: 'Hispanic or Latino' }
            : { system: RACE_CODES, code: '2186-5', display: 'Not Hispanic or Latino' },
        },
        { url: 'text', valueString: hispanic ? 'Hispanic or Latino' : 'Not Hispanic or Latino' },
      ],
    },
  ];
};

const isCategory = (code: string): boolean =>
  ['1002-5', '2028-9', '2054-5', '2076-8', '2106-3', '2131-1'].includes(code);

const childPatient = (child: ChildFacts, { story, practice }: Report): JsonObject => {
  const profile = child.stillborn ? `${BFDR}/Patient-decedent-fetus` : `${COMMON}/Patient-child-vr`;
  return {
    meta: { profile: [profile] },
    extension: [
      { url: `${US_CORE}/us-core-birthsex`, valueCode: child.sex === 'male' ? 'M' : 'F' },
    ],
    identifier: [recordNumberOf(child.recordNumber)],
    name: [
      {
        use: 'official',
        family: story.mother.family,
        ...(child.given.length > 0 ? { given: child.given } : {}),
      },
    ],
    gender: child.sex,
    birthDate: localDate(child.bornAt, practice.region.zone),
    ...writeBirthTime(child, story.wording, practice.region),
    ...(child.stillborn ? DEAD_FETUS : {}),
    multipleBirthInteger: child.order,
    _multipleBirthInteger: {
      extension: [{ url: TOTAL_BORN, valuePositiveInt: story.children.length }],
    },
  };
};

const writeBirthTime = (
  { bornAt }: ChildFacts,
  { timeStyle }: Wording,
  { zone }: Region,
): JsonObject => {
  switch (timeStyle) {
    case 'date only':
      return {};
    case 'with offset':
      return withTime({ url: BIRTH_TIME, valueDateTime: zonedText(bornAt, zone) });
    case 'local':
      return withTime(inParts(localText(bornAt, zone)));
  }
};

const withTime = (extension: JsonObject): JsonObject => ({
  _birthDate: { extension: [extension] },
});

/** Local time in the guide's format, which allows a missing offset. */
const inParts = (local: string): JsonObject => {
  const [date = '', valueTime] = local.split('T');
  const numbers = date.split('-').map(Number);
  return {
    url: `${COMMON}/Extension-partial-date-time-vr`,
    extension: [
      ...['year', 'month', 'day'].map((url, at) => ({ url, valueUnsignedInt: numbers[at] })),
      { url: 'time', valueTime },
    ],
  };
};
