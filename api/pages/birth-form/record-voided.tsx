import { DataTable } from '../layout/data-table.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import {
  ConfirmationForm,
  type ConfirmationProps,
} from '../parts/birth-form/confirm/confirmation-form.tsx';
import type { FormattedChange } from '../text/course-values.ts';

interface VoidedProps extends ConfirmationProps {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  /** Changes that the person typed. */
  readonly changes: readonly FormattedChange[];
}

/** The record is voided, usually since the correction began. */
export const RecordVoided = ({ submissionUuid, chartNumber, changes, ...asking }: VoidedProps) => {
  const record = <RecordLink id={submissionUuid}>This record</RecordLink>;
  const hasTyped = changes.length > 0;
  return (
    <ConfirmationForm {...asking}>
      {hasTyped ? (
        <p data-message="correction-not-saved">
          Nothing has been saved. {record} is voided, so it can’t be corrected. We kept what you
          typed.
        </p>
      ) : (
        <p>{record} is voided, so it can’t be corrected.</p>
      )}
      <p data-message="reentry">
        <RecordLink id={submissionUuid} to="/bring-back">
          Restore the record
        </RecordLink>
        {hasTyped ? ', then continue your correction. ' : ', then correct it. '}
        Or enter the birth again{chartNumber === null ? '' : ' under its chart number'}, with{' '}
        {hasTyped ? 'what you typed' : 'the values in this record'}.
        {chartNumber === null && ' This record then stays voided.'}
      </p>
      {hasTyped && (
        <DataTable
          caption="What you changed (the birth form also has the other values)"
          rows={changes}
          keyOf={({ path }) => path}
          columns={[
            { heading: 'Value', namesRow: true, cell: ({ label }) => label },
            { heading: 'Before', cell: ({ from }) => from ?? 'Not recorded' },
            { heading: 'What you typed', cell: ({ to }) => to ?? 'Not recorded' },
          ]}
        />
      )}
      <div class="buttons">
        <button type="submit" name="back" value="yes" class="usa-button">
          Enter the birth again
        </button>
      </div>
    </ConfirmationForm>
  );
};
