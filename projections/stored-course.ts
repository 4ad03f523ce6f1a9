import type { Child, CourseOfCare, Mother } from '../domain/course-of-care/canonical-record.ts';
import {
  isConsentStated,
  isStated,
  statedOf,
  wholeCourse,
} from '../domain/course-of-care/sparse-course.ts';

/**
 * A course of care as a column holds it: without what is not known, its fields under the short
 * names below. The names were more than half of the text of a small one, in every row.
 */
export type StoredCourse = Readonly<Record<string, unknown>>;

// Part of the tables' shape: whoever changes one raises the version of the projection.
const OF_COURSE: Readonly<Record<keyof CourseOfCare, string>> = {
  chart_number: 'cn',
  stamp: 'st',
  ig_version: 'ig',
  mother: 'm',
  children: 'c',
  plurality: 'pl',
  last_menstrual_period: 'lmp',
  first_prenatal_visit: 'fpv',
  prenatal_visits: 'pv',
  prenatal_care_site: 'pcs',
  wic: 'wic',
  cigarettes_before: 'cb',
  cigarettes_first_trimester: 'c1',
  cigarettes_second_trimester: 'c2',
  cigarettes_third_trimester: 'c3',
  previous_births_living: 'pbl',
  previous_births_dead: 'pbd',
  previous_cesareans: 'pc',
  other_outcomes: 'oo',
  place_of_birth: 'p',
  planned_place_of_birth: 'pp',
  delivery_method: 'dm',
  trial_of_labor: 'tol',
  birth_position: 'bp',
  induction_indication: 'ii',
  induction_agents: 'ia',
  augmentation_agents: 'aa',
  stat_cesarean: 'sc',
  doula_present: 'dp',
  delayed_cord_clamping: 'dcc',
  attendant: 'at',
  certifier: 'ce',
  transfers: 'tr',
  consent: 'co',
  sources: 'so',
  warnings: 'w',
  custom: 'cu',
};

const OF_MOTHER: Readonly<Record<keyof Mother, string>> = {
  family_name: 'fn',
  given_names: 'gn',
  birth_surname: 'bs',
  birth_date: 'bd',
  age_at_delivery: 'age',
  race: 'r',
  ethnicity: 'et',
  address: 'ad',
  phone: 'ph',
  medical_record_number: 'mrn',
  height_cm: 'h',
  prepregnancy_weight_kg: 'pw',
  delivery_weight_kg: 'dw',
  education: 'ed',
};

const OF_CHILD: Readonly<Record<keyof Child, string>> = {
  family_name: 'fn',
  given_names: 'gn',
  birth_date: 'bd',
  birth_time: 'bt',
  sex: 's',
  birth_order: 'bo',
  medical_record_number: 'mrn',
  fetal_death: 'fd',
  living: 'l',
  birth_weight_grams: 'g',
  gestational_age_weeks: 'gw',
  gestational_age_days: 'gd',
  apgar_one_minute: 'a1',
  apgar_five_minute: 'a5',
  apgar_ten_minute: 'a10',
  presentation: 'pr',
  nicu_admission: 'ni',
  breastfed_at_discharge: 'bf',
};

type Values = Readonly<Record<string, unknown>>;

/** Pairs of a long and a short name. */
type Names = readonly (readonly [long: string, short: string])[];

const COURSE: Names = Object.entries(OF_COURSE);
/** What is stored as it is: the others stand in columns, are objects, or say nothing mostly. */
const TAKEN_APART = ['chart_number', 'stamp', 'mother', 'children', 'consent', 'custom'];
const AS_IT_IS: Names = COURSE.filter(([name]) => !TAKEN_APART.includes(name));
const OF_MOTHER_AS_IT_IS: Names = Object.entries(OF_MOTHER).filter(([name]) => name !== 'address');
const MOTHER: Names = Object.entries(OF_MOTHER);
const CHILD: Names = Object.entries(OF_CHILD);

/** What is known, under short names. In one go: it is made for every record that a rebuild writes. */
const shortened = (values: Values, names: Names): Record<string, unknown> => {
  const short: Record<string, unknown> = {};
  for (const [name, shortName] of names) {
    const value = values[name];
    if (isStated(value)) short[shortName] = value;
  }
  return short;
};

const lengthened = (values: Values, names: Names): Record<string, unknown> => {
  const long: Record<string, unknown> = {};
  for (const [name, shortName] of names)
    if (values[shortName] !== undefined) long[name] = values[shortName];
  return long;
};

/** Columns that say what the stored course then leaves out. */
export interface StatedBeside {
  readonly chart_number: string | null;
  readonly stamp: string | null;
}

/**
 * A course of care as the column `course` holds it.
 * @param stamp of the version, which may be one that was held before
 */
export const storedCourse = (course: CourseOfCare, stamp: string | null): StoredCourse => {
  const stored = shortened(course, AS_IT_IS);
  if (course.stamp !== stamp) stored[OF_COURSE.stamp] = course.stamp;
  const mother = shortened(course.mother, OF_MOTHER_AS_IT_IS);
  const address = statedOf(course.mother.address);
  if (Object.keys(address).length > 0) mother[OF_MOTHER.address] = address;
  stored[OF_COURSE.mother] = mother;
  stored[OF_COURSE.children] = course.children.map((child) => shortened(child, CHILD));
  if (isConsentStated(course)) stored[OF_COURSE.consent] = course.consent;
  if (Object.keys(course.custom).length > 0) stored[OF_COURSE.custom] = course.custom;
  return stored;
};

/** The course of care of a row. */
export const courseIn = ({
  course,
  chart_number,
  stamp,
}: StatedBeside & { readonly course: StoredCourse }): CourseOfCare => {
  const { mother, children, ...others } = lengthened(course, COURSE);
  return wholeCourse({
    chart_number,
    stamp,
    ...others,
    mother: lengthened(mother as Values, MOTHER),
    children: (children as readonly Values[]).map((child) => lengthened(child, CHILD)),
  });
};
