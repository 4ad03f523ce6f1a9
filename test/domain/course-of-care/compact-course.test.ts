import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
} from '../../../domain/course-of-care/canonical-record.ts';
import { compactCourse, completeCourse } from '../../../domain/course-of-care/compact-course.ts';

const compact = suite('compact courses of care');

const none = emptyCourseOfCare();
/** What has passed through JSON, as everything that is compacted does. */
const throughJson = (course: CourseOfCare): CourseOfCare =>
  completeCourse(JSON.parse(JSON.stringify(compactCourse(course))) as CourseOfCare);

compact('what says nothing is left out and comes back', () => {
  assert.equal(compactCourse(none), {});
  assert.equal(throughJson(none), none);
});

const TOLD: readonly [string, Partial<CourseOfCare>][] = [
  ['a value', { chart_number: 'MRN-1', prenatal_visits: 0, wic: false }],
  ['the mother', { mother: { ...none.mother, given_names: ['Rosa'] } }],
  [
    "the mother's address",
    { mother: { ...none.mother, address: { ...none.mother.address, city: 'Bend' } } },
  ],
  ['a child of whom nothing is known', { children: [emptyChild()] }],
  ['a second child', { children: [emptyChild(), { ...emptyChild(), fetal_death: false }] }],
  ['consent', { consent: { granted: true, status: 'active', date_time: null } }],
  [
    'a consent that is refused',
    { consent: { granted: false, status: 'rejected', date_time: null } },
  ],
  ['lists', { transfers: [{ type: null, direction: null, facility: null }] }],
  ['custom values', { custom: { '3f': null, '4a': false } }],
];
for (const [name, told] of TOLD)
  compact(`${name}: nothing of it is lost`, () => {
    const course = { ...none, ...told };
    assert.equal(throughJson(course), course);
    assert.equal(Object.keys(compactCourse(course)), Object.keys(told));
  });

compact('whatever it holds, it comes back whole, and compacting twice changes nothing', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const some = <Part extends object>(empty: Part) =>
    fc
      .dictionary(fc.constantFrom(...Object.keys(empty)), value)
      .map((told) => ({ ...empty, ...told }));
  const { mother, children: _, consent, ...rest } = none;
  const course = fc
    .record({
      rest: some(rest),
      mother: some(mother),
      address: some(mother.address),
      children: fc.array(some(emptyChild()), { maxLength: 3 }),
      consent: some(consent),
    })
    .map((of) => ({
      ...of.rest,
      mother: { ...of.mother, address: of.address },
      ...{ children: of.children, consent: of.consent },
    }));
  fc.assert(
    fc.property(course, (generated) => {
      const whole = generated as unknown as CourseOfCare;
      assert.equal(throughJson(whole), whole);
      assert.equal(compactCourse(compactCourse(whole)), compactCourse(whole));
      assert.equal(completeCourse(whole), whole);
    }),
  );
});

compact.run();
