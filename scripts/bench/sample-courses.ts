import { mapCourse } from '../../domain/bfdr/course-mapper.ts';
import type { CourseOfCare } from '../../domain/course-of-care/canonical-record.ts';
import { practiceOf, type SynthesisPlan, submissionsOf } from '../synthesis/submissions.ts';
import { bundleOf } from '../synthesis/written-submissions.ts';

const DIFFERENT = 2_000;
const BASE = 36;

/**
 * Courses of care for a practice of many years: synthetic births, told again and again under other
 * names, chart numbers and years.
 */
export function* sampleCourses(count: number): Generator<CourseOfCare, void> {
  const told = differentCourses();
  for (let n = 0; n < count; n += 1) {
    const course = told[n % told.length];
    if (course === undefined) return;
    const again = Math.floor(n / told.length);
    yield {
      ...course,
      chart_number: `BENCH-${String(n).padStart(7, '0')}`,
      mother: { ...course.mother, family_name: `${course.mother.family_name} ${nameOf(n)}` },
      children: course.children.map((child) => ({
        ...child,
        birth_date: child.birth_date?.replace(/^\d{4}/, String(2015 + (again % 10))) ?? null,
      })),
    };
  }
}

const differentCourses = (): readonly CourseOfCare[] => {
  const plan: SynthesisPlan = {
    courses: DIFFERENT,
    seed: 'bench',
    lane: 'native',
    year: 2025,
    until: null,
    practicePrefix: 'BENCH',
  };
  const practice = practiceOf(plan);
  return [...submissionsOf(plan)].flatMap((submission) => {
    if (submission.kind !== 'birth') return [];
    const bundle = bundleOf(submission, practice, 'native');
    const mapped = mapCourse({ position: 0, bundle, retractedByEntry: false }, 'native', []);
    return mapped.kind === 'course' ? [mapped.course] : [];
  });
};

/** Letters that tell one family from another. */
const nameOf = (n: number): string =>
  n
    .toString(BASE)
    .replace(/\d/g, (digit) => String.fromCharCode('q'.charCodeAt(0) + Number(digit)));
