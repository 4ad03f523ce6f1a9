import { CESAREAN } from '../../domain/course/codes.ts';
import { type Child, type CourseOfCare, emptyTransfer } from '../../domain/course/course.ts';
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
    mother_transfer: true,
    transfers: [
      {
        ...emptyTransfer(),
        type: 'mother',
        direction: 'in',
        place: 'hospital',
        facility: from,
        timing: 'during labor',
        urgency: 'emergency',
        reason: 'Prolonged rupture of membranes',
      },
      ...(course.children.some(({ fetal_death: isDead }) => isDead === false)
        ? [{ ...emptyTransfer(), ...INFANT_OUT, facility: to }]
        : []),
    ],
  },
  providers,
  style: COMPLETE_STYLE,
});

const INFANT_OUT = {
  type: 'infant',
  direction: 'out',
  place: 'hospital',
  timing: 'after birth',
  hours_after_birth: 5,
  urgency: 'urgent',
  reason: 'Respiratory distress',
} as const;

const DAYS_BEFORE = 400;

const findMonthBefore = (lastPeriod: string | null): string | null =>
  lastPeriod === null ? null : addDays(lastPeriod, -DAYS_BEFORE).slice(0, 'YYYY-MM'.length);

const completePregnancy = (course: CourseOfCare): Partial<CourseOfCare> => {
  const atLeastOne = (count: number | null): number => Math.max(1, count ?? 0);
  const { last_menstrual_period: lastPeriod, first_prenatal_visit: firstVisit } = course;
  return {
    first_prenatal_visit:
      firstVisit ?? (lastPeriod === null ? null : addDays(lastPeriod, FIRST_VISIT_DAY)),
    prenatal_visits: atLeastOne(course.prenatal_visits),
    previous_births_living: atLeastOne(course.previous_births_living),
    previous_births_dead: atLeastOne(course.previous_births_dead),
    last_live_birth: course.last_live_birth ?? findMonthBefore(lastPeriod),
    last_other_outcome: course.last_other_outcome ?? findMonthBefore(lastPeriod),
    previous_cesareans: atLeastOne(course.previous_cesareans),
    other_outcomes: atLeastOne(course.other_outcomes),
  };
};

/** A score at ten minutes is only asked for if the one at five minutes is lower than this. */
const HIGHEST_LOW_SCORE = 5;

const completeChild = (child: Child): Child => {
  if (child.fetal_death === true) return child;
  const five = Math.min(child.apgar_five_minute ?? HIGHEST_LOW_SCORE, HIGHEST_LOW_SCORE);
  return {
    ...child,
    living: true,
    apgar_one_minute: Math.min(child.apgar_one_minute ?? five, five),
    apgar_five_minute: five,
    apgar_ten_minute: child.apgar_ten_minute ?? child.apgar_five_minute,
    nicu_admission: true,
    transfer_within_day: true,
    breastfed_at_discharge: true,
  };
};
