import { CESAREAN } from '../../domain/course/codes.ts';
import type { Child, CourseOfCare } from '../../domain/course/course.ts';
import { addDays } from './calendar.ts';
import type { Practice } from './practice.ts';
import type { Birth, SenderStyle } from './sender-style.ts';

const COMPLETE_STYLE: SenderStyle = {
  elements: 'all',
  missing: new Set(),
  weightUnit: 'grams',
  ageUnit: 'days',
  addresses: 'urls',
  raceStyle: 'worksheet',
  placeStyle: 'guide',
  timeStyle: 'with offset',
  slip: null,
};

const FIRST_VISIT_DAY = 63;

/**
 * Completes a birth, so that there is something to say in every element that the guide has: planned at
 * home, it ends in a hospital, by a cesarean after labor, as the last of several pregnancies.
 */
export const completeBirth = (
  { course, providers }: Birth,
  { otherHospitals: [from = '', to = from] }: Practice,
): Birth => ({
  course: {
    ...course,
    ...completePregnancy(course),
    mother: {
      ...course.mother,
      birth_surname: course.mother.birth_surname ?? course.mother.family_name,
    },
    children: course.children.map(completeChild),
    place_of_birth: 'Hospital',
    planned_place_of_birth: 'Home',
    delivery_method: CESAREAN,
    trial_of_labor: true,
    stat_cesarean: false,
    birth_position: null,
    transfers: [
      { type: 'mother', direction: 'in', facility: from },
      ...(course.children.some(({ fetal_death: isDead }) => isDead === false)
        ? [{ type: 'infant', direction: 'out', facility: to } as const]
        : []),
    ],
  },
  providers,
  style: COMPLETE_STYLE,
});

const completePregnancy = (course: CourseOfCare): Partial<CourseOfCare> => {
  const atLeastOne = (count: number | null): number => Math.max(1, count ?? 0);
  const { last_menstrual_period: lastPeriod, first_prenatal_visit: firstVisit } = course;
  return {
    first_prenatal_visit:
      firstVisit ?? (lastPeriod === null ? null : addDays(lastPeriod, FIRST_VISIT_DAY)),
    prenatal_visits: atLeastOne(course.prenatal_visits),
    previous_births_living: atLeastOne(course.previous_births_living),
    previous_births_dead: atLeastOne(course.previous_births_dead),
    previous_cesareans: atLeastOne(course.previous_cesareans),
    other_outcomes: atLeastOne(course.other_outcomes),
  };
};

const completeChild = (child: Child): Child =>
  child.fetal_death === true
    ? child
    : {
        ...child,
        living: true,
        apgar_ten_minute: child.apgar_ten_minute ?? child.apgar_five_minute,
        nicu_admission: true,
        breastfed_at_discharge: true,
      };
