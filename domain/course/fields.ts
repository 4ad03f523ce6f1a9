import type { CodeTable } from '../fhir/coded-values.ts';
import type { Range } from '../fhir/quantities.ts';
import {
  ATTENDANT_TITLES,
  BIRTH_POSITIONS,
  CONSENT_STATUSES,
  DELIVERY_METHODS,
  EDUCATION_LEVELS,
  ETHNICITIES,
  INDUCTION_INDICATIONS,
  LABOR_AGENTS,
  PLACES_OF_BIRTH,
  PRESENTATIONS,
  RACES,
} from './codes.ts';
import { MAX_NAME, MAX_TEXT } from './limits.ts';
import {
  APGAR,
  BIRTH_WEIGHT_GRAMS,
  CHILDREN_AT_ONCE,
  CIGARETTES,
  COUNTED,
  DAYS_BEYOND_WEEKS,
  GESTATION_WEEKS,
  HEIGHT_CM,
  UNKNOWN_COUNT,
  WEIGHT_KG,
} from './possible-ranges.ts';

/** Groups of the documentation and of pages. */
export type FieldGroup =
  | 'document'
  | 'mother'
  | 'children'
  | 'pregnancy'
  | 'labor and birth'
  | 'people and decisions'
  | 'marks';

/**
 * `date` is `YYYY-MM-DD`, `time` a date and time with or without an offset, `instant` the UTC text
 * of stamps, `date_time` any FHIR dateTime, `choice` one of a fixed set of words, `code` a code, or
 * text if no code was sent; a plural is a list.
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
 * Partner mask of a field: `kept` copies the value, `year` and `state` reduce it, `recognized` keeps
 * only codes of the table, `without_raw` keeps warnings without values.
 */
export type MaskRule = 'kept' | 'year' | 'state' | 'recognised' | 'without_raw' | 'dropped';

/** Parts of the birth form in order. `folds` collapses a rarely used part under its title. */
export const FORM_PARTS = {
  record: { section: 'record', title: null, folds: false },
  mother: { section: 'mother', title: null, folds: false },
  address: { section: 'mother', title: 'Address and phone', folds: false },
  background: { section: 'mother', title: 'Background', folds: false },
  'height and weight': { section: 'mother', title: 'Height and weight', folds: false },
  pregnancy: { section: 'pregnancy', title: null, folds: false },
  'earlier pregnancies': { section: 'pregnancy', title: 'Previous pregnancies', folds: false },
  'prenatal care': { section: 'pregnancy', title: 'Prenatal care', folds: false },
  cigarettes: { section: 'pregnancy', title: 'Cigarettes', folds: false },
  birth: { section: 'birth', title: null, folds: false },
  induction: { section: 'birth', title: 'Induction and augmentation', folds: true },
  'more about the birth': { section: 'birth', title: 'More about the birth', folds: true },
  child: { section: 'child', title: null, folds: false },
  'more about the child': { section: 'child', title: 'More about this child', folds: false },
  transfer: { section: 'transfer', title: null, folds: false },
  consent: { section: 'consent', title: null, folds: false },
} as const;

/** Data type of a field. `values` are the words of a choice, `codes` the known codes. */
interface Kind<T> {
  readonly type: FieldType;
  readonly empty: T;
  readonly values?: readonly string[];
  readonly codes?: CodeTable;
  /** Selects the codes that forms offer, if the table has more with duplicate or older names. */
  readonly offered?: RegExp;
  readonly measure?: { readonly unit: 'cm' | 'kg' | 'g'; readonly range: Range };
  readonly range?: Range;
  /** Number that means "unknown". */
  readonly unknown?: number;
  /** Unit of a whole number, if the label does not contain it. */
  readonly counted?: 'year' | 'week' | 'day';
  /** Maximum length of a text. */
  readonly longest?: number;
}

const none = <T>(): readonly T[] => Object.freeze([]);

const text = (longest = MAX_NAME): Kind<string | null> => ({ type: 'text', empty: null, longest });
const count = (range: Range): Kind<number | null> => ({ type: 'integer', empty: null, range });
const countOrUnknown = (range: Range): Kind<number | null> => ({
  ...count(range),
  unknown: UNKNOWN_COUNT,
});
const countOf = (counted: 'year' | 'week' | 'day', range: Range): Kind<number | null> => ({
  ...count(range),
  counted,
});
const measure = (unit: 'cm' | 'kg' | 'g', range: Range): Kind<number | null> => ({
  type: 'number',
  empty: null,
  measure: { unit, range },
});
const choice = <const Word extends string>(values: readonly Word[]): Kind<Word | null> => ({
  type: 'choice',
  empty: null,
  values,
});
const code = (codes: CodeTable, offered = /./): Kind<string | null> => ({
  type: 'code',
  empty: null,
  codes,
  offered,
});
const codes = (table: CodeTable, offered = /./): Kind<readonly string[]> => ({
  type: 'codes',
  empty: none(),
  codes: table,
  offered,
});
const TEXTS: Kind<readonly string[]> = { type: 'texts', empty: none() };
const DATE: Kind<string | null> = { type: 'date', empty: null };
const TIME: Kind<string | null> = { type: 'time', empty: null };
const INSTANT: Kind<string | null> = { type: 'instant', empty: null };
const DATE_TIME: Kind<string | null> = { type: 'date_time', empty: null };
const YES_OR_NO: Kind<boolean | null> = { type: 'boolean', empty: null };
// Never null: every course of care has a consent decision. See spec "Consent".
const GRANTED: Kind<boolean> = { type: 'boolean', empty: false };
const ANNOTATIONS: Kind<readonly never[]> = { type: 'marks', empty: none() };
const CUSTOM_VALUES: Kind<Readonly<Record<string, never>>> = {
  type: 'marks',
  empty: Object.freeze({}),
};

/** Labels of a field, and its position on the form. */
interface Presentation {
  /** Shown next to the value or input, under the heading of the group. */
  readonly label: string;
  /** Used within a sentence, after "the". */
  readonly words: string;
  /** Shown below the label on the form. */
  readonly hint?: string;
  /** Absent if the field is not on the form. */
  readonly form?: keyof typeof FORM_PARTS;
  /** Position in that part. Fields without a position follow, in the order of this table. */
  readonly formPlace?: number;
  /** True if a user can enter it. Defaults to true for fields on the form. */
  readonly entered?: boolean;
  /** Key in stored JSON, permanent and unique within its object. Defaults to the name of the field. */
  readonly short?: string;
}

interface Row<T> extends Kind<T>, Presentation {
  readonly group: FieldGroup;
  readonly mask: MaskRule;
}

const field = <T>(
  group: FieldGroup,
  mask: MaskRule,
  kind: Kind<T>,
  look: Presentation,
): Row<T> => ({
  group,
  mask,
  ...kind,
  ...look,
});

export const DATE_HINT = '5/12/2026, or May 12, 2026';

/**
 * Every field of a course of care by path, in the order of documents, records, and files. Types,
 * empty courses, the event schema, mask, comparison, form, files, and pages are derived from it.
 */
export const FIELD_TABLE = {
  chart_number: field('document', 'kept', text(), {
    label: 'Chart number',
    words: 'chart number',
    hint: 'Leave empty if there is none',
    form: 'record',
    formPlace: 2,
    short: 'cn',
  }),
  stamp: field('document', 'kept', INSTANT, {
    label: 'Last changed by the sender',
    words: 'time of the last change',
    short: 'st',
  }),
  ig_version: field('document', 'kept', text(), {
    label: 'Version of the data format',
    words: 'version of the data format',
    short: 'ig',
  }),

  'mother.family_name': field('mother', 'dropped', text(), {
    label: 'Family name',
    words: "mother's family name",
    form: 'mother',
    short: 'fn',
  }),
  'mother.given_names': field('mother', 'dropped', TEXTS, {
    label: 'Given names',
    words: "mother's given name",
    form: 'mother',
    formPlace: 1,
    short: 'gn',
  }),
  'mother.birth_surname': field('mother', 'dropped', text(), {
    label: 'Name prior to first marriage',
    words: "mother's name prior to first marriage",
    form: 'mother',
    short: 'bs',
  }),
  'mother.birth_date': field('mother', 'dropped', DATE, {
    label: 'Date of birth',
    words: "mother's date of birth",
    hint: '8/30/1994, or Aug 30, 1994',
    form: 'mother',
    short: 'bd',
  }),
  'mother.age_at_delivery': field('mother', 'kept', countOf('year', COUNTED), {
    label: 'Age at delivery',
    words: "mother's age at delivery",
    short: 'age',
  }),
  'mother.race': field('mother', 'recognised', codes(RACES), {
    label: 'Race',
    words: "mother's race",
    form: 'background',
    short: 'r',
  }),
  'mother.ethnicity': field('mother', 'recognised', code(ETHNICITIES), {
    label: 'Ethnicity',
    words: "mother's ethnicity",
    form: 'background',
    formPlace: 4,
    short: 'et',
  }),
  'mother.address.line': field('mother', 'dropped', text(), {
    label: 'Street address',
    words: 'street address',
    form: 'address',
  }),
  'mother.address.city': field('mother', 'dropped', text(), {
    label: 'City',
    words: 'city',
    form: 'address',
  }),
  'mother.address.county': field('mother', 'dropped', text(), {
    label: 'County',
    words: 'county',
    form: 'address',
  }),
  'mother.address.state': field('mother', 'state', text(), {
    label: 'State',
    words: 'state',
    form: 'address',
  }),
  'mother.address.postal_code': field('mother', 'dropped', text(), {
    label: 'ZIP code',
    words: 'ZIP code',
    form: 'address',
  }),
  'mother.address.country': field('mother', 'dropped', text(), {
    label: 'Country',
    words: 'country',
    form: 'address',
  }),
  'mother.phone': field('mother', 'dropped', text(), {
    label: 'Phone',
    words: "mother's phone number",
    form: 'address',
    short: 'ph',
  }),
  'mother.medical_record_number': field('mother', 'dropped', text(), {
    label: 'Medical record number',
    words: "mother's medical record number",
    form: 'mother',
    short: 'mrn',
  }),
  'mother.height_cm': field('mother', 'kept', measure('cm', HEIGHT_CM), {
    label: 'Height',
    words: "mother's height",
    hint: '5 ft 7 in, or 170 cm',
    form: 'height and weight',
    short: 'h',
  }),
  'mother.prepregnancy_weight_kg': field('mother', 'kept', measure('kg', WEIGHT_KG), {
    label: 'Weight before pregnancy',
    words: "mother's weight before pregnancy",
    hint: '143 lb, or 65 kg',
    form: 'height and weight',
    short: 'pw',
  }),
  'mother.delivery_weight_kg': field('mother', 'kept', measure('kg', WEIGHT_KG), {
    label: 'Weight at delivery',
    words: "mother's weight at delivery",
    hint: '170 lb, or 77 kg',
    form: 'height and weight',
    short: 'dw',
  }),
  // Our choice: the form offers only the eight levels of the US Standard Certificate of Live Birth.
  'mother.education': field('mother', 'recognised', code(EDUCATION_LEVELS, /^PHC/), {
    label: 'Education',
    words: "mother's education",
    form: 'background',
    formPlace: 3,
    short: 'ed',
  }),

  'children.family_name': field('children', 'dropped', text(), {
    label: 'Family name',
    words: "child's family name",
    form: 'child',
    formPlace: 2,
    short: 'fn',
  }),
  'children.given_names': field('children', 'dropped', TEXTS, {
    label: 'Given names',
    words: "child's given name",
    form: 'child',
    formPlace: 1,
    short: 'gn',
  }),
  'children.birth_date': field('children', 'year', DATE, {
    label: 'Date of birth',
    words: 'date of birth',
    hint: DATE_HINT,
    form: 'child',
    short: 'bd',
  }),
  'children.birth_time': field('children', 'dropped', TIME, {
    label: 'Time of birth',
    words: 'time of birth',
    hint: '14:05, or 2:05 pm',
    form: 'child',
    short: 'bt',
  }),
  'children.sex': field('children', 'kept', choice(['female', 'male', 'unknown', 'other']), {
    label: 'Sex',
    words: 'sex',
    form: 'child',
    formPlace: 3,
    short: 's',
  }),
  'children.birth_order': field('children', 'kept', count(CHILDREN_AT_ONCE), {
    label: 'Birth order',
    words: 'birth order',
    form: 'more about the child',
    formPlace: 1,
    short: 'bo',
  }),
  'children.medical_record_number': field('children', 'dropped', text(), {
    label: 'Medical record number',
    words: "child's medical record number",
    form: 'more about the child',
    formPlace: 2,
    short: 'mrn',
  }),
  'children.fetal_death': field('children', 'kept', YES_OR_NO, {
    label: 'Fetal death',
    words: 'answer about fetal death',
    form: 'more about the child',
    short: 'fd',
  }),
  'children.living': field('children', 'kept', YES_OR_NO, {
    label: 'Living at the time of the report',
    words: 'answer about whether the child is living',
    form: 'more about the child',
    formPlace: 4,
    short: 'l',
  }),
  'children.birth_weight_grams': field('children', 'kept', measure('g', BIRTH_WEIGHT_GRAMS), {
    label: 'Birth weight',
    words: 'birth weight',
    hint: '3400 g, or 7 lb 8 oz',
    form: 'child',
    short: 'g',
  }),
  'children.gestational_age_weeks': field('children', 'kept', countOf('week', GESTATION_WEEKS), {
    label: 'Gestational age',
    words: 'gestational age',
    hint: '39w4d, or 39 4/7',
    form: 'child',
    short: 'gw',
  }),
  'children.gestational_age_days': field('children', 'kept', countOf('day', DAYS_BEYOND_WEEKS), {
    label: 'Gestational age, days',
    words: 'number of days of the gestational age',
    entered: true,
    short: 'gd',
  }),
  'children.apgar_one_minute': field('children', 'kept', count(APGAR), {
    label: 'Apgar at 1 minute',
    words: 'Apgar score at one minute',
    form: 'child',
    short: 'a1',
  }),
  'children.apgar_five_minute': field('children', 'kept', count(APGAR), {
    label: 'Apgar at 5 minutes',
    words: 'Apgar score at five minutes',
    form: 'child',
    short: 'a5',
  }),
  'children.apgar_ten_minute': field('children', 'kept', count(APGAR), {
    label: 'Apgar at 10 minutes',
    words: 'Apgar score at ten minutes',
    form: 'child',
    short: 'a10',
  }),
  'children.presentation': field('children', 'recognised', code(PRESENTATIONS), {
    label: 'Presentation',
    words: 'presentation',
    form: 'more about the child',
    formPlace: 3,
    short: 'pr',
  }),
  'children.nicu_admission': field('children', 'kept', YES_OR_NO, {
    label: 'Admitted to the NICU',
    words: 'answer about the NICU',
    form: 'more about the child',
    short: 'ni',
  }),
  'children.breastfed_at_discharge': field('children', 'kept', YES_OR_NO, {
    label: 'Breastfed at discharge',
    words: 'answer about breastfeeding',
    form: 'more about the child',
    short: 'bf',
  }),

  plurality: field('pregnancy', 'kept', count(CHILDREN_AT_ONCE), {
    label: 'Plurality, including infants not entered here',
    words: 'plurality',
    hint: '1 for a single birth, 2 for twins',
    form: 'record',
    formPlace: 1,
    short: 'pl',
  }),
  last_menstrual_period: field('pregnancy', 'dropped', DATE, {
    label: 'Last menstrual period',
    words: 'date of the last menstrual period',
    hint: DATE_HINT,
    form: 'pregnancy',
    formPlace: 1,
    short: 'lmp',
  }),
  first_prenatal_visit: field('pregnancy', 'dropped', DATE, {
    label: 'First prenatal visit',
    words: 'date of the first prenatal visit',
    hint: DATE_HINT,
    form: 'pregnancy',
    formPlace: 2,
    short: 'fpv',
  }),
  prenatal_visits: field('pregnancy', 'kept', countOrUnknown(COUNTED), {
    label: 'Prenatal visits',
    words: 'number of prenatal visits',
    form: 'pregnancy',
    formPlace: 3,
    short: 'pv',
  }),
  prenatal_care_site: field('pregnancy', 'dropped', text(MAX_TEXT), {
    label: 'Prenatal care site',
    words: 'prenatal care site',
    form: 'prenatal care',
    short: 'pcs',
  }),
  wic: field('pregnancy', 'kept', YES_OR_NO, {
    label: 'WIC during pregnancy',
    words: 'answer about WIC',
    form: 'prenatal care',
    short: 'wic',
  }),
  cigarettes_before: field('pregnancy', 'kept', countOrUnknown(CIGARETTES), {
    label: 'Cigarettes per day, before pregnancy',
    words: 'number of cigarettes per day before pregnancy',
    form: 'cigarettes',
    short: 'cb',
  }),
  cigarettes_first_trimester: field('pregnancy', 'kept', countOrUnknown(CIGARETTES), {
    label: 'Cigarettes per day, first trimester',
    words: 'number of cigarettes per day in the first trimester',
    form: 'cigarettes',
    short: 'c1',
  }),
  cigarettes_second_trimester: field('pregnancy', 'kept', countOrUnknown(CIGARETTES), {
    label: 'Cigarettes per day, second trimester',
    words: 'number of cigarettes per day in the second trimester',
    form: 'cigarettes',
    short: 'c2',
  }),
  cigarettes_third_trimester: field('pregnancy', 'kept', countOrUnknown(CIGARETTES), {
    label: 'Cigarettes per day, third trimester',
    words: 'number of cigarettes per day in the third trimester',
    form: 'cigarettes',
    short: 'c3',
  }),
  previous_births_living: field('pregnancy', 'kept', countOrUnknown(COUNTED), {
    label: 'Previous live births, now living',
    words: 'number of previous live births now living',
    form: 'earlier pregnancies',
    short: 'pbl',
  }),
  previous_births_dead: field('pregnancy', 'kept', countOrUnknown(COUNTED), {
    label: 'Previous live births, now deceased',
    words: 'number of previous live births now deceased',
    form: 'earlier pregnancies',
    short: 'pbd',
  }),
  previous_cesareans: field('pregnancy', 'kept', countOrUnknown(COUNTED), {
    label: 'Previous cesareans',
    words: 'number of previous cesareans',
    form: 'earlier pregnancies',
    short: 'pc',
  }),
  other_outcomes: field('pregnancy', 'kept', countOrUnknown(COUNTED), {
    label: 'Other pregnancy outcomes',
    words: 'number of other pregnancy outcomes',
    form: 'earlier pregnancies',
    short: 'oo',
  }),

  place_of_birth: field('labor and birth', 'kept', choice(PLACES_OF_BIRTH), {
    label: 'Place of birth',
    words: 'place of birth',
    form: 'birth',
    short: 'p',
  }),
  planned_place_of_birth: field('labor and birth', 'kept', choice(PLACES_OF_BIRTH), {
    label: 'Planned place of birth',
    words: 'planned place of birth',
    form: 'birth',
    short: 'pp',
  }),
  delivery_method: field('labor and birth', 'recognised', code(DELIVERY_METHODS), {
    label: 'Delivery method',
    words: 'delivery method',
    form: 'birth',
    short: 'dm',
  }),
  trial_of_labor: field('labor and birth', 'kept', YES_OR_NO, {
    label: 'Trial of labor before cesarean',
    words: 'answer about a trial of labor',
    form: 'more about the birth',
    short: 'tol',
  }),
  birth_position: field('labor and birth', 'recognised', code(BIRTH_POSITIONS), {
    label: 'Birth position',
    words: 'birth position',
    form: 'birth',
    short: 'bp',
  }),
  induction_indication: field('labor and birth', 'recognised', code(INDUCTION_INDICATIONS), {
    label: 'Reason for induction',
    words: 'reason for induction',
    form: 'induction',
    short: 'ii',
  }),
  induction_agents: field('labor and birth', 'recognised', codes(LABOR_AGENTS, /^[a-z]/), {
    label: 'Induced with',
    words: 'induction method',
    form: 'induction',
    short: 'ia',
  }),
  augmentation_agents: field('labor and birth', 'recognised', codes(LABOR_AGENTS, /^[a-z]/), {
    label: 'Augmented with',
    words: 'augmentation method',
    form: 'induction',
    short: 'aa',
  }),
  stat_cesarean: field('labor and birth', 'kept', YES_OR_NO, {
    label: 'Emergency (stat) cesarean',
    words: 'answer about an emergency cesarean',
    form: 'more about the birth',
    short: 'sc',
  }),
  doula_present: field('labor and birth', 'kept', YES_OR_NO, {
    label: 'Doula present',
    words: 'answer about a doula',
    form: 'more about the birth',
    short: 'dp',
  }),
  delayed_cord_clamping: field('labor and birth', 'kept', YES_OR_NO, {
    label: 'Delayed cord clamping',
    words: 'answer about delayed cord clamping',
    form: 'more about the birth',
    short: 'dcc',
  }),

  attendant: field('people and decisions', 'kept', text(), {
    label: 'Attendant',
    words: 'attendant',
    short: 'at',
  }),
  certifier: field('people and decisions', 'kept', text(), {
    label: 'Certifier',
    words: 'certifier',
    short: 'ce',
  }),
  attendant_name: field('people and decisions', 'dropped', text(), {
    label: 'Attendant at birth',
    words: "attendant's name",
    form: 'birth',
    short: 'atn',
  }),
  attendant_title: field('people and decisions', 'dropped', code(ATTENDANT_TITLES), {
    label: 'Title of the attendant',
    words: "attendant's title",
    form: 'birth',
    short: 'att',
  }),
  'transfers.type': field('people and decisions', 'kept', choice(['mother', 'infant']), {
    label: 'Who was transferred',
    words: 'person transferred',
    form: 'transfer',
  }),
  'transfers.direction': field('people and decisions', 'kept', choice(['in', 'out']), {
    label: 'In or out',
    words: 'direction of the transfer',
    form: 'transfer',
  }),
  'transfers.facility': field('people and decisions', 'dropped', text(), {
    label: 'Other facility',
    words: 'other facility of the transfer',
    form: 'transfer',
  }),
  'consent.granted': field('people and decisions', 'kept', GRANTED, {
    label: 'Consent',
    words: 'answer about consent',
    form: 'consent',
  }),
  'consent.status': field('people and decisions', 'recognised', code(CONSENT_STATUSES), {
    label: 'Status of the consent',
    words: 'status of the consent',
    form: 'consent',
  }),
  'consent.date_time': field('people and decisions', 'kept', DATE_TIME, {
    label: 'Date of the consent',
    words: 'date of the consent',
    hint: DATE_HINT,
    form: 'consent',
  }),

  sources: field('marks', 'dropped', ANNOTATIONS, {
    label: 'Values from an EHR',
    words: 'marks of values from an EHR',
    short: 'so',
  }),
  warnings: field('marks', 'without_raw', ANNOTATIONS, {
    label: 'Values that were left out',
    words: 'warnings',
    short: 'w',
  }),
  custom: field('marks', 'dropped', CUSTOM_VALUES, {
    label: 'Fields of your practice',
    words: "practice's own fields",
    short: 'cu',
  }),
};

/** Dotted path of a field; `children.` and `transfers.` mean every element. */
export type FieldPath = keyof typeof FIELD_TABLE;

/** Object that contains a field; '' for the course of care itself. */
export type Holder = '' | 'mother' | 'mother.address' | 'children' | 'transfers' | 'consent';

export interface Field extends Row<unknown> {
  readonly path: FieldPath;
  /** Last segment of the path. */
  readonly name: string;
  readonly holder: Holder;
}

/** In documented order. */
export const FIELDS: readonly Field[] = (Object.keys(FIELD_TABLE) as FieldPath[]).map((path) => {
  const end = path.lastIndexOf('.');
  return {
    ...FIELD_TABLE[path],
    path,
    name: path.slice(end + 1),
    holder: path.slice(0, Math.max(0, end)) as Holder,
  };
});

const FIELD_AT: ReadonlyMap<string, Field> = new Map(FIELDS.map((one) => [one.path, one]));

export const findFieldAt = (path: FieldPath): Field => FIELD_AT.get(path) as Field;

/** Like `findFieldAt`, for a path that may not be a field. */
export const findField = (path: string): Field | undefined => FIELD_AT.get(path);
