import type { Child, CourseOfCare, Mother } from '../domain/course-of-care/canonical-record.ts';
import {
  type SparseCourse,
  sparseCourse,
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

type Names = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, unknown>>;

const backwards = (names: Names): Names =>
  Object.fromEntries(Object.entries(names).map(([long, short]) => [short, long]));

const SHORT = { course: OF_COURSE, mother: OF_MOTHER, child: OF_CHILD };
const LONG = {
  course: backwards(OF_COURSE),
  mother: backwards(OF_MOTHER),
  child: backwards(OF_CHILD),
};

// A name that is not known stays as it is: it is one of a later version.
const renamed = (values: Values, names: Names): Record<string, unknown> => {
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(values)) result[names[name] ?? name] = values[name];
  return result;
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
  const sparse = sparseCourse(course);
  const stored = renamed(sparse, SHORT.course);
  delete stored[OF_COURSE.chart_number];
  if (course.stamp === stamp) delete stored[OF_COURSE.stamp];
  else stored[OF_COURSE.stamp] = course.stamp;
  const mother = renamed(sparse['mother'] as Values, SHORT.mother);
  if (Object.keys(mother[OF_MOTHER.address] as Values).length === 0)
    delete mother[OF_MOTHER.address];
  stored[OF_COURSE.mother] = mother;
  stored[OF_COURSE.children] = (sparse['children'] as readonly Values[]).map((child) =>
    renamed(child, SHORT.child),
  );
  return stored;
};

/** The course of care of a row. */
export const courseIn = ({
  course,
  chart_number,
  stamp,
}: StatedBeside & { readonly course: StoredCourse }): CourseOfCare => {
  const sparse = { chart_number, stamp, ...renamed(course, LONG.course) } as Record<
    string,
    unknown
  >;
  sparse['mother'] = renamed(sparse['mother'] as Values, LONG.mother);
  sparse['children'] = (sparse['children'] as readonly Values[]).map((child) =>
    renamed(child, LONG.child),
  );
  return wholeCourse(sparse as SparseCourse);
};
