import { buildRaceObservation } from '../../domain/export/bfdr/build-race.ts';
import {
  BFDR,
  buildConcept,
  COMMON,
  declareProfiles,
  TERMINOLOGY,
  YES,
} from '../../domain/export/bfdr/elements.ts';
import { LOINC, readCodes, SNOMED } from '../../domain/fhir/coded-values.ts';
import { asText, type JsonObject } from '../../domain/fhir/json.ts';
import { LOCAL_CODES } from '../../domain/mapping/bfdr/place-of-birth.ts';
import { addDays } from './calendar.ts';
import type { Practice } from './practice.ts';
import type { Random } from './random.ts';
import type { Birth } from './sender-style.ts';

export interface Family {
  readonly practice: Practice;
  readonly random: Random;
  readonly course: Birth['course'];
  readonly mother: JsonObject;
  readonly firstChild: JsonObject;
  readonly maternity: JsonObject;
  readonly attendant: JsonObject;
  readonly hospital: JsonObject;
  readonly father: JsonObject;
  readonly fatherNames: readonly string[];
  readonly bornOn: string;
}

export interface Addition {
  /** Code of the section that lists it. */
  readonly section: string;
  readonly resource: JsonObject;
  /** Ends its id, if other resources refer to it. */
  readonly name?: 'hospital' | 'father';
}

export const isMother = (patient: JsonObject, { mother }: Family): boolean =>
  mother['reference'] === `Patient/${patient['id']}`;

// Numbers of this area were never issued.
export const inventSecurityNumber = (random: Random): JsonObject => ({
  use: 'usual',
  type: buildConcept(`${TERMINOLOGY}/v2-0203`, 'SS', 'Social Security number'),
  system: 'http://hl7.org/fhir/sid/us-ssn',
  value: `000${random.whole(100_000, 999_999)}`,
});

const PRENATAL = '57073-9';
const MEDICAL = '55752-0';
const NEWBORN = '57075-4';
const MOTHER = '92014-0';
export const FATHER = '92013-2';
export const EMERGING_ISSUES = 'emergingissues';
export const LOCAL_OBSERVATIONS =
  'http://hl7.org/fhir/us/vr-common-library/CodeSystem/CodeSystem-local-observation-codes-vr';
const COMPONENTS = 'http://hl7.org/fhir/us/vr-common-library/CodeSystem/codesystem-vr-component';

const RISKS = '73775-9';
const INFECTIONS = '72519-2';
const OBSTETRIC = '73814-6';
const LABOR = '73813-8';
const MORBIDITY = '73781-7';
const CONDITIONS_OF_NEWBORN = '73812-0';
const ANOMALIES = '73780-9';

type Row = readonly [group: string, profile: string, code: string, display: string];

/** Conditions of the mother by their group. @see Condition-* of the guide */
const CONDITIONS: readonly Row[] = [
  [RISKS, 'prepregnancy-diabetes', '73211009', 'Diabetes mellitus'],
  [RISKS, 'gestational-diabetes', '11687002', 'Gestational diabetes mellitus'],
  [RISKS, 'prepregnancy-hypertension', '38341003', 'Hypertensive disorder'],
  [RISKS, 'gestational-hypertension', '48194001', 'Pregnancy-induced hypertension'],
  [RISKS, 'eclampsia-hypertension', '15938005', 'Eclampsia'],
  [INFECTIONS, 'infection-present-during-pregnancy', '15628003', 'Gonorrhea'],
  [INFECTIONS, 'infection-present-during-pregnancy', '76272004', 'Syphilis'],
  [INFECTIONS, 'infection-present-during-pregnancy', '105629000', 'Chlamydial infection'],
  [INFECTIONS, 'infection-present-during-pregnancy', '66071002', 'Hepatitis B'],
  [INFECTIONS, 'infection-present-during-pregnancy', '50711007', 'Hepatitis C'],
  [LABOR, 'chorioamnionitis', '11612004', 'Chorioamnionitis'],
  [MORBIDITY, 'perineal-laceration', '398019008', 'Perineal laceration'],
  [MORBIDITY, 'ruptured-uterus', '34430009', 'Rupture of uterus'],
];
const NEWBORN_CONDITIONS: readonly Row[] = [
  [CONDITIONS_OF_NEWBORN, 'seizure', '91175000', 'Seizure'],
  [ANOMALIES, 'congenital-anomaly-of-newborn', '80281008', 'Cleft lip'],
  [ANOMALIES, 'congenital-anomaly-of-newborn', '416010008', 'Hypospadias'],
];

const PROCEDURES: readonly Row[] = [
  [RISKS, 'infertility-treatment', '773261007', 'Infertility treatment'],
  [RISKS, 'assisted-reproductive-technology', '63487001', 'Assisted reproductive technology'],
  [
    RISKS,
    'fertility-enhancing-drug-therapy-artificial-insem',
    '58533008',
    'Artificial insemination',
  ],
  [OBSTETRIC, 'obstetric', '240278000', 'External cephalic version'],
  [LABOR, 'epidural-or-spinal-anesthesia', '18946005', 'Epidural anesthesia'],
  [LABOR, 'induction-of-labor', '236958009', 'Induction of labor'],
  [LABOR, 'augmentation-of-labor', '237001001', 'Augmentation of labor'],
  [MORBIDITY, 'blood-transfusion', '116859006', 'Transfusion of blood product'],
  [MORBIDITY, 'unplanned-hysterectomy', '236987005', 'Emergency cesarean hysterectomy'],
];
const NEWBORN_PROCEDURES: readonly Row[] = [
  [
    CONDITIONS_OF_NEWBORN,
    'assisted-ventilation-following-delivery',
    'assistedventfollowingdelivery',
    'Assisted ventilation following delivery',
  ],
  [
    CONDITIONS_OF_NEWBORN,
    'assisted-ventilation-more-than-six-hours',
    'assistedventmorethan6hrs',
    'Assisted ventilation for more than six hours',
  ],
  [
    CONDITIONS_OF_NEWBORN,
    'surfactant-replacement-therapy',
    '434701000124101',
    'Surfactant replacement therapy',
  ],
  [
    CONDITIONS_OF_NEWBORN,
    'antibiotic-suspected-neonatal-sepsis',
    '434621000124103',
    'Antibiotics for suspected neonatal sepsis',
  ],
];

/** Observations of a group that say that something was there. */
const FINDINGS: readonly Row[] = [
  [RISKS, 'previous-preterm-birth', '161765003', 'History of premature delivery'],
  [RISKS, 'previous-cesarean', '200144004', 'Deliveries by cesarean'],
  [LABOR, 'antibiotics-administered-during-labor', '434691000124101', 'Antibiotics during labor'],
  [
    LABOR,
    'steroids-fetal-lung-maturation',
    '434611000124106',
    'Corticosteroids for fetal lung maturation',
  ],
  [MORBIDITY, 'icu-admission', '309904001', 'Intensive care unit'],
];

const buildCode = (code: string, display: string): JsonObject => ({
  ...buildConcept(/^\d/.test(code) ? SNOMED : LOCAL_CODES, code, display),
  text: display,
});

const buildCondition =
  (subject: JsonObject, section: string) =>
  ([group, profile, code, display]: Row): Addition => ({
    section,
    resource: {
      resourceType: 'Condition',
      ...declareProfiles(`${BFDR}/Condition-${profile}`),
      clinicalStatus: buildConcept(`${TERMINOLOGY}/condition-clinical`, 'active', 'Active'),
      verificationStatus: buildConcept(
        `${TERMINOLOGY}/condition-ver-status`,
        'confirmed',
        'Confirmed',
      ),
      category: [
        buildConcept(`${TERMINOLOGY}/condition-category`, 'problem-list-item', 'Problem List Item'),
        buildConcept(LOINC, group),
      ],
      code: buildCode(code, display),
      subject,
    },
  });

const buildProcedure =
  (subject: JsonObject, section: string, performedDateTime: string) =>
  ([group, profile, code, display]: Row): Addition => ({
    section,
    resource: {
      resourceType: 'Procedure',
      ...declareProfiles(`${BFDR}/Procedure-${profile}`),
      status: 'completed',
      category: buildConcept(LOINC, group),
      code: buildCode(code, display),
      subject,
      performedDateTime,
      ...(group === OBSTETRIC
        ? { outcome: buildConcept(SNOMED, '385671000', 'Unsuccessful') }
        : {}),
    },
  });

const buildObservation = (section: string, profile: string, content: JsonObject): Addition => ({
  section,
  resource: {
    resourceType: 'Observation',
    ...declareProfiles(profile),
    status: 'final',
    ...content,
  },
});

const buildJob = (section: string, role: 'MTH' | 'FTH', content: JsonObject): Addition =>
  buildObservation(section, `${BFDR}/Observation-present-job`, {
    extension: [
      {
        url: `${BFDR}/Extension-role`,
        valueCodeableConcept: buildConcept(`${TERMINOLOGY}/v3-RoleCode`, role),
      },
    ],
    code: buildConcept(LOINC, '11341-5', 'History of Occupation'),
    ...content,
    component: [
      {
        code: buildConcept(LOINC, '86188-0', 'History of Occupation industry'),
        valueCodeableConcept: { text: 'Retail trade' },
      },
    ],
  });

const askIssue = (name: string, valueString: string): JsonObject => ({
  code: buildConcept(COMPONENTS, name),
  valueString,
});

/** Questions of a jurisdiction's own, in one character, in eight, or in twenty. */
const EMERGING: readonly JsonObject[] = [
  ...Array.from({ length: 8 }, (_, at) => askIssue(`EmergingIssue1_${at + 1}`, 'Y')),
  ...Array.from({ length: 3 }, (_, at) => askIssue(`EmergingIssue8_${at + 1}`, '20250101')),
  askIssue('EmergingIssue20', 'Asked at admission'),
];

const listAdministrative = (family: Family): readonly Addition[] => {
  const { practice, course, mother, firstChild, father } = family;
  const focus = [father];
  return [
    { section: '', name: 'hospital', resource: buildHospital(practice) },
    { section: FATHER, name: 'father', resource: buildFather(family) },
    {
      section: PRENATAL,
      resource: {
        resourceType: 'Coverage',
        ...declareProfiles(`${BFDR}/Coverage-principal-payer-delivery`),
        status: 'active',
        type: buildConcept('https://nahdo.org/sopt', '5', 'PRIVATE HEALTH INSURANCE'),
        beneficiary: mother,
        payor: [{ display: `${practice.region.state} Mutual Health` }],
      },
    },
    buildObservation(MOTHER, `${BFDR}/Observation-mother-married-during-pregnancy`, {
      code: buildConcept(LOINC, '87301-8'),
      subject: mother,
      valueCodeableConcept: YES,
    }),
    buildJob(MOTHER, 'MTH', {
      subject: mother,
      valueCodeableConcept: { text: 'Bookkeeper' },
    }),
    buildObservation(MOTHER, `${BFDR}/Observation-ssn-requested-for-child`, {
      code: buildConcept(LOINC, '87295-2'),
      subject: firstChild,
      valueBoolean: true,
    }),
    buildObservation(FATHER, `${BFDR}/Observation-paternity-acknowledgement-signed`, {
      code: buildConcept(LOINC, '87302-6'),
      subject: firstChild,
      focus,
      valueCodeableConcept: YES,
    }),
    buildObservation(FATHER, `${COMMON}/Observation-education-level-vr`, {
      code: buildConcept(LOINC, '87300-0'),
      subject: firstChild,
      focus,
      valueCodeableConcept: buildConcept(`${TERMINOLOGY}/v3-EducationLevel`, 'SCOL'),
    }),
    buildJob(FATHER, 'FTH', {
      subject: firstChild,
      focus,
      valueCodeableConcept: { text: 'Carpenter' },
    }),
    buildObservation(FATHER, `${COMMON}/input-race-and-ethnicity-vr`, {
      ...buildRaceObservation(course.mother),
      code: buildConcept(LOCAL_OBSERVATIONS, 'inputraceandethnicityFather'),
      subject: firstChild,
      focus,
    }),
    buildObservation(EMERGING_ISSUES, `${COMMON}/Observation-emerging-issues-vr`, {
      code: buildConcept(LOCAL_OBSERVATIONS, EMERGING_ISSUES),
      subject: firstChild,
      component: EMERGING,
    }),
  ];
};

const buildHospital = ({ hospital, region }: Practice): JsonObject => ({
  resourceType: 'Organization',
  ...declareProfiles('http://hl7.org/fhir/us/core/StructureDefinition/us-core-organization'),
  identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '9000000012' }],
  active: true,
  type: [buildConcept(`${TERMINOLOGY}/v3-RoleCode`, 'HOSP', 'Hospital')],
  name: hospital,
  telecom: [{ system: 'phone', value: `+1-${region.areaCode}-555-0100` }],
  address: [{ line: ['1 Hospital Drive'], city: region.towns[0]?.name, state: region.state }],
});

const buildFather = ({
  practice,
  course,
  random,
  firstChild,
  fatherNames,
}: Family): JsonObject => ({
  resourceType: 'RelatedPerson',
  ...declareProfiles(`${COMMON}/RelatedPerson-father-natural-vr`),
  extension: [
    {
      url: `${COMMON}/Extension-relatedperson-birthplace-vr`,
      valueAddress: { state: practice.region.state, country: 'US' },
    },
  ],
  identifier: [inventSecurityNumber(random)],
  active: true,
  patient: firstChild,
  relationship: [buildConcept(`${TERMINOLOGY}/v3-RoleCode`, 'NFTH', 'natural father')],
  name: [{ use: 'official', family: course.mother.family_name, given: fatherNames }],
  gender: 'male',
  birthDate: addDays(course.mother.birth_date ?? '1990-01-01', -random.whole(1, 2_000)),
});

/** Lists resources of the guide that the document lacks. The registry reads none of them. */
export const listFurtherResources = (
  family: Family,
  resources: readonly JsonObject[],
): readonly Addition[] => {
  const { mother, firstChild, bornOn } = family;
  const stated = new Set(
    resources.flatMap(({ code, valueCodeableConcept: value }) => [
      ...readCodes(code),
      ...readCodes(value),
    ]),
  );
  const isLacking = ([, , code]: Row): boolean => !stated.has(code);
  return [
    ...listAdministrative(family),
    ...CONDITIONS.filter(isLacking).map(buildCondition(mother, MEDICAL)),
    ...PROCEDURES.filter(isLacking).map(buildProcedure(mother, MEDICAL, bornOn)),
    ...FINDINGS.filter(isLacking).map(([group, profile, code, display]) =>
      buildObservation(MEDICAL, `${BFDR}/Observation-${profile}`, {
        code: buildConcept(LOINC, group),
        subject: mother,
        focus: [firstChild],
        valueCodeableConcept: buildConcept(SNOMED, code, display),
      }),
    ),
    ...resources
      .filter(
        (one) =>
          one['resourceType'] === 'Patient' &&
          !isMother(one, family) &&
          one['deceasedBoolean'] !== true,
      )
      .map(({ id }) => ({ reference: `Patient/${asText(id)}` }))
      .flatMap((child) => [
        ...NEWBORN_CONDITIONS.map(buildCondition(child, NEWBORN)),
        ...NEWBORN_PROCEDURES.map(buildProcedure(child, NEWBORN, bornOn)),
      ]),
  ];
};
