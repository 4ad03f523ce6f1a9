import { type HomePlan, OTHER_ASIAN } from '../../domain/course/codes.ts';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
} from '../../domain/course/course.ts';
import type { FieldPath } from '../../domain/course/fields.ts';
import type { Lane } from '../../domain/mapping/bfdr/place-of-birth.ts';
import type { NamedProvider } from '../../domain/provider/details.ts';
import type { Random } from './random.ts';

export interface Birth {
  /** All facts, including those that the report omits. */
  readonly course: CourseOfCare;
  /** Attendant, certifier, and doula, which only a partner names. */
  readonly providers: readonly NamedProvider[];
  readonly style: SenderStyle;
}

/** Error of the client, for which the registry omits a value with a warning. */
const SLIPS = ['Apgar score of 14', 'weight in stones', 'first visit without day'] as const;

export const ELEMENT_STYLES = ['usual', 'all'] as const;

export interface SenderStyle {
  /** Elements that most senders send, or all that the profiles of the guide have. */
  readonly elements: (typeof ELEMENT_STYLES)[number];
  readonly missing: ReadonlySet<FieldPath | 'mother.address'>;
  readonly weightUnit: 'grams' | 'kilograms' | 'pounds and ounces';
  readonly ageUnit: 'weeks' | 'days';
  readonly addresses: 'urls' | 'uuids';
  /** Answers of the worksheet, or extensions of the Patient only. */
  readonly raceStyle: 'worksheet' | 'extensions';
  /** Representation of the place: type of the Location, as in the BFDR guide, or none. */
  readonly placeStyle: 'type' | 'guide' | 'unstated';
  readonly timeStyle: 'with offset' | 'local' | 'date only';
  readonly slip: (typeof SLIPS)[number] | null;
}

/** Fields that a client may omit; those in one row are omitted together. */
const OMITTED: readonly (readonly (FieldPath | 'mother.address')[])[] = [
  ['mother.address'],
  ['mother.birth_surname'],
  ['mother.delivery_weight_kg'],
  ['mother.education'],
  ['mother.height_cm'],
  ['mother.phone'],
  ['mother.prepregnancy_weight_kg'],
  [
    'mother.race',
    'mother.tribes',
    'mother.ethnicity',
    'mother.hispanic_origins',
    'mother.other_hispanic_origin',
  ],
  ['children.apgar_one_minute'],
  ['children.breastfed_at_discharge'],
  ['augmentation_agents'],
  ['birth_position'],
  [
    'cigarettes_before',
    'cigarettes_first_trimester',
    'cigarettes_second_trimester',
    'cigarettes_third_trimester',
  ],
  ['delayed_cord_clamping'],
  ['doula_present'],
  ['first_prenatal_visit'],
  ['last_menstrual_period'],
  ['planned_place_of_birth'],
  ['prenatal_care_site'],
  ['prenatal_visits'],
  [
    'previous_births_living',
    'previous_births_dead',
    'last_live_birth',
    'other_outcomes',
    'last_other_outcome',
    'previous_cesareans',
  ],
  ['wic'],
];

const SPARSE = 0.08;
const MISSING = { sparse: 0.25, usual: 0.012 } as const;
const SLIP = 0.003;
const PLACE_UNTOLD_BY_PARTNER = 0.03;

export const chooseStyle = (
  lane: Lane,
  { mother: { race }, children, first_prenatal_visit: firstVisit }: CourseOfCare,
  random: Random,
): SenderStyle => {
  const share = random.chance(SPARSE) ? MISSING.sparse : MISSING.usual;
  const slip = random.chance(SLIP) ? random.pick(SLIPS) : null;
  const isPossible =
    slip === 'first visit without day' ? firstVisit !== null : children[0]?.fetal_death === false;
  // Drawn for both lanes, so that a seed generates the same births in both.
  const isUntold = random.chance(PLACE_UNTOLD_BY_PARTNER) && lane === 'partner';
  const style = random.chance(0.3) ? 'guide' : 'type';
  return {
    elements: 'usual',
    missing: new Set(OMITTED.filter(() => random.chance(share)).flat()),
    weightUnit: random.weighted([
      ['grams', 92],
      ['pounds and ounces', 6],
      ['kilograms', 2],
    ]),
    ageUnit: random.chance(0.7) ? 'weeks' : 'days',
    addresses: random.chance(0.8) ? 'urls' : 'uuids',
    // The extensions have no code for it.
    raceStyle: random.chance(0.2) || race.includes(OTHER_ASIAN) ? 'worksheet' : 'extensions',
    placeStyle: isUntold ? 'unstated' : style,
    timeStyle: random.weighted([
      ['with offset', 90],
      ['local', 7],
      ['date only', 3],
    ]),
    slip: isPossible ? slip : null,
  };
};

/** True if a report has Practitioners, which a native key does not record. */
export const namesProviders = ({ style }: Pick<Birth, 'style'>, lane: Lane): boolean =>
  lane === 'partner' || style.elements === 'all';

/** Course of care as a report of this style states it, with its slips except the weight in stones. */
export const stateCourse = ({ course, style }: Birth, lane: Lane): CourseOfCare => {
  const { missing, placeStyle, slip } = style;
  const children = course.children.map((child, at) => ({
    ...child,
    ...listMissing(emptyChild(), 'children.', missing),
    ...stateTime(child, style),
    ...(style.ageUnit === 'weeks' ? { gestational_age_days: 0 } : {}),
    ...(slip === 'Apgar score of 14' && at === 0 ? { apgar_ten_minute: 14 } : {}),
  }));
  return {
    ...course,
    ...listMissing(emptyCourseOfCare(), '', missing),
    mother: { ...course.mother, ...listMissing(emptyMother(), 'mother.', missing) },
    children,
    ...(slip === 'first visit without day'
      ? { first_prenatal_visit: course.first_prenatal_visit?.slice(0, 'YYYY-MM'.length) ?? null }
      : {}),
    planned_home_birth: stateHomePlan(course, style),
    ...(placeStyle === 'unstated' ? { place_of_birth: null } : {}),
    // Senders that name providers name the doula, too.
    ...(namesProviders({ style }, lane)
      ? { doula_present: course.doula_present }
      : { attendant: null, certifier: null }),
  };
};

// Bundles of the guide state the plan of every home birth; the question about it is for planned ones.
const stateHomePlan = (
  { place_of_birth: place, planned_place_of_birth: planned }: CourseOfCare,
  { missing, placeStyle }: SenderStyle,
): HomePlan | null => {
  const isKnown = !missing.has('planned_place_of_birth');
  if (isKnown && planned === 'Home') return 'yes';
  if (place !== 'Home' || placeStyle !== 'guide') return null;
  return isKnown ? 'no' : 'unknown';
};

const listMissing = <T extends object>(
  empty: T,
  prefix: string,
  missing: ReadonlySet<string>,
): Partial<T> =>
  Object.fromEntries(
    Object.entries(empty).filter(([name]) => missing.has(`${prefix}${name}`)),
  ) as Partial<T>;

const stateTime = ({ birth_time: time }: Child, { timeStyle }: SenderStyle): Partial<Child> => {
  if (timeStyle === 'with offset' || time === null) return {};
  const local = time.slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
  return { birth_time: timeStyle === 'local' ? local : null };
};
