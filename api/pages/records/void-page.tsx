import type { KnownBirthRecord } from '../../../domain/course-of-care/state.ts';
import { LONGEST_REASON, SHORTEST_REASON } from '../../../domain/course-of-care/void-record.ts';
import { Confirm } from '../frame/confirm.tsx';
import { ErrorSummary } from '../frame/error-summary.tsx';
import { errorOf, type FieldError } from '../frame/field-errors.ts';
import { Notice } from '../frame/flash-messages.tsx';
import { TextArea } from '../frame/text-area.tsx';
import { recordHeading } from './record-titles.ts';
import { VoidingChanges } from './voiding-changes.tsx';

/** What the page asks and shows that voids a record. */
export interface VoidPageProps {
  readonly state: KnownBirthRecord;
  /** Name of the practice. */
  readonly practice: string;
  /** Address of the record's page. */
  readonly href: string;
  readonly reason: string;
  readonly errors: readonly FieldError[];
  /** Somebody has changed the record since the page was first shown. */
  readonly isChangedMeanwhile: boolean;
}

/** Says exactly what voiding a record changes, and asks for the reason. */
export const VoidPage = (props: VoidPageProps) => {
  const { state, practice, href, reason, errors, isChangedMeanwhile } = props;
  const { chart_number: chartNumber, children } = state.course;
  return (
    <>
      <ErrorSummary errors={errors} />
      {isChangedMeanwhile && (
        <Notice kind="warning">
          Nothing was voided: somebody has changed this record in the meantime, it is at version{' '}
          {state.version} now. <a href={href}>Look at it again</a>, then void it here if it still
          has to go.
        </Notice>
      )}
      <Confirm
        action={`${href}/void`}
        submit="Void record"
        cancel={href}
        destructive
        fields={{ version: String(state.version) }}
      >
        <p>
          You are about to void the record of <strong>{recordHeading(state.course)}</strong>
          {chartNumber !== null && <>, chart number {chartNumber}</>},{' '}
          {children.length === 1 ? 'one child' : `${children.length} children`}, version{' '}
          {state.version}. For everybody at {practice}:
        </p>
        <VoidingChanges chartNumber={chartNumber} />
        <TextArea
          name="reason"
          label="Why is it voided?"
          hint={`${SHORTEST_REASON} to ${LONGEST_REASON} characters. Everybody who may read the record can read this.`}
          rows={3}
          maxLength={LONGEST_REASON}
          value={reason}
          error={errorOf(errors, 'reason')}
        />
      </Confirm>
    </>
  );
};
