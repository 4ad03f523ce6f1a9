import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import { enter, ines } from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

/** Ines's birth with what is typed beside it. */
const birthOf = (typed: readonly FormValues[]): FormValues => Object.assign({ ...ines }, ...typed);

/** What is said of it: it is saved all the same. */
const told = (values: FormValues) => {
  const { kind, notices } = enter(values);
  return [kind, ...notices.map(({ path, message }) => `${path}: ${message}`)];
};

const twin = (date: string): FormValues => ({ 'children.1.birth_date': date });
const vaginal = { delivery_method: 'Vaginal, forceps' };
const cesarean = { delivery_method: 'Cesarean' };
const fetalDeath = { 'children.0.fetal_death': 'yes' };

scenarios('what contradicts itself in a birth', birthOf, [
  {
    name: 'twins may be born across midnight, or a few days apart',
    given: [twin('5/15/2026')],
    when: told,
    expect: ['course'],
  },
  {
    name: 'siblings more than a few days apart are said at the later one entered',
    given: [twin('5/16/2026')],
    when: told,
    expect: [
      'course',
      'children.1.birth_date: The children of this birth would be born 4 days apart. Check the dates of birth.',
    ],
  },
  {
    name: 'a sibling entered second may be the older one',
    given: [twin('5/1/2026')],
    when: told,
    expect: [
      'course',
      'children.1.birth_date: The children of this birth would be born 11 days apart. Check the dates of birth.',
    ],
  },
  {
    name: 'a third child is compared with the first that has a date',
    given: [
      { 'children.0.birth_date': '', 'children.0.birth_time': '' },
      twin('5/12/2026'),
      { 'children.2.birth_date': '5/12/2025' },
    ],
    when: told,
    expect: [
      'course',
      'children.2.birth_date: The children of this birth would be born 365 days apart. Check the dates of birth.',
    ],
  },
  {
    name: 'a fetal death is neither living nor breastfed nor in the NICU',
    given: [
      fetalDeath,
      {
        'children.0.living': 'yes',
        'children.0.nicu_admission': 'yes',
        'children.0.breastfed_at_discharge': 'yes',
      },
    ],
    when: told,
    expect: [
      'course',
      'children.0.living: The child is entered as a fetal death and as living. Check which is right.',
      'children.0.nicu_admission: The child is entered as a fetal death and as admitted to the NICU. Check which is right.',
      'children.0.breastfed_at_discharge: The child is entered as a fetal death and as breastfed at discharge. Check which is right.',
    ],
  },
  {
    name: 'a fetal death with what fits it, or with nothing, raises no question',
    given: [fetalDeath, { 'children.0.living': 'no', 'children.0.nicu_admission': 'no' }],
    when: told,
    expect: ['course'],
  },
  {
    name: 'a weight that hardly goes with the weeks says what would',
    given: [
      {
        'children.0.birth_weight_grams': '9000 g',
        'children.0.gestational_age_weeks': '24w0d',
      },
    ],
    when: told,
    expect: [
      'course',
      'children.0.birth_weight_grams: At 24 weeks babies usually weigh about 300 g to 1,300 g. Check the weight and the gestational age.',
    ],
  },
  {
    name: 'one child’s fetal death says nothing of its twin',
    given: [fetalDeath, twin('5/12/2026'), { 'children.1.living': 'yes' }],
    when: told,
    expect: ['course'],
  },
  {
    name: 'an emergency cesarean or a trial of labor before cesarean is no vaginal delivery',
    given: [vaginal, { stat_cesarean: 'yes', trial_of_labor: 'yes' }],
    when: told,
    expect: [
      'course',
      'stat_cesarean: An emergency cesarean is entered with a vaginal delivery. Check which is right.',
      'trial_of_labor: A trial of labor before cesarean is entered with a vaginal delivery. Check which is right.',
    ],
  },
  {
    name: 'both fit a cesarean, and a delivery method that is not known',
    given: [cesarean, { stat_cesarean: 'yes', trial_of_labor: 'yes' }],
    when: (birth) => [told(birth), told({ ...birth, delivery_method: '' })],
    expect: [['course'], ['course']],
  },
  {
    name: 'a vaginal delivery without either raises no question',
    given: [vaginal, { stat_cesarean: 'no', trial_of_labor: 'no' }],
    when: told,
    expect: ['course'],
  },
  {
    name: 'a planned place of birth and the answer about a planned home birth contradict each other',
    given: [{ planned_home_birth: 'yes', planned_place_of_birth: 'Hospital' }],
    when: (birth) => [
      told(birth),
      told({ ...birth, planned_home_birth: 'no', planned_place_of_birth: 'Home' }).length,
      told({ ...birth, planned_home_birth: 'unknown' }),
      told({ ...birth, planned_place_of_birth: 'Home' }),
      told({ ...birth, planned_place_of_birth: '' }),
    ],
    expect: [
      [
        'course',
        'planned_home_birth: The planned place of birth and the answer about a planned home birth contradict each other. Check which is right.',
      ],
      2,
      ['course'],
      ['course'],
      ['course'],
    ],
  },
  {
    name: 'a race and a reason that none is given contradict each other',
    given: [{ 'mother.race': 'White', 'mother.race_absent_reason': 'declined' }],
    when: (birth) => [told(birth), told({ ...birth, 'mother.race': '' })],
    expect: [
      [
        'course',
        'mother.race_absent_reason: A race is entered, and also a reason that no race is given. Check which is right.',
      ],
      ['course'],
    ],
  },
]);
