import type { CourseOfCare } from '../../../domain/course/course.ts';
import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '../../../domain/text-input.ts';
import { Confirm } from '../layout/confirm.tsx';
import { Notice } from '../layout/flash-messages.tsx';
import { TextArea } from '../layout/text-area.tsx';
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

/** States exactly the effect of a void, and asks for the reason. */
export const VoidPage = ({
  course,
  version,
  practice,
  href,
  action,
  fields,
  survivorName,
  reason,
  isOutdated = false,
}: {
  readonly course: CourseOfCare;
  readonly version: number;
  readonly practice: string;
  readonly href: string;
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Name of the other record of a pair of duplicates. */
  readonly survivorName?: string;
  readonly reason: string;
  /** True if the record has changed since the page was first shown. */
  readonly isOutdated?: boolean;
}) => {
  const hasChartNumber = course.chart_number !== null;
  return (
    <>
      {isOutdated && (
        <Notice kind="warning" id="not-voided">
          This record was not voided, because it has changed since you opened this page. It is now
          at version {version}. <a href={href}>Review it</a>, then void it here if you still want
          to.
        </Notice>
      )}
      <Confirm
        action={action}
        submit="Void record"
        cancel={href}
        destructive
        fields={{ ...fields, version: String(version) }}
      >
        <p>
          You are about to void the record of {describeRecord(course)}, version {version}. For
          everyone at {practice}:
        </p>
        <ul class="usa-list">
          <li>It leaves the births log, the statistics and the benchmarks at once.</li>
          <li>It stays under Records, marked as voided, with its whole history.</li>
          <li>It no longer counts as a duplicate of any record.</li>
          {survivorName !== undefined && <li>{survivorName} does not change.</li>}
          <li data-message="can-be-restored">
            An Admin or Provider can restore it later
            {hasChartNumber && ', and it becomes active again if an EHR sends it again'}.
            {hasChartNumber && ' Home then asks whether to keep it.'}
          </li>
        </ul>
        <TextArea
          name="reason"
          label="Reason for voiding"
          hint={`${MIN_REASON_LENGTH} to ${MAX_REASON_LENGTH} characters. Everyone who may read the record can read this.`}
          rows={3}
          maxLength={MAX_REASON_LENGTH}
          value={reason}
        />
      </Confirm>
    </>
  );
};
