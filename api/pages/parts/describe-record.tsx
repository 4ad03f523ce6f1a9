import type { CourseOfCare } from '../../../domain/course/course.ts';
import { buildRecordHeading } from '../text/record-titles.ts';

/** Record within a sentence that states what will change. */
export const describeRecord = (course: CourseOfCare) => {
  const { chart_number: chartNumber, children } = course;
  const heading = buildRecordHeading(course);
  // A record without a name is called by its chart number.
  const number =
    chartNumber !== null && heading.includes(chartNumber) ? '' : formatNumber(chartNumber);
  return (
    <>
      <strong>{heading}</strong>
      {number}, {children.length === 1 ? 'one child' : `${children.length} children`}
    </>
  );
};

const formatNumber = (chartNumber: string | null): string =>
  chartNumber === null ? ', without a chart number' : `, chart number ${chartNumber}`;
