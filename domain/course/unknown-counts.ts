import { type CourseOfCare, WARNING_REASONS, type Warning } from './course.ts';
import { FIELDS } from './fields.ts';
import { UNKNOWN_COUNT } from './possible-ranges.ts';

const COUNTS = FIELDS.filter(({ holder, unknown }) => holder === '' && unknown !== undefined).map(
  ({ path }) => path as keyof CourseOfCare,
);

const ID = 'code-for-unknown';

/**
 * A course of care as it is read today: where 99 was stored for a count that is not known, the count is not
 * known, and a warning says what was sent. What was stored before 99 was read so stays in the log.
 */
export const withUnknownCounts = (course: CourseOfCare): CourseOfCare => {
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
