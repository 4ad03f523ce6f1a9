import type { CourseOfCare } from '../../../../domain/course/course.ts';
import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '../../../../domain/text-input.ts';
import { Confirm } from '../../layout/confirm.tsx';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { type FieldError, findError } from '../../layout/field-errors.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { TextArea } from '../../layout/text-area.tsx';
import { buildRecordHeading } from '../../text/record-titles.ts';

/** Start of a sentence that the page completes. */
export const CAN_BE_BROUGHT_BACK = 'An Admin or Provider can bring it back later, as it was';

export interface VoidPageProps {
  readonly course: CourseOfCare;
  readonly version: number;
  readonly practice: string;
  /** Address to return to. */
  readonly href: string;
  /** Path of the form, with fields in addition to version and reason. */
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Name of the other record of a pair of duplicates. */
  readonly kept?: string;
  readonly reason: string;
  readonly errors: readonly FieldError[];
  /** True if the record has changed since the page was first shown. */
  readonly isChangedMeanwhile?: boolean;
}

/**
 * Explains why nothing was voided.
 * @param version current version of the record
 */
export const describeNotVoided = (version: number): string =>
  `Nothing was voided: this record has changed in the meantime, and it is at version ${version} now.`;

/** States exactly the effect of a void, and asks for the reason. */
export const VoidPage = (props: VoidPageProps) => {
  const { course, version, practice, href, action, fields, kept, reason, errors } = props;
  const { chart_number: chartNumber, children } = course;
  return (
    <>
      <ErrorSummary errors={errors} />
      {props.isChangedMeanwhile && (
        <Notice kind="warning">
          {describeNotVoided(version)} <a href={href}>Look at it again</a>, then void it here if you
          still want to.
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
          You are about to void the record of <strong>{buildRecordHeading(course)}</strong>
          {chartNumber !== null && <>, chart number {chartNumber}</>},{' '}
          {children.length === 1 ? 'one child' : `${children.length} children`}, version {version}.
          For everyone at {practice}:
        </p>
        <ul class="changes">
          <li>It leaves the births log, the statistics and the benchmarks at once.</li>
          <li>It stays under Records, marked as voided, with its whole history.</li>
          <li>It no longer counts as a duplicate of any record.</li>
          {kept !== undefined && <li>{kept} stays as it is.</li>}
          <li>
            {CAN_BE_BROUGHT_BACK}
            {chartNumber !== null && ', and it becomes active again if an EHR sends it again'}.
            {chartNumber !== null && ' Home then asks whether to keep it.'}
          </li>
        </ul>
        <TextArea
          name="reason"
          label="Why is it voided?"
          hint={`${MIN_REASON_LENGTH} to ${MAX_REASON_LENGTH} characters. Everyone who may read the record can read this.`}
          rows={3}
          maxLength={MAX_REASON_LENGTH}
          value={reason}
          error={findError(errors, 'reason')}
        />
      </Confirm>
    </>
  );
};
