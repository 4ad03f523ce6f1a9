import {
  findIdentityMismatches,
  isDifferentMother,
  toBirthIdentity,
} from '../../../domain/birth-record/birth-identity.ts';
import { emptyCourseOfCare } from '../../../domain/course/course.ts';
import { maskForPartner } from '../../../domain/course/mask.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import { courseEntered, ines } from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const birthOf = (typed: readonly FormValues[]): FormValues => Object.assign({ ...ines }, ...typed);

/** Compares a later row with the one that was there before. */
const later = (changes: FormValues) => (values: FormValues) =>
  findIdentityMismatches(
    toBirthIdentity(courseEntered(values)),
    toBirthIdentity(courseEntered({ ...values, ...changes })),
  );

scenarios('two rows of one chart number', birthOf, [
  {
    name: 'that differ in other values are one birth',
    given: [],
    when: later({ 'children.0.birth_weight_grams': '3000 g', 'children.0.birth_time': '3 pm' }),
    expect: [],
  },
  {
    name: 'may write the name in another way',
    given: [],
    when: later({ 'mother.family_name': 'AMARAL' }),
    expect: [],
  },
  {
    name: 'may have a suffix, in its field or in the family name',
    given: [],
    when: (values: FormValues) =>
      ['Stone', 'Stone Sr'].flatMap((family_name) => {
        const { mother, ...course } = courseEntered(values);
        const stored = { ...course, mother: { ...mother, family_name } };
        const again = courseEntered({ ...values, 'mother.family_name': 'Stone, Sr.' });
        return findIdentityMismatches(toBirthIdentity(stored), toBirthIdentity(again));
      }),
    expect: [],
  },
  {
    name: 'with two mothers are two births',
    given: [],
    when: later({ 'mother.family_name': 'Okafor' }),
    expect: ['mother'],
  },
  {
    name: 'with two dates of birth are two births',
    given: [],
    when: later({ 'children.0.birth_date': '5/13/2026' }),
    expect: ['birthDate'],
  },
  {
    name: 'may differ in both',
    given: [],
    when: later({ 'mother.family_name': 'Okafor', 'children.0.birth_date': '5/13/2026' }),
    expect: ['mother', 'birthDate'],
  },
  {
    name: 'of which one leaves the name and the date out are not known to be two births',
    given: [],
    when: later({
      'mother.family_name': '',
      'mother.given_names': '',
      'children.0.birth_date': '',
      'children.0.birth_time': '',
      'children.0.sex': 'f',
    }),
    expect: [],
  },
]);

/** Whether a later version under the chart number tells of another woman than the one held. */
const another = (changes: FormValues) => (values: FormValues) =>
  isDifferentMother(
    toBirthIdentity(courseEntered(values)),
    toBirthIdentity(courseEntered({ ...values, ...changes })),
  );

const NO_NAME = { 'mother.family_name': '', 'mother.given_names': '' };
const NO_DATES = {
  'mother.birth_date': '',
  'children.0.birth_date': '',
  'children.0.birth_time': '',
  'children.0.sex': 'f',
};
const BEA = { 'mother.family_name': 'Okafor', 'mother.given_names': 'Bea' };
const OTHER_DAY = { 'children.0.birth_date': '5/20/2026', 'children.0.birth_time': '' };
const OTHER_MOTHER_BORN = { 'mother.birth_date': '2/3/1990' };

scenarios('a course of care under a chart number that is held', birthOf, [
  { name: 'is hers when nothing differs', given: [], when: another({}), expect: false },
  {
    name: 'is another woman’s when name and birth date both differ',
    given: [],
    when: another({ ...BEA, ...OTHER_DAY }),
    expect: true,
  },
  {
    name: 'is another woman’s when her name and her own date of birth differ, born on the same day',
    given: [],
    when: another({ ...BEA, ...OTHER_MOTHER_BORN }),
    expect: true,
  },
  {
    name: 'is hers under a new family name, as after a marriage',
    given: [],
    when: another({ 'mother.family_name': 'Okafor' }),
    expect: false,
  },
  {
    name: 'is another woman’s when the name differs and no date can be compared',
    given: [],
    when: another({ ...BEA, ...NO_DATES }),
    expect: true,
  },
  {
    name: 'is hers when only the birth date is corrected',
    given: [],
    when: another(OTHER_DAY),
    expect: false,
  },
  {
    name: 'is another woman’s of the same name when both dates differ',
    given: [],
    when: another({ ...OTHER_DAY, ...OTHER_MOTHER_BORN }),
    expect: true,
  },
  {
    name: 'is not known to be another woman’s when it states neither name nor date',
    given: [],
    when: another({ ...NO_NAME, ...NO_DATES }),
    expect: false,
  },
  {
    name: 'is another woman’s when it has no name and its dates differ',
    given: [],
    when: another({ ...NO_NAME, ...OTHER_DAY, ...OTHER_MOTHER_BORN }),
    expect: true,
  },
  {
    name: 'is hers when one of the two leaves out the given name',
    given: [],
    when: another({ 'mother.given_names': '', ...NO_DATES }),
    expect: false,
  },
]);

const masked = (values: FormValues) => toBirthIdentity(maskForPartner(courseEntered(values)));

scenarios('a de-identified record, which holds a year and no name', birthOf, [
  {
    name: 'may be filled in by a course of that year',
    given: [],
    when: (values) => isDifferentMother(masked(values), toBirthIdentity(courseEntered(values))),
    expect: false,
  },
  {
    name: 'is not the birth of another year',
    given: [],
    when: (values) =>
      isDifferentMother(
        masked(values),
        toBirthIdentity(courseEntered({ ...values, 'children.0.birth_date': '5/12/2025' })),
      ),
    expect: true,
  },
  {
    name: 'of which nothing is known is not another woman’s',
    given: [],
    when: (values) =>
      isDifferentMother(
        toBirthIdentity(emptyCourseOfCare()),
        toBirthIdentity(courseEntered(values)),
      ),
    expect: false,
  },
]);
