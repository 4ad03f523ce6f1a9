import type { NamedRecord } from '../../../../../projections/lists/records.ts';
import { ChangesTable } from '../../../layout/changes-table.tsx';
import { CheckboxField } from '../../../layout/checkbox-field.tsx';
import { ErrorSummary } from '../../../layout/error-summary.tsx';
import { type FieldError, findError } from '../../../layout/field-errors.ts';
import { RecordLink } from '../../../layout/record-link.tsx';
import type { FormattedChange } from '../../../text/course-values.ts';
import { type ComparedBirths, formatMotherAndBirth } from './compare-births.ts';
import { ConfirmationForm, type ConfirmationProps, ReturnToForm } from './confirmation-form.tsx';
import { SideBySide } from './side-by-side.tsx';

const MovedOnNote = ({ hasValues }: { readonly hasValues: boolean }) => (
  <p>
    <strong data-message="record-has-changed">
      That record has changed since you opened this page.
    </strong>
    {hasValues && ' Its current values are shown here.'}
  </p>
);

interface RecordWithNumber {
  readonly record: NamedRecord;
  readonly isVoided: boolean;
  readonly changes: readonly FormattedChange[];
}

interface ChartNumberProps<ExistingRecord> extends ConfirmationProps {
  readonly chartNumber: string;
  /** `null` if the seat may not read records; it can send the birth for review. */
  readonly existing: ExistingRecord | null;
  /** True if the record has changed since the previous question. */
  readonly hasMovedOn: boolean;
}

export const ChartNumberInUse = ({
  chartNumber,
  existing,
  hasMovedOn,
  ...asking
}: ChartNumberProps<RecordWithNumber>) => (
  <ConfirmationForm {...asking}>
    {hasMovedOn && <MovedOnNote hasValues={existing !== null} />}
    <p data-message="chart-number-in-use">
      Not recorded yet. Chart number <strong>{chartNumber}</strong> is already in use for{' '}
      {existing === null ? (
        'a record at your practice'
      ) : (
        <RecordLink id={existing.record.submissionUuid}>
          the record of {formatMotherAndBirth(existing.record)}
        </RecordLink>
      )}
      . Amend it?
    </p>
    {existing?.isVoided === true && (
      <p data-message="record-is-voided">
        That record is voided. Amending it restores it, with its history.
      </p>
    )}
    {existing === null ? (
      <p>
        Amending replaces the values in that record with yours, including fields you left empty. The
        earlier version stays in its history.
      </p>
    ) : (
      <>
        {existing.changes.length === 0 ? (
          <p>Nothing would change: the record already has the values you entered.</p>
        ) : (
          <ChangesTable
            caption="What would change (the earlier version stays in the history)"
            changes={existing.changes}
            after="After amending"
          />
        )}
        {!existing.isVoided && (
          <p class="margin-top-2 margin-bottom-0">
            To change only some values,{' '}
            <RecordLink id={existing.record.submissionUuid} to="/correct">
              correct the record
            </RecordLink>{' '}
            instead.
          </p>
        )}
      </>
    )}
    <div class="buttons">
      <button type="submit" name="save" value="amend" class="usa-button">
        Amend record
      </button>
      <ReturnToForm />
    </div>
  </ConfirmationForm>
);

/** Record of another woman, compared with the input under its chart number. */
interface OtherMothersRecord {
  readonly record: NamedRecord;
  readonly isVoided: boolean;
  readonly beside: ComparedBirths;
}

interface DifferentMotherProps extends ChartNumberProps<OtherMothersRecord> {
  readonly entered: string | null;
  readonly errors: readonly FieldError[];
}

/** Opens the option to replace another woman's record. */
export const CHART_NUMBER_IS_RIGHT = 'The chart number is right, and the other record is wrong';

export const REPLACES_FIELD = 'replaces';

/** The chart number belongs to another woman and probably needs correction. */
export const DifferentMother = (props: DifferentMotherProps) => {
  const { chartNumber, existing, entered, hasMovedOn, errors, ...asking } = props;
  return (
    <ConfirmationForm {...asking}>
      <ErrorSummary errors={errors} />
      {hasMovedOn && <MovedOnNote hasValues={existing !== null} />}
      <p>
        Not recorded yet. Chart number <strong>{chartNumber}</strong> is on a{' '}
        {existing?.isVoided === true ? 'voided ' : ''}record of{' '}
        {existing === null ? (
          <>another woman: its mother’s name or dates are not the ones you entered.</>
        ) : (
          <>
            another woman,{' '}
            <RecordLink id={existing.record.submissionUuid}>
              {formatMotherAndBirth(existing.record)}
            </RecordLink>
            .
          </>
        )}{' '}
        Check the chart number first.
      </p>
      {existing !== null && <SideBySide beside={existing.beside} sent="You entered" />}
      <div class="buttons">
        <button type="submit" name="back" value="chart-number" class="usa-button">
          Change the chart number
        </button>
        {existing === null && (
          <button
            type="submit"
            name="save"
            value="hand-over"
            class="usa-button usa-button--outline"
          >
            Send to a Provider for review
          </button>
        )}
      </div>
      {existing === null ? (
        <p class="quiet">
          If the chart number is right, send the birth to a Provider. They can see both records.
          Your entry is kept for 30 days.
        </p>
      ) : (
        <ReplacementQuestion
          mother={existing.record.motherName}
          entered={entered}
          errors={errors}
        />
      )}
    </ConfirmationForm>
  );
};

const ReplacementQuestion = ({
  mother,
  entered,
  errors,
}: {
  readonly mother: string | null;
  readonly entered: string | null;
  readonly errors: readonly FieldError[];
}) => (
  <details class="margin-top-3" open={errors.length > 0}>
    <summary>{CHART_NUMBER_IS_RIGHT}</summary>
    <CheckboxField
      name={REPLACES_FIELD}
      label={describeReplacedRecord(mother, entered)}
      hint="This replaces the record with a different birth. Its current values stay only in its history."
      error={findError(errors, REPLACES_FIELD)}
    />
    <div class="buttons">
      <button type="submit" name="save" value="amend" class="usa-button usa-button--secondary">
        Amend record
      </button>
    </div>
  </details>
);

/** "Replace the record of Ana Díaz with the birth of Bea Okafor". */
export const describeReplacedRecord = (mother: string | null, entered: string | null): string =>
  `Replace the record of ${mother ?? 'a mother whose name is not recorded'} with the birth of ${entered ?? 'a mother whose name is not entered'}`;
