import { type CourseOfCare, WARNING_REASONS, type Warning } from './course.ts';
import { FIELDS } from './fields.ts';
import { UNKNOWN_COUNT } from './possible-ranges.ts';

const COUNTS = FIELDS.filter(
  ({ parent, unknownValue }) => parent === '' && unknownValue !== undefined,
).map(({ path }) => path as keyof CourseOfCare);

const ID = 'code-for-unknown';

/** An earlier version stored 99 for an unknown count. The log stays unchanged. */
export const upcastUnknownCounts = (course: CourseOfCare): CourseOfCare => {
  const unknown = COUNTS.filter((name) => course[name] === UNKNOWN_COUNT);
  if (unknown.length === 0) return course;
  const warnings = unknown.map(
    (field): Warning => ({
      field,
      child: null,
      raw: UNKNOWN_COUNT,
      id: ID,
      reason: WARNING_REASONS[ID],
    }),
  );
  return {
    ...course,
    ...Object.fromEntries(unknown.map((name) => [name, null])),
    warnings: [...course.warnings, ...warnings],
  };
};
