import type { FieldGroup, FieldPath } from '../../../domain/course-of-care/canonical-record.ts';

/** What a field is called beside its value or its input, under the heading of its group. */
export const FIELD_LABELS: Readonly<Record<FieldPath, string>> = {
  chart_number: 'Chart number',
  stamp: 'Last changed by the sender',
  ig_version: 'Version of the data format',

  'mother.family_name': 'Family name',
  'mother.given_names': 'Given names',
  'mother.birth_surname': 'Surname at birth',
  'mother.birth_date': 'Date of birth',
  'mother.age_at_delivery': 'Age at delivery',
  'mother.race': 'Race',
  'mother.ethnicity': 'Ethnicity',
  'mother.address.line': 'Street address',
  'mother.address.city': 'City',
  'mother.address.county': 'County',
  'mother.address.state': 'State',
  'mother.address.postal_code': 'ZIP code',
  'mother.address.country': 'Country',
  'mother.phone': 'Phone',
  'mother.medical_record_number': 'Medical record number',
  'mother.height_cm': 'Height',
  'mother.prepregnancy_weight_kg': 'Weight before pregnancy',
  'mother.delivery_weight_kg': 'Weight at delivery',
  'mother.education': 'Education',

  'children.family_name': 'Family name',
  'children.given_names': 'Given names',
  'children.birth_date': 'Date of birth',
  'children.birth_time': 'Time of birth',
  'children.sex': 'Sex',
  'children.birth_order': 'Birth order',
  'children.medical_record_number': 'Medical record number',
  'children.fetal_death': 'Fetal death',
  'children.living': 'Living at the time of the report',
  'children.birth_weight_grams': 'Birth weight',
  'children.gestational_age_weeks': 'Gestational age',
  'children.gestational_age_days': 'Gestational age, days',
  'children.apgar_one_minute': 'Apgar at 1 minute',
  'children.apgar_five_minute': 'Apgar at 5 minutes',
  'children.apgar_ten_minute': 'Apgar at 10 minutes',
  'children.presentation': 'Presentation',
  'children.nicu_admission': 'Admitted to the NICU',
  'children.breastfed_at_discharge': 'Breastfed at discharge',

  plurality: 'Children of this pregnancy',
  last_menstrual_period: 'Last menstrual period',
  first_prenatal_visit: 'First prenatal visit',
  prenatal_visits: 'Prenatal visits',
  prenatal_care_site: 'Prenatal care site',
  wic: 'WIC during pregnancy',
  cigarettes_before: 'Cigarettes a day, before pregnancy',
  cigarettes_first_trimester: 'Cigarettes a day, first trimester',
  cigarettes_second_trimester: 'Cigarettes a day, second trimester',
  cigarettes_third_trimester: 'Cigarettes a day, third trimester',
  previous_births_living: 'Earlier children now living',
  previous_births_dead: 'Earlier children now dead',
  previous_cesareans: 'Earlier cesareans',
  other_outcomes: 'Other pregnancy outcomes',

  place_of_birth: 'Place of birth',
  planned_place_of_birth: 'Planned place of birth',
  delivery_method: 'Delivery method',
  trial_of_labor: 'Trial of labor before cesarean',
  birth_position: 'Birth position',
  induction_indication: 'Reason for induction',
  induction_agents: 'Induced with',
  augmentation_agents: 'Augmented with',
  stat_cesarean: 'Emergency (stat) cesarean',
  doula_present: 'Doula present',
  delayed_cord_clamping: 'Delayed cord clamping',

  attendant: 'Attendant',
  certifier: 'Certifier',
  'transfers.type': 'Who was transferred',
  'transfers.direction': 'In or out',
  'transfers.facility': 'Other facility',
  'consent.granted': 'Consent',
  'consent.status': 'Status of the consent',
  'consent.date_time': 'Date of the consent',

  sources: 'Values from an EHR',
  warnings: 'Values that were left out',
  custom: 'Fields of your practice',
};

/** Headings of the groups of fields, and of the practice's own. */
export const GROUP_LABELS: Readonly<Record<FieldGroup | 'custom', string>> = {
  document: 'Record',
  mother: 'Mother',
  children: 'Child',
  pregnancy: 'Pregnancy',
  'labor and birth': 'Labor and birth',
  'people and decisions': 'People and decisions',
  marks: 'Values that were left out',
  custom: 'Fields of your practice',
};

/** One of the children by its position: "Child", or "Child 2" where there are several. */
export const childLabel = (index: number, children: number): string =>
  children > 1 ? `Child ${index + 1}` : 'Child';

/** Where a value stands in a course of care: a field, and which child or transfer is meant. */
export interface ValuePlace {
  readonly field: FieldPath;
  /** Zero-based position of the child or transfer; null for other fields. */
  readonly index: number | null;
}

const LISTED = /^(children|transfers)\.(\d{1,3})\.(\w+)$/;

/** The place that a path with positions names, such as `children.0.sex`; null if it is none. */
export const placeAtPath = (path: string): ValuePlace | null => {
  const [, list, index, name] = LISTED.exec(path) ?? [];
  const field = list === undefined ? path : `${list}.${name}`;
  if (!Object.hasOwn(FIELD_LABELS, field)) return null;
  return { field: field as FieldPath, index: index === undefined ? null : Number(index) };
};

/**
 * What a value is called where no heading of its group stands above it: "Mother: family name",
 * "Child 2: birth weight".
 * @param children how many children the course has
 */
export const fullLabel = ({ field, index }: ValuePlace, children: number): string => {
  const label = FIELD_LABELS[field];
  if (field.startsWith('mother.')) return `Mother: ${loweredLabel(label)}`;
  if (field.startsWith('children.'))
    return `${childLabel(index ?? 0, children)}: ${loweredLabel(label)}`;
  return field.startsWith('transfers.')
    ? `Transfer ${(index ?? 0) + 1}: ${loweredLabel(label)}`
    : label;
};

/** A label inside a sentence; "ZIP code" and "Apgar at 1 minute" stay as they are. */
export const loweredLabel = (label: string): string =>
  /^(?:[A-Z]{2}|Apgar)/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
