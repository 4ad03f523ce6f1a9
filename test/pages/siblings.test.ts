import {
  addSibling,
  addSiblingsOfPlurality,
} from '../../api/pages/parts/birth-form/form/siblings.ts';
import type { FormValues } from '../../domain/mapping/form/form-fields.ts';
import { scenarios } from '../support/scenarios.ts';

/** A form with what was typed into it. */
const form = (typed: readonly FormValues[]): FormValues => Object.assign({}, ...typed);

const blankChild = { 'children.0.sex': '', 'children.0.birth_date': '' };
const firstBorn = {
  'children.0.sex': 'female',
  'children.0.birth_date': ' 5/12/2026 ',
  'children.0.family_name': 'Amaral',
  'children.0.gestational_age_weeks': '36w2d',
};
const copied = {
  'children.1.birth_date': '5/12/2026',
  'children.1.family_name': 'Amaral',
  'children.1.gestational_age_weeks': '36w2d',
};
const orders = { 'children.0.birth_order': '1', 'children.1.birth_order': '2' };

scenarios('children of one pregnancy in the form', form, [
  {
    name: 'twins get two sections and their order, before anything is typed of them',
    given: [{ plurality: '2' }, blankChild],
    when: addSiblingsOfPlurality,
    expect: {
      plurality: '2',
      ...blankChild,
      ...orders,
      'children.1.birth_date': '',
      'children.1.family_name': '',
      'children.1.gestational_age_weeks': '',
    },
  },
  {
    name: 'a twin shares the date, the family name and the weeks, and nothing else',
    given: [{ plurality: '2' }, firstBorn],
    when: addSiblingsOfPlurality,
    expect: { plurality: '2', ...firstBorn, ...orders, ...copied },
  },
  {
    name: 'what was typed for a twin stays',
    given: [
      { plurality: ' 2 ' },
      firstBorn,
      { 'children.1.birth_date': '5/13/2026', 'children.1.birth_order': '1' },
    ],
    when: addSiblingsOfPlurality,
    expect: {
      plurality: ' 2 ',
      ...firstBorn,
      ...orders,
      ...copied,
      'children.1.birth_date': '5/13/2026',
      'children.1.birth_order': '1',
    },
  },
  {
    name: 'asked a second time, nothing changes',
    given: [{ plurality: '2' }, firstBorn],
    when: (values) => addSiblingsOfPlurality(addSiblingsOfPlurality(values)),
    expect: { plurality: '2', ...firstBorn, ...orders, ...copied },
  },
  {
    name: 'a smaller plurality takes a copied child away again, and the order of the only one',
    given: [{ plurality: '2' }, firstBorn],
    when: (values) => addSiblingsOfPlurality({ ...addSiblingsOfPlurality(values), plurality: '1' }),
    expect: { plurality: '1', ...firstBorn },
  },
  {
    name: 'a child of whom something was typed is not taken away',
    given: [{ plurality: '1' }, firstBorn, copied, { 'children.1.sex': 'male' }],
    when: addSiblingsOfPlurality,
    expect: { plurality: '1', ...firstBorn, ...copied, 'children.1.sex': 'male' },
  },
  {
    name: 'no plurality, or none that can be, changes nothing',
    given: [firstBorn],
    when: (values) =>
      ['', 'twins', '0', '21', '2.5'].map((plurality) =>
        addSiblingsOfPlurality({ ...values, plurality }),
      ),
    expect: ['', 'twins', '0', '21', '2.5'].map((plurality) => ({ ...firstBorn, plurality })),
  },
  {
    name: 'a child that is added shares it too, and takes the next place',
    given: [firstBorn, { 'children.4.sex': '' }],
    when: addSibling,
    expect: {
      ...firstBorn,
      'children.0.birth_order': '1',
      'children.4.sex': '',
      'children.4.birth_order': '2',
      'children.4.birth_date': '5/12/2026',
      'children.4.family_name': 'Amaral',
      'children.4.gestational_age_weeks': '36w2d',
    },
  },
]);
