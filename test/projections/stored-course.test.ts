import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  type Mother,
} from '../../domain/course/course.ts';
import { FIELDS } from '../../domain/course/fields.ts';
import { decodeCourse, encodeCourse } from '../../projections/tables/course-codec.ts';
import { courseOfInes } from '../support/birth-records.ts';
import { runs } from '../support/runs.ts';

const stored = suite('courses of care as the tables hold them');

const STAMP = '2026-05-13T09:00:00.000000000Z';

/** What comes back of a course through the column and those beside it. */
const throughTables = (course: CourseOfCare, stamp: string | null): CourseOfCare =>
  decodeCourse({
    course: JSON.parse(JSON.stringify(encodeCourse(course, stamp))),
    chart_number: course.chart_number,
    stamp,
  });

/** Another value in every field that holds a plain one: no two of them may share a place. */
const everyFieldTold = (): CourseOfCare => {
  const told = (holder: string) =>
    Object.fromEntries(
      FIELDS.filter((field) => field.parent === holder && field.type !== 'marks').map(
        ({ name, path, type }) => [name, type === 'texts' || type === 'codes' ? [path] : path],
      ),
    );
  return {
    ...emptyCourseOfCare(),
    ...told(''),
    mother: { ...(told('mother') as unknown as Mother), address: told('mother.address') as never },
    children: [told('children') as unknown as Child, emptyChild()],
  };
};

stored('every field comes back as it was', () => {
  const course = everyFieldTold();
  assert.equal(throughTables(course, STAMP), course);
});

stored('so does a stamp that is the version’s, another one, or none', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(null, STAMP, 'another'),
      fc.constantFrom(null, STAMP),
      (stated, held) => {
        const course = { ...courseOfInes, stamp: stated };
        assert.equal(throughTables(course, held), course);
      },
    ),
    runs(),
  );
});

stored('what stands in columns beside it is not stored twice', () => {
  const course = { ...courseOfInes, stamp: STAMP };
  assert.equal(encodeCourse(course, STAMP), {
    m: {},
    c: [{ bd: '2026-05-12', g: 3_200 }],
    p: 'Hospital',
  });
});

stored.run();
