import type { EnteredValues } from '../../../domain/course-of-care/entering/entered-fields.ts';
import { birthOfRow, unlikeIn } from '../../../domain/csv/unlike-birth.ts';
import { courseOf, ines } from '../../support/entered-births.ts';
import { scenarios } from '../../support/scenarios.ts';

const birthOf = (typed: readonly EnteredValues[]): EnteredValues =>
  Object.assign({ ...ines }, ...typed);

/** Compares a later row with the one that was there before. */
const later = (changes: EnteredValues) => (values: EnteredValues) =>
  unlikeIn(birthOfRow(courseOf(values)), birthOfRow(courseOf({ ...values, ...changes })));

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
