import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type CourseOfCare,
  emptyAddress,
  emptyChild,
  emptyCourseOfCare,
} from '../../../domain/course/course.ts';
import { findDifferences, listStatedValues } from '../../../domain/course/course-paths.ts';
import { courseOfInes } from '../../support/birth-records.ts';
import { buildTransfer } from '../../support/transfers.ts';

const table = suite('differences between two courses of care');

const [rui] = courseOfInes.children;
const withRui = (changes: Partial<CourseOfCare['children'][number]>): CourseOfCare => ({
  ...courseOfInes,
  children: [{ ...emptyChild(), ...rui, ...changes }],
});

const rows: readonly {
  readonly name: string;
  readonly from: CourseOfCare;
  readonly to: CourseOfCare;
  readonly expect: unknown;
}[] = [
  { name: 'the same course differs in nothing', from: courseOfInes, to: courseOfInes, expect: [] },
  {
    name: 'a value that is replaced has both',
    from: courseOfInes,
    to: withRui({ birth_weight_grams: 3_250 }),
    expect: [{ path: 'children.0.birth_weight_grams', from: 3_200, to: 3_250 }],
  },
  {
    name: 'a value that is taken away has no new one',
    from: courseOfInes,
    to: withRui({ birth_date: null }),
    expect: [{ path: 'children.0.birth_date', from: '2026-05-12', to: null }],
  },
  {
    name: 'a list is one value, compared element by element',
    from: { ...courseOfInes, induction_agents: ['oxytocin'] },
    to: { ...courseOfInes, induction_agents: ['oxytocin', 'balloon'] },
    expect: [{ path: 'induction_agents', from: ['oxytocin'], to: ['oxytocin', 'balloon'] }],
  },
  {
    name: 'an equal list in another array is no difference',
    from: { ...courseOfInes, induction_agents: ['oxytocin'] },
    to: { ...courseOfInes, induction_agents: ['oxytocin'] },
    expect: [],
  },
  {
    name: 'a second child differs in everything that it states, in the order of a birth',
    from: { ...courseOfInes, plurality: 1 },
    to: {
      ...courseOfInes,
      plurality: 2,
      children: [...courseOfInes.children, { ...emptyChild(), sex: 'male', living: false }],
    },
    expect: [
      { path: 'children.1.sex', from: null, to: 'male' },
      { path: 'children.1.living', from: null, to: false },
      { path: 'plurality', from: 1, to: 2 },
    ],
  },
  {
    name: 'address, consent, transfers and fields of the practice are compared too',
    from: courseOfInes,
    to: {
      ...courseOfInes,
      mother: { ...courseOfInes.mother, address: { ...emptyAddress(), city: 'Lowell' } },
      transfers: [buildTransfer({ type: 'infant', direction: 'out', facility: null })],
      consent: { granted: true, status: 'active', date_time: null },
      custom: { f1: 'yes' },
    },
    expect: [
      { path: 'mother.address.city', from: null, to: 'Lowell' },
      { path: 'transfers.0.type', from: null, to: 'infant' },
      { path: 'transfers.0.direction', from: null, to: 'out' },
      { path: 'consent.granted', from: false, to: true },
      { path: 'consent.status', from: null, to: 'active' },
      { path: 'custom.f1', from: null, to: 'yes' },
    ],
  },
  {
    name: 'the stamp and the version of the guide are not about the birth',
    from: courseOfInes,
    to: { ...courseOfInes, stamp: '2026-05-14T09:00:00.000000000Z', ig_version: '2.0.0' },
    expect: [],
  },
];

for (const { name, from, to, expect } of rows)
  table(name, () => {
    assert.equal(findDifferences(from, to), expect);
  });

table('a course of which nothing is known states that consent was not granted, and no more', () => {
  assert.equal([...listStatedValues(emptyCourseOfCare())], [['consent.granted', false]]);
});

table.run();
