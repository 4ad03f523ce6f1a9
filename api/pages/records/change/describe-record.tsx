import type { CourseOfCare } from '../../../../domain/course/course.ts';
import { buildRecordHeading } from '../../text/record-titles.ts';

/** Record within a sentence that states what will change. */
export const describeRecord = (course: CourseOfCare) => {
  const { chart_number: chartNumber, children } = course;
  return (
    <>
      <strong>{buildRecordHeading(course)}</strong>
      {chartNumber === null ? ', without a chart number' : `, chart number ${chartNumber}`},{' '}
      {children.length === 1 ? 'one child' : `${children.length} children`}
    </>
  );
};
