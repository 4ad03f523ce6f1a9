import { countCertainYears, isDate } from '../../fhir/dates.ts';
import { isInRange, type Range } from '../../fhir/quantities.ts';
import { heightInWords, toInches, toPounds, weightInWords } from '../../format-measures.ts';
import { isLaterDay } from '../birth-times.ts';
import { GUIDE_EDUCATION, NOT_HISPANIC } from '../codes.ts';
import type { MessageId } from '../field-messages.ts';
import type { CourseEdit, CourseFacts } from './edit.ts';

const USUAL_AGES: Range = { from: 12, to: 50 };
const USUAL_INCHES: Range = { from: 30, to: 78 };
const USUAL_POUNDS_BEFORE: Range = { from: 75, to: 375 };
const USUAL_POUNDS_AT_DELIVERY: Range = { from: 100, to: 400 };
const USUAL_GAIN_POUNDS: Range = { from: 0, to: 98 };
const USUAL_BODY_MASS_INDEXES: Range = { from: 13, to: 69.9 };

/** Youngest usual age at each level of education. Our choice. */
const YOUNGEST_AT: ReadonlyMap<string, number> = new Map([
  ['HS', 15],
  ['SCOL', 15],
  ['AA', 17],
  ['BA', 19],
  ['MA', 20],
  ['POSTG', 22],
]);

/** Computed even if it is hard to believe; null if a date is missing or the order is wrong. */
export const findAge = ({ course: { mother }, born }: CourseFacts): number | null => {
  const { birth_date: from, age_at_delivery } = mother;
  if (age_at_delivery !== null) return age_at_delivery;
  return from !== null && born !== null && isDate(born) && from <= born
    ? countCertainYears(from, born)
    : null;
};

const CHECK_UNIT = 'Check the number and its unit.';

const CM_PER_METER = 100;

const askWeight = (
  id: MessageId,
  name: 'prepregnancy_weight_kg' | 'delivery_weight_kg',
  time: string,
  usual: Range,
): CourseEdit => ({
  id,
  at: `mother.${name}`,
  when: `The mother weighed less than ${usual.from} lb or more than ${usual.to} lb ${time}.`,
  source: 'NCHS',
  ask: ({ course: { mother } }) => {
    const kg = mother[name];
    return kg === null || isInRange(usual, toPounds(kg))
      ? null
      : `The mother would have weighed ${weightInWords(kg)} ${time}. ${CHECK_UNIT}`;
  },
});

export const MOTHER_EDITS: readonly CourseEdit[] = [
  {
    id: 'mother-born-in-future',
    at: 'mother.birth_date',
    when: "The mother's date of birth is in the future.",
    source: 'ours',
    ask: ({ course: { mother }, today }) =>
      isLaterDay(mother.birth_date, today)
        ? "The mother's date of birth is in the future. Check the year."
        : null,
  },
  {
    id: 'mother-age-unlikely',
    at: 'mother.birth_date',
    beside: ['mother.age_at_delivery', 'children.birth_date'],
    when: 'The mother is younger than 12 or older than 50 at delivery.',
    source: 'NCHS',
    ask: (facts) => {
      const age = isLaterDay(facts.course.mother.birth_date, facts.today) ? null : findAge(facts);
      return age === null || isInRange(USUAL_AGES, age)
        ? null
        : `The mother would be ${age} years old. Check both dates of birth.`;
    },
  },
  {
    id: 'race-contradicted',
    at: 'mother.race_absent_reason',
    beside: ['mother.race'],
    when: 'A race is given, and also a reason that none is given.',
    source: 'ours',
    ask: ({ course: { mother } }) =>
      mother.race_absent_reason !== null && mother.race.length > 0
        ? 'A race is entered, and also a reason that no race is given. Check which is right.'
        : null,
  },
  {
    id: 'hispanic-origin-contradicted',
    at: 'mother.hispanic_origins',
    beside: ['mother.ethnicity'],
    when: 'A Hispanic origin is given, and the mother is not Hispanic.',
    source: 'ours',
    ask: ({ course: { mother } }) =>
      mother.ethnicity === NOT_HISPANIC && mother.hispanic_origins.length > 0
        ? 'A Hispanic origin is entered, and also that the mother is not Hispanic. Check which is right.'
        : null,
  },
  {
    id: 'ethnicity-contradicted',
    at: 'mother.ethnicity_absent_reason',
    beside: ['mother.ethnicity', 'mother.hispanic_origins'],
    when: 'A Hispanic origin or ethnicity is given, and also a reason that none is given.',
    source: 'ours',
    ask: ({ course: { mother } }) =>
      mother.ethnicity_absent_reason !== null &&
      (mother.ethnicity !== null || mother.hispanic_origins.length > 0)
        ? 'A Hispanic origin or ethnicity is entered, and also a reason that none is given. Check which is right.'
        : null,
  },
  {
    id: 'education-against-age',
    at: 'mother.education',
    beside: ['mother.birth_date', 'mother.age_at_delivery', 'children.birth_date'],
    when: 'The education is rare at the age: high school or some college below 15, an associate’s degree below 17, a bachelor’s below 19, a master’s below 20, a doctorate below 22.',
    source: 'ours',
    ask: (facts) => {
      const age = findAge(facts);
      const level = GUIDE_EDUCATION.get(facts.course.mother.education ?? '') ?? '';
      const youngest = YOUNGEST_AT.get(level) ?? 0;
      return age !== null && age < youngest
        ? `The mother would have this education at ${age}. Check the education and both dates of birth.`
        : null;
    },
  },
  {
    id: 'height-unlikely',
    at: 'mother.height_cm',
    when: 'The mother is shorter than 30 in or taller than 78 in.',
    source: 'NCHS',
    ask: ({ course: { mother } }) =>
      mother.height_cm === null || isInRange(USUAL_INCHES, toInches(mother.height_cm))
        ? null
        : `The mother would be ${heightInWords(mother.height_cm)} tall. ${CHECK_UNIT}`,
  },
  askWeight(
    'prepregnancy-weight-unlikely',
    'prepregnancy_weight_kg',
    'before pregnancy',
    USUAL_POUNDS_BEFORE,
  ),
  askWeight(
    'delivery-weight-unlikely',
    'delivery_weight_kg',
    'at delivery',
    USUAL_POUNDS_AT_DELIVERY,
  ),
  {
    id: 'weight-gain-unlikely',
    at: 'mother.delivery_weight_kg',
    beside: ['mother.prepregnancy_weight_kg'],
    when: 'The mother weighed less at delivery than before pregnancy, or gained more than 98 lb.',
    source: 'NCHS',
    ask: ({ course: { mother } }) => {
      const { prepregnancy_weight_kg: before, delivery_weight_kg: after } = mother;
      if (before === null || after === null) return null;
      const gain = toPounds(after) - toPounds(before);
      if (isInRange(USUAL_GAIN_POUNDS, gain)) return null;
      const change = `${gain < 0 ? 'lost' : 'gained'} ${Math.abs(gain)} lb`;
      return `The mother would have ${change} during the pregnancy. Check both weights.`;
    },
  },
  {
    id: 'body-mass-unlikely',
    at: 'mother.prepregnancy_weight_kg',
    beside: ['mother.height_cm'],
    when: 'The body mass index before pregnancy is below 13 or above 69.9.',
    source: 'NCHS',
    ask: ({ course: { mother } }) => {
      const { prepregnancy_weight_kg: weight, height_cm: height } = mother;
      if (weight === null || height === null) return null;
      const index = Math.round((weight / (height / CM_PER_METER) ** 2) * 10) / 10;
      return isInRange(USUAL_BODY_MASS_INDEXES, index)
        ? null
        : `By height and weight, the mother’s body mass index before pregnancy would be ${index}. Check both.`;
    },
  },
];
