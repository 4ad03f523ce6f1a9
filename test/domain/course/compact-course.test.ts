import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compactCourse, expandCourse } from '../../../domain/course/compact-course.ts';
import { emptyChild, emptyCourseOfCare, emptyMother } from '../../../domain/course/course.ts';
import { courseOfInes } from '../../support/birth-records.ts';
import { runs } from '../../support/runs.ts';
import { buildTransfer } from '../../support/transfers.ts';

const sparse = suite('courses of care without what is not known');

const stored = (course: Parameters<typeof compactCourse>[0]) =>
  JSON.parse(JSON.stringify(compactCourse(course)));

/** Any choice of values: each name has its own or that of a course of which nothing is known. */
const partOf = <T extends object>(told: T, unknown: T): fc.Arbitrary<T> =>
  fc
    .array(fc.boolean(), { minLength: Object.keys(unknown).length })
    .map((isStated) =>
      Object.assign(
        { ...unknown },
        ...Object.entries(told).map(([name, value], at) => (isStated[at] ? { [name]: value } : {})),
      ),
    );

sparse('what is left out comes back: whole after sparse is the same', () => {
  const [child] = courseOfInes.children;
  fc.assert(
    fc.property(
      partOf(courseOfInes, emptyCourseOfCare()),
      partOf(courseOfInes.mother, emptyMother()),
      fc.array(partOf(child ?? emptyChild(), emptyChild()), { maxLength: 3 }),
      (course, mother, children) => {
        const one = { ...course, mother, children };
        assert.equal(expandCourse(stored(one)), one);
      },
    ),
    runs(),
  );
});

sparse('of a course of which nothing is known hardly anything is stored', () => {
  assert.equal(stored(emptyCourseOfCare()), { mother: { address: {} }, children: [] });
});

sparse('of a transfer only what is known is stored', () => {
  const transfers = [
    buildTransfer({ type: 'mother', direction: 'in', place: 'home', timing: 'during labor' }),
  ];
  const course = { ...emptyCourseOfCare(), transfers };
  assert.equal(stored(course).transfers, [
    { type: 'mother', direction: 'in', place: 'home', timing: 'during labor' },
  ]);
  assert.equal(expandCourse(stored(course)), course);
});

sparse('values of custom fields are kept as they are, null too', () => {
  const course = { ...emptyCourseOfCare(), custom: { 'field-1': null, 'field-2': 0 } };
  assert.equal(expandCourse(stored(course)), course);
});

sparse('dates in parts are stored beside the date, which version 0.2 reads as unknown', () => {
  const course = {
    ...emptyCourseOfCare(),
    last_menstrual_period: '2026-02',
    first_prenatal_visit: '2026-03-04',
    mother: { ...emptyMother(), birth_date: '1994' },
  };
  assert.equal(stored(course), {
    last_menstrual_period_parts: '2026-02',
    first_prenatal_visit: '2026-03-04',
    mother: { birth_date_parts: '1994', address: {} },
    children: [],
  });
  assert.equal(expandCourse(stored(course)), course);
});

sparse.run();
