import {
  ATTENDANT_TITLES,
  BIRTH_POSITIONS,
  CONSENT_STATUSES,
  DELIVERY_METHODS,
  EDUCATION_LEVELS,
  ETHNICITIES,
  GUIDE_PLACE_CODES,
  HISPANIC_ORIGINS,
  INDUCTION_INDICATIONS,
  LABOR_AGENTS,
  OTHER_ASIAN,
  OTHER_HISPANIC,
  PLACE_CODES,
  PRESENTATIONS,
  RACES,
  REGISTRY_CODES,
} from '../../domain/course/codes.ts';
import { findFieldAt } from '../../domain/course/fields.ts';
import { CDC_HISPANIC_ORIGINS } from '../../domain/course/hispanic-origins.ts';
import { NO, YES } from '../../domain/fhir/coded-answers.ts';
import { LOINC, SNOMED, UNKNOWN_CODES, UNKNOWN_CONCEPTS } from '../../domain/fhir/coded-values.ts';
import { FINAL_STATUSES, PLANNED_STATUSES, VOID_STATUSES } from '../../domain/fhir/resources.ts';
import { DOUBTFUL_STATUSES } from '../../domain/mapping/bfdr/encounters.ts';
import { FETAL_DEATH_CONCEPTS, REPORT_TYPES } from '../../domain/mapping/bfdr/fetal-deaths.ts';
import {
  LOINC_KINDS,
  NICU_ANSWERS,
  RACE,
  REGISTRY_KINDS,
} from '../../domain/mapping/bfdr/observation-kinds.ts';
import {
  FUNCTION_SYSTEMS,
  GUIDE_ROLES,
  VEHICLE,
} from '../../domain/mapping/bfdr/place-of-birth.ts';
import { NPI, ROLE_WORDS } from '../../domain/mapping/bfdr/practitioners.ts';
import {
  HISPANIC_ANSWERS,
  HISPANIC_QUESTIONS,
  HISPANIC_TEXT,
  PLACES,
  RACE_ABSENT_ANSWER,
  RACE_ANSWERS,
  RACE_OBSERVATION_CODE,
  RACE_OBSERVATION_SYSTEM,
  WRITE_IN_ANSWERS,
} from '../../domain/mapping/bfdr/race-observation.ts';
import { CHILD_WORDS, MOTHER_WORDS } from '../../domain/mapping/bfdr/roles.ts';
import {
  TRANSFER_CODES,
  TRANSFERRED_IN,
  TRANSFERRED_OUT,
} from '../../domain/mapping/bfdr/transfers.ts';
import { ATTENDANT } from '../../domain/mapping/from-fhir/attendants.ts';
import {
  CLINICAL_SEX,
  GENDERS,
  MEDICAL_RECORD,
  SEX_AT_BIRTH,
} from '../../domain/mapping/from-fhir/patient-values.ts';
import { VOID_VERIFICATIONS } from '../../domain/mapping/us-core/conditions.ts';
import {
  DELIVERIES,
  DELIVERY_DIAGNOSES,
  DIAGNOSIS_FAMILIES,
  MULTIPLE_GESTATION,
} from '../../domain/mapping/us-core/diagnosis-codes.ts';
import { NO_STAYS, STAYS, VISIT } from '../../domain/mapping/us-core/encounters.ts';
import { CHART_KINDS } from '../../domain/mapping/us-core/observation-kinds.ts';
import { MOTHERS } from '../../domain/mapping/us-core/patients.ts';
import { getRegistryCodeSystem } from '../push/map-submission.ts';

import {
  buildChartObservation,
  buildCodes,
  buildIcdCode,
  code,
  createBundleObservation,
  describeDiagnosis,
  findBaseUnit,
  type ReadCode,
  UNIT_GROUPS,
} from './read-codes.ts';

export interface CodeGroup {
  readonly id: string;
  readonly title: string;
  readonly lane: 'bundle' | 'chart' | 'both';
  readonly where: readonly string[];
  readonly about: string;
  readonly codes: readonly ReadCode[];
}

const CDC_RACE = 'urn:oid:2.16.840.1.113883.6.238';
const ROLE_CODE = 'http://terminology.hl7.org/CodeSystem/v3-RoleCode';
const ACT_CODE = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
const VALUE = 'Observation.valueCodeableConcept';

const DIRECTIONS = { in: 'a transfer in', out: 'a transfer out' } as const;

/** Unlisted answers are stored as well. */
const answers = (
  id: string,
  title: string,
  lane: CodeGroup['lane'],
  questions: readonly string[],
  codes: readonly ReadCode[],
): CodeGroup => ({
  id,
  title,
  lane,
  where: questions.map((question) => `${VALUE} of ${question}`),
  about: `Another code${lane === 'both' ? ' of a Bundle' : ''} is stored as it was sent.`,
  codes,
});

const QUANTITY = ['Observation.valueQuantity.code', 'Observation.valueQuantity.unit'];

const unitGroup = ({ id, title, units }: (typeof UNIT_GROUPS)[number]): CodeGroup => ({
  id,
  title,
  lane: 'both',
  where: QUANTITY,
  about: `In lower or upper case, with or without brackets, as in [lb_av]. Where code is not of UCUM, unit may say it.`,
  codes: [...units].map(([name, factor]) => code(name, `${factor} ${findBaseUnit(units)}`)),
});

/** Generated from the tables of the mappers. */
export const codeGroups = (registryCodeSystems: readonly string[]): readonly CodeGroup[] => [
  {
    id: 'observations',
    title: 'Observations of a Bundle',
    lane: 'bundle',
    where: ['Observation.code', 'Observation.component.code'],
    about:
      'An Observation is recognized by its code, never by its profile; no system counts as LOINC. A component of a panel is read like an Observation of the panel’s subject and status. An Observation whose profile names a planned birthplace is read as the planned place of birth, whatever its code.',
    codes: [
      ...[...LOINC_KINDS].map(createBundleObservation([LOINC])),
      ...[...REGISTRY_KINDS].map(createBundleObservation(registryCodeSystems)),
      createBundleObservation([RACE_OBSERVATION_SYSTEM])([RACE_OBSERVATION_CODE, RACE]),
    ],
  },
  {
    id: 'places-of-birth',
    title: 'Places of birth',
    lane: 'bundle',
    where: ['Location.type', `${VALUE} of 73765-0`],
    about: `Of several the first that is listed counts. A Location.type of ${[...FUNCTION_SYSTEMS].join(' or ')} says what the location is for, such as HOSP: then Encounter.location.physicalType states the place. Any other code is refused in Location.type where none of the listed stands beside it; else it leaves a warning in the record.`,
    codes: [
      ...[...PLACE_CODES].map(([text, place]) => code(text, place, { field: 'place_of_birth' })),
      code(VEHICLE, 'En route, as physicalType where there is no Location.type', {
        field: 'place_of_birth',
      }),
      ...[...GUIDE_ROLES].map((text) => code(text, 'the part that a Location has: says no place')),
    ],
  },
  {
    id: 'places-of-the-guide',
    title: 'Places of birth of the guide',
    lane: 'bundle',
    where: ['Encounter.location.physicalType'],
    about:
      'Read where no Location.type states the place. Where the place is Home, it says whether that was planned. UNK is no place.',
    codes: [...GUIDE_PLACE_CODES].map(([text, { place, plan }]) =>
      code(text, plan === null ? place : `${place}; planned: ${plan}`, { field: 'place_of_birth' }),
    ),
  },
  answers(
    'presentations',
    'Presentation',
    'both',
    ['73761-9'],
    buildCodes(PRESENTATIONS, 'children.presentation'),
  ),
  answers(
    'delivery-methods',
    'Delivery method',
    'both',
    ['73762-7'],
    buildCodes(DELIVERY_METHODS, 'delivery_method'),
  ),
  answers(
    'education-levels',
    "Mother's education",
    'bundle',
    ['57712-2'],
    buildCodes(EDUCATION_LEVELS, 'mother.education'),
  ),
  {
    id: 'newborn-conditions',
    title: 'Conditions of the newborn',
    lane: 'bundle',
    where: [`${VALUE} of 73812-0`],
    about: 'Of this group only the NICU is read.',
    codes: [...NICU_ANSWERS].map(([text, answer]) =>
      code(text, answer ? 'Admitted to the NICU' : 'None of these, so not admitted', {
        field: 'children.nicu_admission',
      }),
    ),
  },
  answers(
    'birth-positions',
    'Birth position',
    'bundle',
    ['birth_position'],
    buildCodes(BIRTH_POSITIONS, 'birth_position'),
  ),
  answers(
    'attendant-titles',
    'Title of the attendant',
    'bundle',
    ['attendant_title'],
    buildCodes(ATTENDANT_TITLES, 'attendant_title'),
  ),
  answers(
    'induction-indications',
    'Reason for induction',
    'bundle',
    ['induction_indication'],
    buildCodes(INDUCTION_INDICATIONS, 'induction_indication'),
  ),
  answers(
    'labor-agents',
    'Agents of induction and augmentation',
    'bundle',
    ['induction_agents', 'augmentation_agents'],
    buildCodes(LABOR_AGENTS, 'induction_agents, augmentation_agents'),
  ),
  {
    id: 'yes-or-no',
    title: 'Yes or no',
    lane: 'both',
    where: [VALUE, 'Observation.valueString'],
    about: 'Or valueBoolean. Upper and lower case do not matter.',
    codes: [
      ...[...YES].map((text) => code(text.toUpperCase(), 'Yes')),
      ...[...NO].map((text) => code(text.toUpperCase(), 'No')),
    ],
  },
  {
    id: 'unknown',
    title: 'Unknown or absent',
    lane: 'both',
    where: [VALUE, 'Observation.valueString'],
    about:
      'The value is left empty without a warning. So is the number -1. Upper and lower case do not matter.',
    codes: [
      ...[...UNKNOWN_CODES].map((text) => code(text, 'Unknown or absent')),
      ...[...UNKNOWN_CONCEPTS].map((text) => code(text, 'Unknown', { systems: [SNOMED] })),
    ],
  },
  ...UNIT_GROUPS.map(unitGroup),
  {
    id: 'race-answers',
    title: 'Answers about race and ethnicity',
    lane: 'bundle',
    where: [`Observation.component.code of ${RACE_OBSERVATION_CODE}`],
    about:
      'Each race with valueBoolean true; those about Hispanic origin with the code Y or N: one Y is Hispanic, four N are not Hispanic. Literals are texts; a text answers the question beside it. What it decides comes before the extensions of the Patient. Its code counts under any system.',
    codes: [
      ...[...RACE_ANSWERS].map(([text, race]) =>
        code(text, `${RACES.get(race)} (${race})`, { field: 'mother.race' }),
      ),
      code(RACE_ABSENT_ANSWER, 'Why no race is stated: PREFUS, ASKU, or UNK', {
        field: 'mother.race_absent_reason',
      }),
      ...[...WRITE_IN_ANSWERS].flatMap(([text, name]) =>
        PLACES.map((place) =>
          code(`${place}${text}`, findFieldAt(`mother.${name}`).label, { field: `mother.${name}` }),
        ),
      ),
      ...HISPANIC_QUESTIONS.map(([text, origin]) =>
        code(text, HISPANIC_ORIGINS.get(origin) ?? origin, { field: 'mother.hispanic_origins' }),
      ),
      code(HISPANIC_TEXT, 'Other Hispanic origin, unless it only says Hispanic or Latino', {
        field: 'mother.other_hispanic_origin',
      }),
      code(`${HISPANIC_ANSWERS}…`, 'Any other code that begins so: Hispanic or Latino with Y', {
        field: 'mother.ethnicity',
      }),
    ],
  },
  {
    id: 'races',
    title: 'Race',
    lane: 'both',
    where: ['Patient.extension us-core-race'],
    about:
      'Categories, else detail, else the text. UNK, ASKU, and texts such as “Declined” are no race, but the reason that there is none. A detail of CDC below a category that has lines on the certificate is written there by its display, else by the text beside a single such category. Other codes are stored as they were sent.',
    codes: [...RACES].map(([text, means]) =>
      code(text, means, {
        systems: text === OTHER_ASIAN ? [] : [CDC_RACE],
        field: 'mother.race',
      }),
    ),
  },
  {
    id: 'ethnicities',
    title: 'Ethnicity',
    lane: 'both',
    where: ['Patient.extension us-core-ethnicity'],
    about:
      'As for race. Details are Hispanic origins: another origin is stored by its name, as is any other detail or text beside Hispanic or Latino.',
    codes: [
      ...[...ETHNICITIES].map(([text, means]) =>
        code(text, means, { systems: [CDC_RACE], field: 'mother.ethnicity' }),
      ),
      ...[...CDC_HISPANIC_ORIGINS].map(([text, means]) =>
        code(text, means, { systems: [CDC_RACE], field: 'mother.hispanic_origins' }),
      ),
      code(OTHER_HISPANIC, HISPANIC_ORIGINS.get(OTHER_HISPANIC) ?? OTHER_HISPANIC, {
        field: 'mother.hispanic_origins',
      }),
    ],
  },
  {
    id: 'sex',
    title: 'Sex',
    lane: 'both',
    where: [
      'Patient.extension us-core-birthsex',
      'Patient.extension us-core-sex',
      'Patient.gender',
    ],
    about:
      'The sex at birth comes before us-core-sex, and that before the gender, unless it is unknown.',
    codes: buildCodes([...SEX_AT_BIRTH, ...CLINICAL_SEX, ...GENDERS], 'children.sex'),
  },
  {
    id: 'patients',
    title: 'Who a Patient is',
    lane: 'bundle',
    where: ['Patient.meta.profile'],
    about:
      'Words in the last part of the address of a profile. A Patient without any of them is ignored.',
    codes: [
      ...MOTHER_WORDS.map((word) => code(word, 'The mother')),
      ...CHILD_WORDS.map((word) => code(word, 'A child')),
    ],
  },
  {
    id: 'identifiers',
    title: 'Identifiers',
    lane: 'both',
    where: ['Patient.identifier.type', 'Practitioner.identifier.type'],
    about:
      'Of a Patient only medical record numbers are read. Of a Practitioner the first identifier that is no NPI is the stable identity.',
    codes: [
      code(MEDICAL_RECORD, 'Medical record number', {
        field: 'mother.medical_record_number, children.medical_record_number',
      }),
      code(
        NPI,
        'NPI, in code or words; also by a system that is us-npi, NPI, or its OID, in any spelling (partners only)',
      ),
    ],
  },
  {
    id: 'participants',
    title: 'Participants of an Encounter',
    lane: 'both',
    where: ['Encounter.participant.type'],
    about:
      'A partner’s Bundle records the attendant; a chart only shows them; a native key’s Bundle ignores them.',
    codes: [code(ATTENDANT, 'Attended the birth', { field: 'attendant' })],
  },
  {
    id: 'practitioners',
    title: 'Roles of Practitioners',
    lane: 'bundle',
    where: [
      'Practitioner.qualification.code.text',
      'Practitioner.qualification.code.coding.display',
    ],
    about:
      'Read for partners only, in this order, by words that begin like this, or by abbreviations that stand alone. A doula who takes part in an Encounter means doula_present.',
    codes: ROLE_WORDS.flatMap(({ role, beginnings, abbreviations }) =>
      [...beginnings, ...abbreviations].map((word) => code(word, role)),
    ),
  },
  {
    id: 'fetal-deaths',
    title: 'Fetal deaths and live births',
    lane: 'bundle',
    where: ['Composition.type', 'Extension-patient-fetal-death-vr'],
    about:
      'A type is true of the subject of the Composition, or of the only child. Profiles of fetal death reports and of a fetus count, too. One of them is enough for a fetal death; a warning says if another contradicts it.',
    codes: [
      ...[...REPORT_TYPES].map(([text, isFetal]) =>
        code(text, isFetal ? 'a fetal death report' : 'a live birth report', {
          field: 'children.fetal_death',
        }),
      ),
      ...[...FETAL_DEATH_CONCEPTS].map((text) =>
        code(text, 'a fetal death', { systems: [SNOMED], field: 'children.fetal_death' }),
      ),
    ],
  },
  {
    id: 'transfers',
    title: 'Transfers of care',
    lane: 'bundle',
    where: ['Encounter.type', 'Encounter.class', 'Encounter.hospitalization'],
    about: `${TRANSFERRED_IN} also as admitSource, ${TRANSFERRED_OUT} also as dischargeDisposition. A text or display of a type or class counts where it says transfer of care, maternal, infant, newborn or neonatal transfer, or transfer or transferred in, out, from or to; not where it denies one, or speaks of embryos, records or a room of the house.`,
    codes: [...TRANSFER_CODES].map(([text, direction]) =>
      code(text, direction === null ? 'a transfer' : DIRECTIONS[direction], {
        field: 'transfers.direction',
      }),
    ),
  },
  {
    id: 'statuses',
    title: 'Statuses',
    lane: 'both',
    where: ['Observation.status', 'Encounter.status', 'Encounter.location.status'],
    about:
      'Of several Observations of one kind the last of these final ones counts, else the last of the rest.',
    codes: [
      ...[...FINAL_STATUSES].map((text) => code(text, 'Observation: counts first')),
      ...[...VOID_STATUSES].map((text) => code(text, 'Observation, Encounter: never counts')),
      ...[...DOUBTFUL_STATUSES].map((text) =>
        code(text, 'Encounter of a Bundle: counts only where there is no other'),
      ),
      ...[...PLANNED_STATUSES].map((text) =>
        code(
          text,
          'Encounter, or its location: gives the place only where there is no other, and nothing else',
        ),
      ),
    ],
  },
  {
    id: 'consent',
    title: 'Consent',
    lane: 'bundle',
    where: ['Consent.status', 'Consent.provision.type'],
    about: 'The first Consent is read. Another status is not kept.',
    codes: [
      ...[...CONSENT_STATUSES].map(([text, means]) =>
        code(text, text === 'active' ? `${means}: granted, unless something is denied` : means, {
          field: 'consent.status',
        }),
      ),
      code('deny', 'A provision, at any depth: not granted', { field: 'consent.granted' }),
    ],
  },
  {
    id: 'retractions',
    title: 'Retractions',
    lane: 'bundle',
    where: ['Composition.status', 'Bundle.entry.request.method'],
    about:
      'Either voids the record of the chart number. A DELETE counts where request.url names a Bundle, a Composition, the chart number or nothing; of anything else it is ignored, with a warning.',
    codes: [
      code('entered-in-error', 'The first Composition: the record was entered in error'),
      code('DELETE', 'Request of an entry: the record is to be deleted'),
    ],
  },
  {
    id: 'chart-observations',
    title: 'Observations of a chart',
    lane: 'chart',
    where: ['Observation.code', 'Observation.component.code'],
    about:
      'What the registry asks an EHR for when a clinician opens it from a chart (US Core). Only final, amended and corrected ones count.',
    codes: [...CHART_KINDS].map(buildChartObservation),
  },
  {
    id: 'chart-deliveries',
    title: 'Diagnoses of a delivery',
    lane: 'chart',
    where: ['Condition.code'],
    about:
      'ICD-10-CM, with or without dots: all codes that begin so, the first of the list that fits.',
    codes: DELIVERY_DIAGNOSES.map(([prefix, diagnosis]) =>
      buildIcdCode(
        prefix,
        describeDiagnosis(diagnosis),
        [
          diagnosis.plurality === null ? null : 'plurality',
          diagnosis.deliveryMethod === null ? null : 'delivery_method',
        ]
          .filter((field) => field !== null)
          .join(', ') || null,
      ),
    ),
  },
  {
    id: 'chart-diagnoses',
    title: 'Diagnoses that are shown',
    lane: 'chart',
    where: ['Condition.code', 'Encounter.reasonCode'],
    about:
      'Shown to the clinician, and not stored. ICD-10-CM by its beginning; SNOMED CT by the code, without what is below it.',
    codes: [
      ...DIAGNOSIS_FAMILIES.flatMap(({ label, snomed, icd: prefixes }) => [
        ...snomed.map((text) => code(text, label, { systems: [SNOMED] })),
        ...prefixes.map((prefix) => buildIcdCode(prefix, label, null)),
      ]),
      ...MULTIPLE_GESTATION.map((prefix) => buildIcdCode(prefix, 'Several children at once', null)),
      ...DELIVERIES.map((prefix) =>
        buildIcdCode(prefix, 'Reason of a stay: it was for the delivery', null),
      ),
    ],
  },
  {
    id: 'chart-encounters',
    title: 'Classes of Encounters',
    lane: 'chart',
    where: ['Encounter.class'],
    about: 'They find the stay of the delivery, for hints beside the form.',
    codes: [
      ...[...STAYS].map((text) =>
        code(text, 'A stay in which the birth can be', { systems: [ACT_CODE] }),
      ),
      code(VISIT, 'An outpatient visit before the birth', { systems: [ACT_CODE] }),
      ...[...NO_STAYS].map((text) =>
        code(text, 'No stay of a delivery, even if the launch names it', { systems: [ACT_CODE] }),
      ),
    ],
  },
  {
    id: 'chart-statuses',
    title: 'Statuses of Conditions',
    lane: 'chart',
    where: ['Condition.verificationStatus'],
    about: 'Such a Condition does not count.',
    codes: [...VOID_VERIFICATIONS].map((text) => code(text, 'Never counts')),
  },
  {
    id: 'chart-contacts',
    title: 'The mother in the chart of a newborn',
    lane: 'chart',
    where: ['Patient.contact.relationship'],
    about: 'Or the text mother or birth mother.',
    codes: [...MOTHERS].map((text) => code(text, 'The mother', { systems: [ROLE_CODE] })),
  },
];

export const listRegistryCodeSystems = (baseUrl: string): readonly string[] => [
  REGISTRY_CODES,
  getRegistryCodeSystem(baseUrl),
];
