import type { CodeTable } from '../fhir/coded-values.ts';
import type { Range } from '../fhir/quantities.ts';
import {
  ATTENDANT_TITLES,
  BIRTH_POSITIONS,
  CONSENT_STATUSES,
  DELIVERY_METHODS,
  EDUCATION_LEVELS,
  ETHNICITIES,
  HISPANIC_ORIGINS,
  HOME_PLANS,
  INDUCTION_INDICATIONS,
  LABOR_AGENTS,
  PLACES_OF_BIRTH,
  PRESENTATIONS,
  RACE_ABSENT_REASONS,
  RACES,
  TRANSFER_PLACES,
  TRANSFER_TIMINGS,
  TRANSFER_URGENCIES,
} from './codes.ts';
import { MAX_NAME, MAX_TEXT, MAX_WRITE_INS } from './limits.ts';
import {
  APGAR,
  BIRTH_WEIGHT_GRAMS,
  CHILDREN_AT_ONCE,
  CIGARETTES,
  CIGARETTES_IN_PACK,
  COUNTED,
  DAYS_BEYOND_WEEKS,
  GESTATION_WEEKS,
  HEIGHT_CM,
  HOURS_AFTER_BIRTH,
  UNKNOWN_COUNT,
  WEIGHT_KG,
} from './possible-ranges.ts';

export type FieldGroup =
  | 'document'
  | 'mother'
  | 'children'
  | 'pregnancy'
  | 'labor and birth'
  | 'people and decisions'
  | 'marks';

/**
 * `date` is `YYYY-MM-DD`, `partial_date` also `YYYY-MM` or `YYYY`, `time` a date and time with or
 * without an offset, `instant` the UTC text of stamps, `date_time` any FHIR dateTime, `choice` one of
 * a fixed set of words, `code` a code, or text if no code was sent. A plural name is a list.
 */
export type FieldType =
  | 'text'
  | 'texts'
  | 'date'
  | 'partial_date'
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
 * Partner mask of a field: `kept` copies the value, `year` and `state` reduce it, `recognized`
 * keeps only codes in the table, `without_raw` keeps warnings without values.
 */
export type MaskRule = 'kept' | 'year' | 'state' | 'recognized' | 'without_raw' | 'dropped';

/** Parts of the birth form in order. `folds` collapses a rarely used part under its title. */
export const FORM_PARTS = {
  record: { section: 'record', title: null, folds: false },
  mother: { section: 'mother', title: null, folds: false },
  address: { section: 'mother', title: 'Address and phone', folds: false },
  background: { section: 'mother', title: 'Background', folds: false },
  'other races': { section: 'mother', title: 'Tribes and other races', folds: true },
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
  'mother transfer': { section: 'mother transfer', title: null, folds: false },
  transfer: { section: 'transfer', title: null, folds: false },
  consent: { section: 'consent', title: null, folds: false },
} as const;

interface Kind<T> {
  readonly type: FieldType;
  readonly empty: T;
  readonly values?: readonly string[];
  readonly codes?: CodeTable;
  /** Selects the codes that forms offer, if the table also contains duplicate or older ones. */
  readonly offeredCodes?: RegExp;
  readonly measure?: { readonly unit: 'cm' | 'kg' | 'g'; readonly range: Range };
  readonly range?: Range;
  /** Number that means "unknown". */
  readonly unknownValue?: number;
  /** Unit of a whole number, if the label does not contain it. */
  readonly countUnit?: 'year' | 'week' | 'day';
  /** Number in a pack, if a number of packs may be entered. */
  readonly packSize?: number;
  readonly maxLength?: number;
  /** Maximum number of texts, each of which may contain spaces and commas; absent for a list of words. */
  readonly maxTexts?: number;
}

const none = <T>(): readonly T[] => Object.freeze([]);

const text = (maxLength = MAX_NAME): Kind<string | null> => ({
  type: 'text',
  empty: null,
  maxLength,
});
const count = (range: Range): Kind<number | null> => ({ type: 'integer', empty: null, range });
const countOrUnknown = (range: Range): Kind<number | null> => ({
  ...count(range),
  unknownValue: UNKNOWN_COUNT,
});
const cigarettes = (): Kind<number | null> => ({
  ...countOrUnknown(CIGARETTES),
  packSize: CIGARETTES_IN_PACK,
});
const countOf = (countUnit: 'year' | 'week' | 'day', range: Range): Kind<number | null> => ({
  ...count(range),
  countUnit,
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
  offeredCodes: offered,
});
const codes = (table: CodeTable, offered = /./): Kind<readonly string[]> => ({
  type: 'codes',
  empty: none(),
  codes: table,
  offeredCodes: offered,
});
const TEXTS: Kind<readonly string[]> = { type: 'texts', empty: none() };
/** The lines of the certificate beside an answer. */
const WRITE_INS: Kind<readonly string[]> = { ...TEXTS, maxTexts: MAX_WRITE_INS };
const DATE: Kind<string | null> = { type: 'date', empty: null };
const PARTIAL_DATE: Kind<string | null> = { type: 'partial_date', empty: null };
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

interface Presentation {
  readonly label: string;
  /** Used within a sentence, after "the". */
  readonly inSentence: string;
  readonly hint?: string;
  /** Before each answer on the form. */
  readonly answerPrefix?: string;
  /** Absent if the field is not on the form. */
  readonly form?: keyof typeof FORM_PARTS;
  /** Position in that part. Fields without a position follow, in the order of this table. */
  readonly formOrder?: number;
  /** True if a user can enter it. Defaults to true for fields on the form. */
  readonly isEditable?: boolean;
  /** Key in stored JSON, permanent and unique within its object. Defaults to the name of the field. */
  readonly storageKey?: string;
}

interface Row<T> extends Kind<T>, Presentation {
  readonly group: FieldGroup;
  readonly mask: MaskRule;
}

const field = <T>(
  group: FieldGroup,
  mask: MaskRule,
  kind: Kind<T>,
  presentation: Presentation,
): Row<T> => ({
  group,
  mask,
  ...kind,
  ...presentation,
});

export const DATE_HINT = '5/12/2026, or May 12, 2026';
const PARTIAL_DATE_HINT = '5/12/2026, or just 5/2026';
const WRITE_INS_HINT = 'Up to two, with a semicolon between them';

/**
 * In the order of documents, records, and files. Types, event schema, mask, form, files, and pages
 * derive from it.
 */
export const FIELD_TABLE = {
  chart_number: field('document', 'kept', text(), {
    label: 'Chart number',
    inSentence: 'chart number',
    hint: 'Leave empty if there is none',
    form: 'record',
    formOrder: 2,
    storageKey: 'cn',
  }),
  stamp: field('document', 'kept', INSTANT, {
    label: 'Last changed by the sender',
    inSentence: 'time of the last change',
    storageKey: 'st',
  }),
  ig_version: field('document', 'kept', text(), {
    label: 'Version of the data format',
    inSentence: 'version of the data format',
    storageKey: 'ig',
  }),

  'mother.family_name': field('mother', 'dropped', text(), {
    label: 'Family name',
    inSentence: "mother's family name",
    form: 'mother',
    storageKey: 'fn',
  }),
  'mother.given_names': field('mother', 'dropped', TEXTS, {
    label: 'Given names',
    inSentence: "mother's given name",
    form: 'mother',
    formOrder: 1,
    storageKey: 'gn',
  }),
  'mother.suffix': field('mother', 'dropped', text(), {
    label: 'Suffix',
    inSentence: "suffix of the mother's name",
    hint: 'Jr, or III',
    form: 'mother',
    storageKey: 'su',
  }),
  'mother.birth_surname': field('mother', 'dropped', text(), {
    label: 'Name prior to first marriage',
    inSentence: "mother's name prior to first marriage",
    form: 'mother',
    storageKey: 'bs',
  }),
  'mother.birth_date': field('mother', 'dropped', PARTIAL_DATE, {
    label: 'Date of birth',
    inSentence: "mother's date of birth",
    hint: '8/30/1994, or just 1994',
    form: 'mother',
    storageKey: 'bd',
  }),
  'mother.age_at_delivery': field('mother', 'kept', countOf('year', COUNTED), {
    label: 'Age at delivery',
    inSentence: "mother's age at delivery",
    storageKey: 'age',
  }),
  'mother.race': field('mother', 'recognized', codes(RACES), {
    label: 'Race',
    inSentence: "mother's race",
    form: 'background',
    storageKey: 'r',
  }),
  'mother.tribes': field('mother', 'dropped', WRITE_INS, {
    label: 'Name of the enrolled or principal tribe',
    inSentence: "mother's tribe",
    hint: WRITE_INS_HINT,
    form: 'other races',
    storageKey: 'tb',
  }),
  'mother.other_asian_races': field('mother', 'dropped', WRITE_INS, {
    label: 'Other Asian, specify',
    inSentence: "mother's other Asian race",
    hint: WRITE_INS_HINT,
    form: 'other races',
    storageKey: 'oar',
  }),
  'mother.other_pacific_races': field('mother', 'dropped', WRITE_INS, {
    label: 'Other Pacific Islander, specify',
    inSentence: "mother's other Pacific Islander race",
    hint: WRITE_INS_HINT,
    form: 'other races',
    storageKey: 'opr',
  }),
  'mother.other_races': field('mother', 'dropped', WRITE_INS, {
    label: 'Other race, specify',
    inSentence: "mother's other race",
    hint: WRITE_INS_HINT,
    form: 'other races',
    storageKey: 'or',
  }),
  'mother.race_absent_reason': field('mother', 'kept', choice(RACE_ABSENT_REASONS), {
    label: 'Why race is not given',
    inSentence: 'reason that no race is given',
    form: 'background',
    storageKey: 'rar',
  }),
  'mother.ethnicity': field('mother', 'recognized', code(ETHNICITIES), {
    label: 'Ethnicity',
    inSentence: "mother's ethnicity",
    form: 'background',
    formOrder: 4,
    storageKey: 'et',
  }),
  'mother.hispanic_origins': field('mother', 'recognized', codes(HISPANIC_ORIGINS), {
    label: 'Hispanic origin',
    inSentence: "mother's Hispanic origin",
    answerPrefix: 'Yes, ',
    form: 'background',
    formOrder: 5,
    storageKey: 'ho',
  }),
  'mother.other_hispanic_origin': field('mother', 'dropped', text(MAX_TEXT), {
    label: 'Other Hispanic origin, specify',
    inSentence: "mother's other Hispanic origin",
    hint: 'Salvadoran, or Dominican',
    form: 'background',
    formOrder: 6,
    storageKey: 'oho',
  }),
  'mother.ethnicity_absent_reason': field('mother', 'kept', choice(RACE_ABSENT_REASONS), {
    label: 'Why Hispanic origin is not given',
    inSentence: 'reason that no Hispanic origin is given',
    form: 'background',
    formOrder: 7,
    storageKey: 'ear',
  }),
  'mother.address.line': field('mother', 'dropped', text(), {
    label: 'Street address',
    inSentence: 'street address',
    form: 'address',
  }),
  'mother.address.city': field('mother', 'dropped', text(), {
    label: 'City',
    inSentence: 'city',
    form: 'address',
  }),
  'mother.address.county': field('mother', 'dropped', text(), {
    label: 'County',
    inSentence: 'county',
    form: 'address',
  }),
  'mother.address.state': field('mother', 'state', text(), {
    label: 'State',
    inSentence: 'state',
    form: 'address',
  }),
  'mother.address.postal_code': field('mother', 'dropped', text(), {
    label: 'ZIP code',
    inSentence: 'ZIP code',
    form: 'address',
  }),
  'mother.address.country': field('mother', 'dropped', text(), {
    label: 'Country',
    inSentence: 'country',
    form: 'address',
  }),
  'mother.phone': field('mother', 'dropped', text(), {
    label: 'Phone',
    inSentence: "mother's phone number",
    form: 'address',
    storageKey: 'ph',
  }),
  'mother.medical_record_number': field('mother', 'dropped', text(), {
    label: 'Medical record number',
    inSentence: "mother's medical record number",
    form: 'mother',
    storageKey: 'mrn',
  }),
  'mother.height_cm': field('mother', 'kept', measure('cm', HEIGHT_CM), {
    label: 'Height',
    inSentence: "mother's height",
    hint: '5 ft 7 in, or 170 cm',
    form: 'height and weight',
    storageKey: 'h',
  }),
  'mother.prepregnancy_weight_kg': field('mother', 'kept', measure('kg', WEIGHT_KG), {
    label: 'Weight before pregnancy',
    inSentence: "mother's weight before pregnancy",
    hint: '143 lb, or 65 kg',
    form: 'height and weight',
    storageKey: 'pw',
  }),
  'mother.delivery_weight_kg': field('mother', 'kept', measure('kg', WEIGHT_KG), {
    label: 'Weight at delivery',
    inSentence: "mother's weight at delivery",
    hint: '170 lb, or 77 kg',
    form: 'height and weight',
    storageKey: 'dw',
  }),
  // Our choice: the form offers only the eight levels of the US Standard Certificate of Live Birth.
  'mother.education': field('mother', 'recognized', code(EDUCATION_LEVELS, /^PHC/), {
    label: 'Education',
    inSentence: "mother's education",
    form: 'background',
    formOrder: 3,
    storageKey: 'ed',
  }),

  'children.family_name': field('children', 'dropped', text(), {
    label: 'Family name',
    inSentence: "child's family name",
    form: 'child',
    formOrder: 2,
    storageKey: 'fn',
  }),
  'children.given_names': field('children', 'dropped', TEXTS, {
    label: 'Given names',
    inSentence: "child's given name",
    form: 'child',
    formOrder: 1,
    storageKey: 'gn',
  }),
  'children.suffix': field('children', 'dropped', text(), {
    label: 'Suffix',
    inSentence: "suffix of the child's name",
    hint: 'Jr, or III',
    form: 'child',
    formOrder: 3,
    storageKey: 'su',
  }),
  'children.birth_date': field('children', 'year', DATE, {
    label: 'Date of birth',
    inSentence: 'date of birth',
    hint: DATE_HINT,
    form: 'child',
    storageKey: 'bd',
  }),
  'children.birth_time': field('children', 'dropped', TIME, {
    label: 'Time of birth',
    inSentence: 'time of birth',
    hint: '14:05, or 2:05 pm',
    form: 'child',
    storageKey: 'bt',
  }),
  'children.sex': field('children', 'kept', choice(['female', 'male', 'unknown', 'other']), {
    label: 'Sex',
    inSentence: 'sex',
    form: 'child',
    formOrder: 4,
    storageKey: 's',
  }),
  'children.birth_order': field('children', 'kept', count(CHILDREN_AT_ONCE), {
    label: 'Birth order',
    inSentence: 'birth order',
    form: 'more about the child',
    formOrder: 1,
    storageKey: 'bo',
  }),
  'children.medical_record_number': field('children', 'dropped', text(), {
    label: 'Medical record number',
    inSentence: "child's medical record number",
    form: 'more about the child',
    formOrder: 2,
    storageKey: 'mrn',
  }),
  'children.fetal_death': field('children', 'kept', YES_OR_NO, {
    label: 'Fetal death',
    inSentence: 'answer about fetal death',
    form: 'more about the child',
    storageKey: 'fd',
  }),
  'children.living': field('children', 'kept', YES_OR_NO, {
    label: 'Living at the time of the report',
    inSentence: 'answer about whether the child is living',
    form: 'more about the child',
    formOrder: 4,
    storageKey: 'l',
  }),
  'children.birth_weight_grams': field('children', 'kept', measure('g', BIRTH_WEIGHT_GRAMS), {
    label: 'Birth weight',
    inSentence: 'birth weight',
    hint: '3400 g, or 7 lb 8 oz',
    form: 'child',
    storageKey: 'g',
  }),
  'children.gestational_age_weeks': field('children', 'kept', countOf('week', GESTATION_WEEKS), {
    label: 'Gestational age',
    inSentence: 'gestational age',
    hint: '39w4d, or 39 4/7',
    form: 'child',
    storageKey: 'gw',
  }),
  'children.gestational_age_days': field('children', 'kept', countOf('day', DAYS_BEYOND_WEEKS), {
    label: 'Gestational age, days',
    inSentence: 'number of days of the gestational age',
    isEditable: true,
    storageKey: 'gd',
  }),
  'children.apgar_one_minute': field('children', 'kept', count(APGAR), {
    label: 'Apgar at 1 minute',
    inSentence: 'Apgar score at one minute',
    form: 'child',
    storageKey: 'a1',
  }),
  'children.apgar_five_minute': field('children', 'kept', count(APGAR), {
    label: 'Apgar at 5 minutes',
    inSentence: 'Apgar score at five minutes',
    form: 'child',
    storageKey: 'a5',
  }),
  'children.apgar_ten_minute': field('children', 'kept', count(APGAR), {
    label: 'Apgar at 10 minutes',
    inSentence: 'Apgar score at ten minutes',
    form: 'child',
    storageKey: 'a10',
  }),
  'children.presentation': field('children', 'recognized', code(PRESENTATIONS), {
    label: 'Presentation',
    inSentence: 'presentation',
    form: 'more about the child',
    formOrder: 3,
    storageKey: 'pr',
  }),
  'children.nicu_admission': field('children', 'kept', YES_OR_NO, {
    label: 'Admitted to the NICU',
    inSentence: 'answer about the NICU',
    form: 'more about the child',
    storageKey: 'ni',
  }),
  'children.breastfed_at_discharge': field('children', 'kept', YES_OR_NO, {
    label: 'Breastfed at discharge',
    inSentence: 'answer about breastfeeding',
    form: 'more about the child',
    storageKey: 'bf',
  }),
  'children.transfer_within_day': field('children', 'kept', YES_OR_NO, {
    label: 'Transferred within 24 hours of birth',
    inSentence: "answer about the child's transfer",
    form: 'more about the child',
    storageKey: 'tw',
  }),

  plurality: field('pregnancy', 'kept', count(CHILDREN_AT_ONCE), {
    label: 'Plurality, including infants not entered here',
    inSentence: 'plurality',
    hint: '1 for a single birth, 2 for twins',
    form: 'record',
    formOrder: 1,
    storageKey: 'pl',
  }),
  last_menstrual_period: field('pregnancy', 'dropped', PARTIAL_DATE, {
    label: 'Last menstrual period',
    inSentence: 'date of the last menstrual period',
    hint: PARTIAL_DATE_HINT,
    form: 'pregnancy',
    formOrder: 1,
    storageKey: 'lmp',
  }),
  first_prenatal_visit: field('pregnancy', 'dropped', PARTIAL_DATE, {
    label: 'First prenatal visit',
    inSentence: 'date of the first prenatal visit',
    hint: PARTIAL_DATE_HINT,
    form: 'pregnancy',
    formOrder: 2,
    storageKey: 'fpv',
  }),
  prenatal_visits: field('pregnancy', 'kept', countOrUnknown(COUNTED), {
    label: 'Prenatal visits',
    inSentence: 'number of prenatal visits',
    form: 'pregnancy',
    formOrder: 3,
    storageKey: 'pv',
  }),
  prenatal_care_site: field('pregnancy', 'dropped', text(MAX_TEXT), {
    label: 'Prenatal care site',
    inSentence: 'prenatal care site',
    form: 'prenatal care',
    storageKey: 'pcs',
  }),
  wic: field('pregnancy', 'kept', YES_OR_NO, {
    label: 'WIC during pregnancy',
    inSentence: 'answer about WIC',
    form: 'prenatal care',
    storageKey: 'wic',
  }),
  cigarettes_before: field('pregnancy', 'kept', cigarettes(), {
    label: 'Cigarettes per day, before pregnancy',
    inSentence: 'number of cigarettes per day before pregnancy',
    hint: '10, or 1/2 pack',
    form: 'cigarettes',
    storageKey: 'cb',
  }),
  cigarettes_first_trimester: field('pregnancy', 'kept', cigarettes(), {
    label: 'Cigarettes per day, first trimester',
    inSentence: 'number of cigarettes per day in the first trimester',
    form: 'cigarettes',
    storageKey: 'c1',
  }),
  cigarettes_second_trimester: field('pregnancy', 'kept', cigarettes(), {
    label: 'Cigarettes per day, second trimester',
    inSentence: 'number of cigarettes per day in the second trimester',
    form: 'cigarettes',
    storageKey: 'c2',
  }),
  cigarettes_third_trimester: field('pregnancy', 'kept', cigarettes(), {
    label: 'Cigarettes per day, third trimester',
    inSentence: 'number of cigarettes per day in the third trimester',
    form: 'cigarettes',
    storageKey: 'c3',
  }),
  previous_births_living: field('pregnancy', 'kept', countOrUnknown(COUNTED), {
    label: 'Previous live births, now living',
    inSentence: 'number of previous live births now living',
    hint: 'Before this delivery',
    form: 'earlier pregnancies',
    storageKey: 'pbl',
  }),
  previous_births_dead: field('pregnancy', 'kept', countOrUnknown(COUNTED), {
    label: 'Previous live births, now deceased',
    inSentence: 'number of previous live births now deceased',
    hint: 'Before this delivery',
    form: 'earlier pregnancies',
    storageKey: 'pbd',
  }),
  last_live_birth: field('pregnancy', 'year', PARTIAL_DATE, {
    label: 'Date of last live birth',
    inSentence: 'date of the last live birth',
    hint: PARTIAL_DATE_HINT,
    form: 'earlier pregnancies',
    storageKey: 'llb',
  }),
  previous_cesareans: field('pregnancy', 'kept', countOrUnknown(COUNTED), {
    label: 'Previous cesareans',
    inSentence: 'number of previous cesareans',
    form: 'earlier pregnancies',
    storageKey: 'pc',
  }),
  other_outcomes: field('pregnancy', 'kept', countOrUnknown(COUNTED), {
    label: 'Other pregnancy outcomes',
    inSentence: 'number of other pregnancy outcomes',
    hint: 'Before this delivery',
    form: 'earlier pregnancies',
    storageKey: 'oo',
  }),
  last_other_outcome: field('pregnancy', 'year', PARTIAL_DATE, {
    label: 'Date of last other pregnancy outcome',
    inSentence: 'date of the last other pregnancy outcome',
    hint: PARTIAL_DATE_HINT,
    form: 'earlier pregnancies',
    storageKey: 'loo',
  }),

  place_of_birth: field('labor and birth', 'kept', choice(PLACES_OF_BIRTH), {
    label: 'Place of birth',
    inSentence: 'place of birth',
    form: 'birth',
    storageKey: 'p',
  }),
  planned_place_of_birth: field('labor and birth', 'kept', choice(PLACES_OF_BIRTH), {
    label: 'Planned place of birth',
    inSentence: 'planned place of birth',
    form: 'birth',
    storageKey: 'pp',
  }),
  planned_home_birth: field('labor and birth', 'kept', choice(HOME_PLANS), {
    label: 'Home birth planned',
    inSentence: 'answer about a planned home birth',
    form: 'birth',
    storageKey: 'phb',
  }),
  delivery_method: field('labor and birth', 'recognized', code(DELIVERY_METHODS), {
    label: 'Delivery method',
    inSentence: 'delivery method',
    form: 'birth',
    storageKey: 'dm',
  }),
  trial_of_labor: field('labor and birth', 'kept', YES_OR_NO, {
    label: 'Trial of labor before cesarean',
    inSentence: 'answer about a trial of labor',
    form: 'more about the birth',
    storageKey: 'tol',
  }),
  birth_position: field('labor and birth', 'recognized', code(BIRTH_POSITIONS), {
    label: 'Birth position',
    inSentence: 'birth position',
    form: 'birth',
    storageKey: 'bp',
  }),
  induction: field('labor and birth', 'kept', YES_OR_NO, {
    label: 'Labor induced',
    inSentence: 'answer about induction of labor',
    form: 'induction',
    storageKey: 'in',
  }),
  induction_indication: field('labor and birth', 'recognized', code(INDUCTION_INDICATIONS), {
    label: 'Reason for induction',
    inSentence: 'reason for induction',
    form: 'induction',
    storageKey: 'ii',
  }),
  induction_agents: field('labor and birth', 'recognized', codes(LABOR_AGENTS, /^[a-z]/), {
    label: 'Induced with',
    inSentence: 'induction method',
    form: 'induction',
    storageKey: 'ia',
  }),
  augmentation: field('labor and birth', 'kept', YES_OR_NO, {
    label: 'Labor augmented',
    inSentence: 'answer about augmentation of labor',
    form: 'induction',
    storageKey: 'au',
  }),
  augmentation_agents: field('labor and birth', 'recognized', codes(LABOR_AGENTS, /^[a-z]/), {
    label: 'Augmented with',
    inSentence: 'augmentation method',
    form: 'induction',
    storageKey: 'aa',
  }),
  stat_cesarean: field('labor and birth', 'kept', YES_OR_NO, {
    label: 'Emergency (stat) cesarean',
    inSentence: 'answer about an emergency cesarean',
    form: 'more about the birth',
    storageKey: 'sc',
  }),
  doula_present: field('labor and birth', 'kept', YES_OR_NO, {
    label: 'Doula present',
    inSentence: 'answer about a doula',
    form: 'more about the birth',
    storageKey: 'dp',
  }),
  delayed_cord_clamping: field('labor and birth', 'kept', YES_OR_NO, {
    label: 'Delayed cord clamping',
    inSentence: 'answer about delayed cord clamping',
    form: 'more about the birth',
    storageKey: 'dcc',
  }),

  attendant: field('people and decisions', 'kept', text(), {
    label: 'Attendant',
    inSentence: 'attendant',
    storageKey: 'at',
  }),
  certifier: field('people and decisions', 'kept', text(), {
    label: 'Certifier',
    inSentence: 'certifier',
    storageKey: 'ce',
  }),
  attendant_name: field('people and decisions', 'dropped', text(), {
    label: 'Attendant at birth',
    inSentence: "attendant's name",
    form: 'birth',
    storageKey: 'atn',
  }),
  attendant_title: field('people and decisions', 'dropped', code(ATTENDANT_TITLES), {
    label: 'Title of the attendant',
    inSentence: "attendant's title",
    form: 'birth',
    storageKey: 'att',
  }),
  mother_transfer: field('people and decisions', 'kept', YES_OR_NO, {
    label: 'Mother transferred from another facility',
    inSentence: "answer about the mother's transfer",
    hint: 'Coming from home does not count',
    form: 'mother transfer',
    storageKey: 'mt',
  }),
  'transfers.type': field('people and decisions', 'kept', choice(['mother', 'infant']), {
    label: 'Who was transferred',
    inSentence: 'person transferred',
    form: 'transfer',
  }),
  'transfers.child_birth_order': field('people and decisions', 'kept', count(CHILDREN_AT_ONCE), {
    label: 'Birth order of the infant',
    inSentence: 'birth order of the infant transferred',
    hint: 'If several were born',
    form: 'transfer',
  }),
  'transfers.direction': field('people and decisions', 'kept', choice(['in', 'out']), {
    label: 'In or out',
    inSentence: 'direction of the transfer',
    form: 'transfer',
  }),
  'transfers.place': field('people and decisions', 'kept', choice(TRANSFER_PLACES), {
    label: 'From or to',
    inSentence: 'other place of the transfer',
    form: 'transfer',
  }),
  'transfers.facility': field('people and decisions', 'dropped', text(), {
    label: 'Other facility',
    inSentence: 'other facility of the transfer',
    form: 'transfer',
  }),
  'transfers.timing': field('people and decisions', 'kept', choice(TRANSFER_TIMINGS), {
    label: 'When',
    inSentence: 'time of the transfer',
    form: 'transfer',
  }),
  'transfers.hours_after_birth': field('people and decisions', 'kept', count(HOURS_AFTER_BIRTH), {
    label: 'Hours after birth',
    inSentence: 'number of hours after birth',
    hint: 'Rounded up: 2 for an hour and a half',
    form: 'transfer',
  }),
  'transfers.urgency': field('people and decisions', 'kept', choice(TRANSFER_URGENCIES), {
    label: 'Urgency',
    inSentence: 'urgency of the transfer',
    form: 'transfer',
  }),
  'transfers.reason': field('people and decisions', 'dropped', text(MAX_TEXT), {
    label: 'Reason for the transfer',
    inSentence: 'reason for the transfer',
    form: 'transfer',
  }),
  'consent.granted': field('people and decisions', 'kept', GRANTED, {
    label: 'Consent',
    inSentence: 'answer about consent',
    form: 'consent',
  }),
  'consent.status': field('people and decisions', 'recognized', code(CONSENT_STATUSES), {
    label: 'Status of the consent',
    inSentence: 'status of the consent',
    form: 'consent',
  }),
  'consent.date_time': field('people and decisions', 'kept', DATE_TIME, {
    label: 'Date of the consent',
    inSentence: 'date of the consent',
    hint: DATE_HINT,
    form: 'consent',
  }),

  sources: field('marks', 'dropped', ANNOTATIONS, {
    label: 'Values from an EHR',
    inSentence: 'marks of values from an EHR',
    storageKey: 'so',
  }),
  warnings: field('marks', 'without_raw', ANNOTATIONS, {
    label: 'Values that were left out',
    inSentence: 'warnings',
    storageKey: 'w',
  }),
  edit_flags: field('marks', 'kept', ANNOTATIONS, {
    label: 'Edit flags that were sent',
    inSentence: 'edit flags',
    storageKey: 'ef',
  }),
  custom: field('marks', 'dropped', CUSTOM_VALUES, {
    label: 'Fields of your practice',
    inSentence: "practice's own fields",
    storageKey: 'cu',
  }),
};

/** Dotted path of a field; `children.` and `transfers.` mean every element. */
export type FieldPath = keyof typeof FIELD_TABLE;

/** '' for the course of care itself. */
export type FieldParent = '' | 'mother' | 'mother.address' | 'children' | 'transfers' | 'consent';

export interface Field extends Row<unknown> {
  readonly path: FieldPath;
  readonly name: string;
  readonly parent: FieldParent;
}

/** In documented order. */
export const FIELDS: readonly Field[] = (Object.keys(FIELD_TABLE) as FieldPath[]).map((path) => {
  const end = path.lastIndexOf('.');
  return {
    ...FIELD_TABLE[path],
    path,
    name: path.slice(end + 1),
    parent: path.slice(0, Math.max(0, end)) as FieldParent,
  };
});

const FIELD_AT: ReadonlyMap<string, Field> = new Map(FIELDS.map((one) => [one.path, one]));

export const findFieldAt = (path: FieldPath): Field => FIELD_AT.get(path) as Field;

export const findField = (path: string): Field | undefined => FIELD_AT.get(path);
