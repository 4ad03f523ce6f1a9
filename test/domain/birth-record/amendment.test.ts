import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { amendCourse } from '../../../domain/birth-record/amend.ts';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
} from '../../../domain/course/course.ts';
import { maskForPartner } from '../../../domain/course/mask.ts';
import { buildTransfer } from '../../support/transfers.ts';

const child = (changes: Partial<Child>): Child => ({ ...emptyChild(), ...changes });

const native: CourseOfCare = {
  ...emptyCourseOfCare(),
  chart_number: 'C-1',
  mother: {
    ...emptyMother(),
    family_name: 'Amaral',
    birth_date: '1991-07-02',
    address: { ...emptyMother().address, city: 'Lowell', state: 'MA' },
  },
  children: [
    child({
      given_names: ['Rui'],
      birth_date: '2026-05-12',
      birth_order: 1,
      birth_weight_grams: 2_400,
    }),
    child({
      given_names: ['Eva'],
      birth_date: '2026-05-12',
      birth_order: 2,
      birth_weight_grams: 2_300,
    }),
  ],
  place_of_birth: 'Hospital',
  transfers: [
    buildTransfer({
      type: 'infant',
      direction: 'out',
      facility: 'East Hospital',
      reason: 'Low oxygen',
      urgency: 'urgent',
    }),
  ],
  custom: { 'field-1': 'yes' },
};

const spine: CourseOfCare = maskForPartner({
  ...emptyCourseOfCare(),
  chart_number: 'C-1',
  mother: { ...emptyMother(), address: { ...emptyMother().address, state: 'NH' } },
  children: [
    child({ birth_date: '2026-05-12', birth_order: 2, birth_weight_grams: 2_310 }),
    child({ birth_date: '2026-05-12', birth_order: 1, birth_weight_grams: 2_410 }),
  ],
  place_of_birth: 'Birth center',
  attendant: 'provider-1',
  transfers: [buildTransfer({ type: 'infant', direction: 'out', hours_after_birth: 6 })],
});

const amendment = suite('the course of care after an amendment');

amendment('a partner amendment replaces the spine', () => {
  const course = amendCourse(native, spine, 'partner');
  assert.is(course.place_of_birth, 'Birth center');
  assert.is(course.attendant, 'provider-1');
  assert.is(course.mother.address.state, 'NH');
});

amendment('identified values of an earlier native version stay', () => {
  const course = amendCourse(native, spine, 'partner');
  assert.equal([course.mother.family_name, course.mother.birth_date], ['Amaral', '1991-07-02']);
  assert.is(course.mother.address.city, 'Lowell');
  assert.equal(course.transfers, [
    buildTransfer({
      type: 'infant',
      direction: 'out',
      facility: 'East Hospital',
      hours_after_birth: 6,
      reason: 'Low oxygen',
    }),
  ]);
  assert.equal(course.custom, { 'field-1': 'yes' });
});

amendment('children are matched by birth order', () => {
  const { children } = amendCourse(native, spine, 'partner');
  assert.equal(
    children.map((one) => [one.given_names[0], one.birth_weight_grams, one.birth_date]),
    [
      ['Eva', 2_310, '2026-05-12'],
      ['Rui', 2_410, '2026-05-12'],
    ],
  );
});

amendment('else by position; a child of another order is another child', () => {
  const sent = (children: readonly Child[]) => ({ ...spine, children });
  const unordered = {
    ...native,
    children: native.children.map((one) => ({ ...one, birth_order: null })),
  };
  const [first] = amendCourse(unordered, sent([child({ birth_order: 1 })]), 'partner').children;
  assert.equal(first?.given_names, ['Rui']);
  const [, third] = amendCourse(
    native,
    sent([child({}), child({ birth_order: 3 })]),
    'partner',
  ).children;
  assert.equal(third?.given_names, []);
});

amendment('a date of another year replaces the held date', () => {
  const sent = { ...spine, children: [child({ birth_date: '2025', birth_order: 1 })] };
  assert.is(amendCourse(native, sent, 'partner').children[0]?.birth_date, '2025');
});

amendment('a time of birth goes with the date that it has in it', () => {
  const timed = {
    ...native,
    children: native.children.map((one) => ({ ...one, birth_time: '2026-05-12T10:00:00Z' })),
  };
  const timeAfter = (birth_date: string | null) =>
    amendCourse(timed, { ...spine, children: [child({ birth_date })] }, 'partner').children[0]
      ?.birth_time;
  assert.equal(['2026', '2025', null].map(timeAfter), [
    '2026-05-12T10:00:00Z',
    null,
    '2026-05-12T10:00:00Z',
  ]);
});

amendment('her age stays with the date of birth that stays, unless another is sent', () => {
  const ageAfter = (birth_date: string | null, sent: number | null) =>
    amendCourse(
      { ...native, mother: { ...native.mother, birth_date, age_at_delivery: 34 } },
      { ...spine, mother: { ...spine.mother, age_at_delivery: sent } },
      'partner',
    ).mother.age_at_delivery;
  assert.equal([ageAfter('1991-07-02', null), ageAfter('1991-07-02', 35)], [34, 35]);
  assert.is(ageAfter(null, null), null);
});

amendment('a native amendment replaces the course but leaves attribution and own fields', () => {
  const held = amendCourse(native, spine, 'partner');
  const sent = { ...native, place_of_birth: 'Home' as const, custom: {} };
  const course = amendCourse(held, sent, 'native');
  assert.is(course.place_of_birth, 'Home');
  assert.is(course.attendant, 'provider-1');
  assert.equal(course.custom, { 'field-1': 'yes' });
  assert.is(course.children[0]?.birth_weight_grams, 2_400);
});

amendment('a person changes some values of own fields, the others stay', () => {
  const held = { ...native, custom: { 'field-1': 'yes', 'field-2': 'no' } };
  const sent = { ...native, custom: { 'field-2': null, 'field-3': 3 } };
  const { custom } = amendCourse(held, sent, null);
  assert.equal(custom, { 'field-1': 'yes', 'field-2': null, 'field-3': 3 });
});

amendment.run();
