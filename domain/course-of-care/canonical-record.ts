import type { CodeTable } from '../fhir/coded-values.ts';
import { type RawValue, READING_REASONS } from '../fhir/readings.ts';
import {
  BIRTH_POSITIONS,
  CONSENT_STATUSES,
  DELIVERY_METHODS,
  EDUCATION_LEVELS,
  ETHNICITIES,
  INDUCTION_INDICATIONS,
  LABOR_AGENTS,
  PLACES_OF_BIRTH,
  type PlaceOfBirth,
  PRESENTATIONS,
  RACES,
} from './codes.ts';

/** Sex as the record states it. */
export type Sex = 'female' | 'male' | 'unknown' | 'other';

/** The mother's address; `line` joins the street lines with a comma, `county` is FHIR's district. */
export type Address = {
  readonly line: string | null;
  readonly city: string | null;
  readonly county: string | null;
  readonly state: string | null;
  readonly postal_code: string | null;
  readonly country: string | null;
};

/** The mother. Dates are `YYYY-MM-DD`; an empty list says that nothing was stated. */
export type Mother = {
  readonly family_name: string | null;
  readonly given_names: readonly string[];
  readonly birth_surname: string | null;
  readonly birth_date: string | null;
  readonly age_at_delivery: number | null;
  readonly race: readonly string[];
  readonly ethnicity: string | null;
  readonly address: Address;
  readonly phone: string | null;
  readonly medical_record_number: string | null;
  readonly height_cm: number | null;
  readonly prepregnancy_weight_kg: number | null;
  readonly delivery_weight_kg: number | null;
  readonly education: string | null;
};

/**
 * One child. `birth_date` is `YYYY-MM-DD` (`YYYY` once masked); `birth_time` is a date and time,
 * with an offset if the sender knew one, local otherwise.
 */
export type Child = {
  readonly family_name: string | null;
  readonly given_names: readonly string[];
  readonly birth_date: string | null;
  readonly birth_time: string | null;
  readonly sex: Sex | null;
  readonly birth_order: number | null;
  readonly medical_record_number: string | null;
  readonly fetal_death: boolean | null;
  readonly living: boolean | null;
  readonly birth_weight_grams: number | null;
  readonly gestational_age_weeks: number | null;
  readonly gestational_age_days: number | null;
  readonly apgar_one_minute: number | null;
  readonly apgar_five_minute: number | null;
  readonly apgar_ten_minute: number | null;
  readonly presentation: string | null;
  readonly nicu_admission: boolean | null;
  readonly breastfed_at_discharge: boolean | null;
};

/** A transfer of care: who was moved, into or out of the place of birth, and the other facility. */
export type Transfer = {
  readonly type: 'mother' | 'infant' | null;
  readonly direction: 'in' | 'out' | null;
  readonly facility: string | null;
};

/** The consent decision; recorded, never enforced. @see spec "Consent" */
export type ConsentDecision = {
  readonly granted: boolean;
  readonly status: string | null;
  readonly date_time: string | null;
};

/** Why a submitted value was left out; fixed sentences, so that they never carry a submitted value. */
export const WARNING_REASONS = [
  ...READING_REASONS,
  'The subject is none of the several children',
  'The age of the mother at delivery is not possible',
  'The code names no known place of birth',
  'The time is more than 24 hours ahead of its receipt',
] as const;

/** One of the fixed reasons for leaving a value out. */
export type WarningReason = (typeof WARNING_REASONS)[number];

/**
 * A submitted value that was left out: the field, the child's position (zero-based, null where no
 * child is meant), the raw value (native lane only) and the reason.
 */
export type Warning = {
  readonly field: string;
  readonly child: number | null;
  readonly raw: RawValue;
  readonly reason: WarningReason;
};

/** Where in an EHR a value stood, so that it can be looked up there. */
export type ChartPlace = {
  /** `Observation/123`, `Patient/456`. */
  readonly resource: string;
  /** The code that named the value, such as a LOINC code; null for what a Patient says. */
  readonly code: string | null;
  /** FHIR dateTime as it was sent: when it was measured, or began. */
  readonly date: string | null;
};

/** The mark of a value that came from an EHR: field, and the mother or child it describes. */
export type ValueSource = {
  readonly field: string;
  readonly subject: 'mother' | 'child';
  readonly child: number | null;
  readonly source: 'ehr_pull';
  /** Absent in records from before it was kept. */
  readonly from?: ChartPlace;
};

/** Values of practice-defined fields, by the id of the field; app only, never from a Bundle. */
export type CustomValues = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The canonical course of care: one mother, her children and this delivery, under the same names
 * in events, tables, CSV, forms and JSON.
 */
export type CourseOfCare = {
  readonly chart_number: string | null;
  readonly stamp: string | null;
  readonly ig_version: string | null;
  readonly mother: Mother;
  readonly children: readonly Child[];
  readonly plurality: number | null;
  readonly last_menstrual_period: string | null;
  readonly first_prenatal_visit: string | null;
  readonly prenatal_visits: number | null;
  readonly prenatal_care_site: string | null;
  readonly wic: boolean | null;
  readonly cigarettes_before: number | null;
  readonly cigarettes_first_trimester: number | null;
  readonly cigarettes_second_trimester: number | null;
  readonly cigarettes_third_trimester: number | null;
  readonly previous_births_living: number | null;
  readonly previous_births_dead: number | null;
  readonly previous_cesareans: number | null;
  readonly other_outcomes: number | null;
  readonly place_of_birth: PlaceOfBirth | null;
  readonly planned_place_of_birth: PlaceOfBirth | null;
  readonly delivery_method: string | null;
  readonly trial_of_labor: boolean | null;
  readonly birth_position: string | null;
  readonly induction_indication: string | null;
  readonly induction_agents: readonly string[];
  readonly augmentation_agents: readonly string[];
  readonly stat_cesarean: boolean | null;
  readonly doula_present: boolean | null;
  readonly delayed_cord_clamping: boolean | null;
  readonly attendant: string | null;
  readonly certifier: string | null;
  readonly transfers: readonly Transfer[];
  readonly consent: ConsentDecision;
  readonly sources: readonly ValueSource[];
  readonly warnings: readonly Warning[];
  readonly custom: CustomValues;
};

/** A child of whom nothing is known. */
export const emptyChild = (): Child => ({
  family_name: null,
  given_names: [],
  birth_date: null,
  birth_time: null,
  sex: null,
  birth_order: null,
  medical_record_number: null,
  fetal_death: null,
  living: null,
  birth_weight_grams: null,
  gestational_age_weeks: null,
  gestational_age_days: null,
  apgar_one_minute: null,
  apgar_five_minute: null,
  apgar_ten_minute: null,
  presentation: null,
  nicu_admission: null,
  breastfed_at_discharge: null,
});

/** An address of which nothing is known. */
export const emptyAddress = (): Address => ({
  line: null,
  city: null,
  county: null,
  state: null,
  postal_code: null,
  country: null,
});

/** A mother of whom nothing is known. */
export const emptyMother = (): Mother => ({
  family_name: null,
  given_names: [],
  birth_surname: null,
  birth_date: null,
  age_at_delivery: null,
  race: [],
  ethnicity: null,
  address: emptyAddress(),
  phone: null,
  medical_record_number: null,
  height_cm: null,
  prepregnancy_weight_kg: null,
  delivery_weight_kg: null,
  education: null,
});

/** A transfer of which nothing is known. */
export const emptyTransfer = (): Transfer => ({ type: null, direction: null, facility: null });

/** Consent as it stands without any Consent: not granted. @see spec "Consent" */
export const noConsent = (): ConsentDecision => ({ granted: false, status: null, date_time: null });

/** A course of care of which nothing is known, without children and without consent. */
export const emptyCourseOfCare = (): CourseOfCare => ({
  chart_number: null,
  stamp: null,
  ig_version: null,
  mother: emptyMother(),
  children: [],
  plurality: null,
  last_menstrual_period: null,
  first_prenatal_visit: null,
  prenatal_visits: null,
  prenatal_care_site: null,
  wic: null,
  cigarettes_before: null,
  cigarettes_first_trimester: null,
  cigarettes_second_trimester: null,
  cigarettes_third_trimester: null,
  previous_births_living: null,
  previous_births_dead: null,
  previous_cesareans: null,
  other_outcomes: null,
  place_of_birth: null,
  planned_place_of_birth: null,
  delivery_method: null,
  trial_of_labor: null,
  birth_position: null,
  induction_indication: null,
  induction_agents: [],
  augmentation_agents: [],
  stat_cesarean: null,
  doula_present: null,
  delayed_cord_clamping: null,
  attendant: null,
  certifier: null,
  transfers: [],
  consent: noConsent(),
  sources: [],
  warnings: [],
  custom: {},
});

/** The groups in which the fields are documented and shown. */
export type FieldGroup =
  | 'document'
  | 'mother'
  | 'children'
  | 'pregnancy'
  | 'labor and birth'
  | 'people and decisions'
  | 'marks';

/** The dotted path of one field; `children.` and `transfers.` stand for each element. */
export type FieldPath =
  | Exclude<keyof CourseOfCare, 'mother' | 'children' | 'transfers' | 'consent'>
  | `mother.${Exclude<keyof Mother, 'address'>}`
  | `mother.address.${keyof Address}`
  | `children.${keyof Child}`
  | `transfers.${keyof Transfer}`
  | `consent.${keyof ConsentDecision}`;

/**
 * What a field holds: `date` is `YYYY-MM-DD`, `time` a date and time with or without offset,
 * `instant` the UTC text of stamps, `date_time` any FHIR dateTime, `choice` one of fixed words,
 * `code` a code or, where none was sent, a text; a plural is a list of them.
 */
export type FieldType =
  | 'text'
  | 'texts'
  | 'date'
  | 'time'
  | 'instant'
  | 'date_time'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'code'
  | 'codes'
  | 'marks';

/**
 * What the partner mask does: `kept` as it is, `year` and `state`
 * reduce, `recognised` keeps codes of the table only, `without_raw` keeps warnings without values.
 */
export type MaskRule = 'kept' | 'year' | 'state' | 'recognised' | 'without_raw' | 'dropped';

/** One field of the canonical course of care. `values` are the words of a choice, `codes` the known codes. */
export type Field = {
  readonly path: FieldPath;
  /** The path without the object that holds the field. */
  readonly name: string;
  /** The object that holds the field: '' for the course of care itself. */
  readonly holder: '' | 'mother' | 'mother.address' | 'children' | 'transfers' | 'consent';
  readonly group: FieldGroup;
  readonly type: FieldType;
  readonly mask: MaskRule;
  readonly values?: readonly string[];
  readonly codes?: CodeTable;
};

type Row = Omit<Field, 'path' | 'name' | 'holder'>;

const kept = (group: FieldGroup, type: FieldType): Row => ({ group, type, mask: 'kept' });
const dropped = (group: FieldGroup, type: FieldType): Row => ({ group, type, mask: 'dropped' });
const coded = (group: FieldGroup, type: 'code' | 'codes', codes: CodeTable): Row => ({
  group,
  type,
  mask: 'recognised',
  codes,
});
const choice = (group: FieldGroup, values: readonly string[]): Row => ({
  group,
  type: 'choice',
  mask: 'kept',
  values,
});

// Typed by FieldPath: a field without a row, or a row without a field, does not compile.
const ROWS: Readonly<Record<FieldPath, Row>> = {
  chart_number: kept('document', 'text'),
  stamp: kept('document', 'instant'),
  ig_version: kept('document', 'text'),

  'mother.family_name': dropped('mother', 'text'),
  'mother.given_names': dropped('mother', 'texts'),
  'mother.birth_surname': dropped('mother', 'text'),
  'mother.birth_date': dropped('mother', 'date'),
  'mother.age_at_delivery': kept('mother', 'integer'),
  'mother.race': coded('mother', 'codes', RACES),
  'mother.ethnicity': coded('mother', 'code', ETHNICITIES),
  'mother.address.line': dropped('mother', 'text'),
  'mother.address.city': dropped('mother', 'text'),
  'mother.address.county': dropped('mother', 'text'),
  'mother.address.state': { group: 'mother', type: 'text', mask: 'state' },
  'mother.address.postal_code': dropped('mother', 'text'),
  'mother.address.country': dropped('mother', 'text'),
  'mother.phone': dropped('mother', 'text'),
  'mother.medical_record_number': dropped('mother', 'text'),
  'mother.height_cm': kept('mother', 'number'),
  'mother.prepregnancy_weight_kg': kept('mother', 'number'),
  'mother.delivery_weight_kg': kept('mother', 'number'),
  'mother.education': coded('mother', 'code', EDUCATION_LEVELS),

  'children.family_name': dropped('children', 'text'),
  'children.given_names': dropped('children', 'texts'),
  'children.birth_date': { group: 'children', type: 'date', mask: 'year' },
  'children.birth_time': dropped('children', 'time'),
  'children.sex': choice('children', ['female', 'male', 'unknown', 'other']),
  'children.birth_order': kept('children', 'integer'),
  'children.medical_record_number': dropped('children', 'text'),
  'children.fetal_death': kept('children', 'boolean'),
  'children.living': kept('children', 'boolean'),
  'children.birth_weight_grams': kept('children', 'number'),
  'children.gestational_age_weeks': kept('children', 'integer'),
  'children.gestational_age_days': kept('children', 'integer'),
  'children.apgar_one_minute': kept('children', 'integer'),
  'children.apgar_five_minute': kept('children', 'integer'),
  'children.apgar_ten_minute': kept('children', 'integer'),
  'children.presentation': coded('children', 'code', PRESENTATIONS),
  'children.nicu_admission': kept('children', 'boolean'),
  'children.breastfed_at_discharge': kept('children', 'boolean'),

  plurality: kept('pregnancy', 'integer'),
  last_menstrual_period: dropped('pregnancy', 'date'),
  first_prenatal_visit: dropped('pregnancy', 'date'),
  prenatal_visits: kept('pregnancy', 'integer'),
  prenatal_care_site: dropped('pregnancy', 'text'),
  wic: kept('pregnancy', 'boolean'),
  cigarettes_before: kept('pregnancy', 'integer'),
  cigarettes_first_trimester: kept('pregnancy', 'integer'),
  cigarettes_second_trimester: kept('pregnancy', 'integer'),
  cigarettes_third_trimester: kept('pregnancy', 'integer'),
  previous_births_living: kept('pregnancy', 'integer'),
  previous_births_dead: kept('pregnancy', 'integer'),
  previous_cesareans: kept('pregnancy', 'integer'),
  other_outcomes: kept('pregnancy', 'integer'),

  place_of_birth: choice('labor and birth', PLACES_OF_BIRTH),
  planned_place_of_birth: choice('labor and birth', PLACES_OF_BIRTH),
  delivery_method: coded('labor and birth', 'code', DELIVERY_METHODS),
  trial_of_labor: kept('labor and birth', 'boolean'),
  birth_position: coded('labor and birth', 'code', BIRTH_POSITIONS),
  induction_indication: coded('labor and birth', 'code', INDUCTION_INDICATIONS),
  induction_agents: coded('labor and birth', 'codes', LABOR_AGENTS),
  augmentation_agents: coded('labor and birth', 'codes', LABOR_AGENTS),
  stat_cesarean: kept('labor and birth', 'boolean'),
  doula_present: kept('labor and birth', 'boolean'),
  delayed_cord_clamping: kept('labor and birth', 'boolean'),

  attendant: kept('people and decisions', 'text'),
  certifier: kept('people and decisions', 'text'),
  'transfers.type': choice('people and decisions', ['mother', 'infant']),
  'transfers.direction': choice('people and decisions', ['in', 'out']),
  'transfers.facility': dropped('people and decisions', 'text'),
  'consent.granted': kept('people and decisions', 'boolean'),
  'consent.status': coded('people and decisions', 'code', CONSENT_STATUSES),
  'consent.date_time': kept('people and decisions', 'date_time'),

  sources: dropped('marks', 'marks'),
  warnings: { group: 'marks', type: 'marks', mask: 'without_raw' },
  custom: dropped('marks', 'marks'),
};

const holderOf = (path: string): Field['holder'] => {
  if (path.startsWith('mother.address.')) return 'mother.address';
  if (path.startsWith('mother.')) return 'mother';
  if (path.startsWith('children.')) return 'children';
  if (path.startsWith('transfers.')) return 'transfers';
  if (path.startsWith('consent.')) return 'consent';
  return '';
};

/** Every field in its documented order: the one source for the mask, JSON Schema, CSV and forms. */
export const FIELDS: readonly Field[] = (Object.keys(ROWS) as FieldPath[]).map((path) => ({
  path,
  name: path.slice(path.lastIndexOf('.') + 1),
  holder: holderOf(path),
  ...ROWS[path],
}));
