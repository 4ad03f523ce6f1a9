import { ChangesTable } from '../layout/changes-table.tsx';
import { RadioGroup } from '../layout/radio-group.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import {
  ConfirmationForm,
  type ConfirmationProps,
  ReturnToForm,
} from '../parts/birth-form/confirm/confirmation-form.tsx';
import type { FormattedChange } from '../text/course-values.ts';

export interface ChoosableChange extends FormattedChange {
  /** True if the person who is asked changed it. */
  readonly isYours: boolean;
  readonly isTheirs: boolean;
}

export const choiceFieldName = (path: string): string => `take.${path}`;

export const RecordChanged = ({
  choices,
  ...asking
}: ConfirmationProps & { readonly choices: readonly ChoosableChange[] }) => (
  <ConfirmationForm {...asking}>
    <p data-message="record-changed">
      Not recorded yet. This record changed after you opened the form. Where the two versions
      differ, choose the right value. Everything else in the record stays unchanged.
    </p>
    {choices.length === 0 && <p>The record already has the values you entered.</p>}
    <div class="birth-form__choices">
      {choices.map((choice) => (
        <VersionChoice key={choice.path} {...choice} />
      ))}
    </div>
    <div class="buttons">
      <button type="submit" name="save" value="merge" class="usa-button">
        Save correction
      </button>
      <ReturnToForm />
    </div>
  </ConfirmationForm>
);

const VersionChoice = ({ path, label, from, to, isYours, isTheirs }: ChoosableChange) => (
  <RadioGroup
    name={choiceFieldName(path)}
    label={label}
    hint={isYours && isTheirs ? 'It changed in both versions.' : undefined}
    choices={[
      { value: 'theirs', text: `In the record now: ${from ?? 'Not recorded'}` },
      { value: 'yours', text: `Yours: ${to ?? 'Not recorded'}` },
    ]}
    value={isYours ? 'yours' : 'theirs'}
  />
);

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
        <ChangesTable
          caption="What you changed (the birth form also has the other values)"
          changes={changes}
          before="Before"
          after="What you typed"
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
