import { RadioGroup } from '../layout/radio-group.tsx';
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
      Nothing is saved yet. Someone else changed this record after you opened the form. Where the
      two versions differ, choose the right value. Everything else in the record stays unchanged.
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
    hint={isYours && isTheirs ? 'You both changed it.' : undefined}
    choices={[
      { value: 'theirs', text: `In the record now: ${from ?? 'Not recorded'}` },
      { value: 'yours', text: `Yours: ${to ?? 'Not recorded'}` },
    ]}
    value={isYours ? 'yours' : 'theirs'}
  />
);
