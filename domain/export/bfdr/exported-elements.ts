import { FIELDS, type FieldPath } from '../../course/fields.ts';
import { LOINC } from '../../fhir/coded-values.ts';
import { GUIDE_OF_FIELDS, OBSERVATION_ROWS } from './build-observations.ts';

export interface ExportedElement {
  readonly path: FieldPath;
  readonly element: string;
  /** Meaning of the element for other systems. */
  readonly interpretation: string;
}

const UNCHANGED = 'the same';
const BESIDE_ANSWER = 'the text beside its answer';
const WORKSHEET = 'Observation inputraceandethnicityMother';
const NOTHING = 'nothing: the code is this registry’s own';
const DETAILS = 'Encounter.extension';
const NO_ELEMENT = 'nothing: the extension is this registry’s own';

type ElementRow = readonly [element: string, interpretation: string];

/** Fields that leave in other elements, or that others read differently. The rest are in {@link OBSERVATION_ROWS}. */
const ELEMENTS: Readonly<Partial<Record<FieldPath, ElementRow>>> = {
  chart_number: [
    'Bundle.identifier',
    'the number, if it has at most eleven characters, with the suffix of the child; otherwise the first eleven digits of the record number',
  ],
  stamp: ['Bundle.meta.lastUpdated', UNCHANGED],
  ig_version: ['Bundle.meta.tag', 'nothing: every Bundle leaves as BFDR 2.0.0'],
  'mother.family_name': ['Patient.name.family', UNCHANGED],
  'mother.given_names': ['Patient.name.given', UNCHANGED],
  'mother.suffix': ['Patient.name.suffix', UNCHANGED],
  'mother.birth_surname': ['Patient.name.family', 'the name of use “maiden”'],
  'mother.birth_date': ['Patient.birthDate', UNCHANGED],
  'mother.age_at_delivery': ['Patient.extension', UNCHANGED],
  'mother.race': [
    WORKSHEET,
    'a yes or no for each of fifteen races, and texts for others, as in the state file; in us-core-race too',
  ],
  'mother.tribes': [WORKSHEET, BESIDE_ANSWER],
  'mother.other_asian_races': [WORKSHEET, BESIDE_ANSWER],
  'mother.other_pacific_races': [WORKSHEET, BESIDE_ANSWER],
  'mother.other_races': [WORKSHEET, BESIDE_ANSWER],
  'mother.race_absent_reason': [WORKSHEET, 'PREFUS, ASKU or UNK as RACEMVR'],
  'mother.ethnicity': [
    WORKSHEET,
    'Hispanic or not; where no origin is held, another is; in us-core-ethnicity too',
  ],
  'mother.hispanic_origins': [WORKSHEET, 'a yes or no for each of four; in us-core-ethnicity too'],
  'mother.other_hispanic_origin': [WORKSHEET, BESIDE_ANSWER],
  'mother.ethnicity_absent_reason': [
    'Patient.extension',
    'the absent reason of us-core-ethnicity; its answers in the worksheet are unknown',
  ],
  'mother.address.line': ['Patient.address.line', UNCHANGED],
  'mother.address.city': ['Patient.address.city', UNCHANGED],
  'mother.address.county': ['Patient.address.district', UNCHANGED],
  'mother.address.state': [
    'Patient.address.state',
    'the letters of a state, territory or Canadian province; XX in another country; a text that has no code as it is',
  ],
  'mother.address.postal_code': ['Patient.address.postalCode', UNCHANGED],
  'mother.address.country': [
    'Patient.address.country',
    'the code of vital records, which is not ISO’s: GM is Germany; a text that has no code as it is',
  ],
  'mother.phone': ['Patient.telecom', UNCHANGED],
  'mother.medical_record_number': ['Patient.identifier', UNCHANGED],
  'mother.education': [
    'Observation 57712-2',
    'the level of the guide: AA for ASSOC, BA for BD and PB, MA for GD',
  ],
  'children.family_name': ['Patient.name.family', UNCHANGED],
  'children.given_names': ['Patient.name.given', UNCHANGED],
  'children.suffix': ['Patient.name.suffix', UNCHANGED],
  'children.birth_date': ['Patient.birthDate', 'the same; of a masked record the year'],
  'children.birth_time': [
    'Patient.birthDate',
    'the time with its offset, or the practice’s; without one as the clock showed it',
  ],
  'children.sex': ['Patient.gender', 'F, M, or unknown: the guide has no other'],
  'children.birth_order': ['Patient.multipleBirthInteger', UNCHANGED],
  'children.medical_record_number': ['Patient.identifier', UNCHANGED],
  'children.fetal_death': [
    'Patient.deceasedBoolean',
    'a fetal death; that a child was born alive is not said',
  ],
  'children.gestational_age_days': ['Observation 11884-4', 'days, with the weeks'],
  'children.nicu_admission': [
    'Observation 73812-0',
    'an admission; that there was none is not read',
  ],
  plurality: [
    'Patient.multipleBirthInteger',
    'the total; live births and fetal deaths where they are known of each child',
  ],
  first_prenatal_visit: [
    'Observation 69044-6',
    'the date, or that it is unknown; no prenatal care where there were no visits',
  ],
  last_live_birth: [
    'Observation 68499-3',
    'the date, or that it is unknown; no earlier live birth where there was none',
  ],
  last_other_outcome: [
    'Observation 68500-8',
    'the date, or that it is unknown; no other outcome where there was none',
  ],
  place_of_birth: [
    'Encounter.location.physicalType',
    'the place; whether a home birth was planned, as stated, or else by the planned place; “other” for En route',
  ],
  planned_place_of_birth: ['Observation 73765-0', 'whether a birth at home was planned'],
  planned_home_birth: [
    'Observation 73765-0',
    'the same; “unknown” is only in Encounter.location.physicalType',
  ],
  delivery_method: ['Procedure.code', UNCHANGED],
  induction: ['Observation induction', 'that labor was induced, as a Procedure'],
  augmentation: ['Observation augmentation', 'that labor was augmented, as a Procedure'],
  attendant: ['Encounter.participant', 'name, NPI and title of a Practitioner'],
  attendant_name: ['Encounter.participant', 'the name of a Practitioner'],
  attendant_title: ['Practitioner.qualification', 'the title, or “other” with its words'],
  certifier: ['Composition.attester', 'name, NPI and title of a Practitioner'],
  mother_transfer: [
    'Observation mother_transfer',
    'Encounter.hospitalization.admitSource: hosp-trans, or other',
  ],
  'children.transfer_within_day': [
    'Observation transfer_within_day',
    'Encounter.hospitalization.dischargeDisposition: other-hcf, or oth',
  ],
  'transfers.type': ['Encounter.subject', UNCHANGED],
  'transfers.direction': [
    'Encounter.hospitalization',
    'the same, of the mother from another facility, and of a child within a day',
  ],
  'transfers.child_birth_order': [DETAILS, 'the child, as the subject of the Encounter'],
  'transfers.place': [DETAILS, 'that the mother came from home, by admitSource: other'],
  'transfers.facility': ['Location.name', UNCHANGED],
  'transfers.timing': [DETAILS, NO_ELEMENT],
  'transfers.hours_after_birth': [
    DETAILS,
    'that an infant was moved within a day, by dischargeDisposition: other-hcf',
  ],
  'transfers.urgency': [DETAILS, NO_ELEMENT],
  'transfers.reason': [DETAILS, NO_ELEMENT],
  'consent.granted': ['Consent.policyRule', 'OPTIN or OPTOUT'],
  'consent.status': ['Consent.status', UNCHANGED],
  'consent.date_time': ['Consent.dateTime', UNCHANGED],
  edit_flags: ['Patient.birthDate', 'a BypassEditFlag, as beside each other value that has one'],
};

const findObservation = (path: FieldPath): ElementRow | undefined => {
  const row = OBSERVATION_ROWS.find(({ field }) => field.path === path);
  if (row === undefined) return undefined;
  const { code, system } = row;
  if (system !== LOINC) return [`Observation ${code}`, NOTHING];
  const isOfGuide = GUIDE_OF_FIELDS[path]?.profile !== undefined;
  return [`Observation ${code}`, isOfGuide ? UNCHANGED : 'the same, by a code that has no profile'];
};

/** Every exported field; provenance, warnings, and a practice's custom fields are not exported. */
export const EXPORTED_ELEMENTS: readonly ExportedElement[] = FIELDS.flatMap(({ path }) => {
  const row = ELEMENTS[path] ?? findObservation(path);
  return row === undefined ? [] : [{ path, element: row[0], interpretation: row[1] }];
});
