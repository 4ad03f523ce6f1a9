import type { Field, FieldPath } from '../../../domain/course-of-care/canonical-record.ts';
import { ENTERED_FIELDS } from '../../../domain/course-of-care/entering/entered-fields.ts';

/** Fields that stand together; those with a title are rarely needed and fold away. */
export interface FormPart {
  readonly title: string | null;
  readonly fields: readonly Field[];
}

// Said with the weeks, in one field: 39w4d.
const SAID_ELSEWHERE: ReadonlySet<FieldPath> = new Set<FieldPath>([
  'children.gestational_age_days',
]);

/** The fields of the form. */
export const FORM_FIELDS: readonly Field[] = ENTERED_FIELDS.filter(
  ({ path }) => !SAID_ELSEWHERE.has(path),
);

const part = (title: string | null, ...paths: readonly FieldPath[]): FormPart => ({
  title,
  fields: paths.map((path) => {
    const field = FORM_FIELDS.find((one) => one.path === path);
    if (field === undefined) throw new TypeError(`No field of the form is called ${path}.`);
    return field;
  }),
});

/** The form in the order in which a birth is told. */
export const LAYOUT = {
  mother: [
    part(null, 'chart_number', 'mother.given_names', 'mother.family_name', 'mother.birth_date'),
    part(
      'Address and phone',
      'mother.address.line',
      'mother.address.city',
      'mother.address.county',
      'mother.address.state',
      'mother.address.postal_code',
      'mother.address.country',
      'mother.phone',
    ),
    part(
      'Background',
      'mother.birth_surname',
      'mother.medical_record_number',
      'mother.education',
      'mother.ethnicity',
      'mother.race',
    ),
    part(
      'Height and weight',
      'mother.height_cm',
      'mother.prepregnancy_weight_kg',
      'mother.delivery_weight_kg',
    ),
  ],
  pregnancy: [
    part(null, 'last_menstrual_period', 'first_prenatal_visit', 'prenatal_visits', 'plurality'),
    part(
      'Earlier pregnancies',
      'previous_births_living',
      'previous_births_dead',
      'previous_cesareans',
      'other_outcomes',
    ),
    part('Prenatal care', 'prenatal_care_site', 'wic'),
    part(
      'Cigarettes',
      'cigarettes_before',
      'cigarettes_first_trimester',
      'cigarettes_second_trimester',
      'cigarettes_third_trimester',
    ),
  ],
  birth: [
    part(null, 'place_of_birth', 'planned_place_of_birth', 'delivery_method', 'birth_position'),
    part(
      'Induction and augmentation',
      'induction_indication',
      'induction_agents',
      'augmentation_agents',
    ),
    part(
      'More about the birth',
      'trial_of_labor',
      'stat_cesarean',
      'doula_present',
      'delayed_cord_clamping',
    ),
  ],
  child: [
    part(
      null,
      'children.given_names',
      'children.family_name',
      'children.sex',
      'children.birth_date',
      'children.birth_time',
      'children.birth_weight_grams',
      'children.gestational_age_weeks',
      'children.apgar_one_minute',
      'children.apgar_five_minute',
      'children.apgar_ten_minute',
    ),
    part(
      'More about this child',
      'children.birth_order',
      'children.medical_record_number',
      'children.presentation',
      'children.living',
      'children.fetal_death',
      'children.nicu_admission',
      'children.breastfed_at_discharge',
    ),
  ],
  transfer: [part(null, 'transfers.type', 'transfers.direction', 'transfers.facility')],
  consent: [part(null, 'consent.granted', 'consent.status', 'consent.date_time')],
} as const satisfies Readonly<Record<string, readonly FormPart[]>>;

/** The key of a field's value: the path, with the position for a child or transfer. */
export const keyOf = (field: Field, index: number | null): string =>
  index === null ? field.path : `${field.holder}.${index}.${field.name}`;
