import type { NamedRecord } from '../../../../../projections/lists/records.ts';
import {
  ConfirmationForm,
  type ConfirmationProps,
  RecordLinks,
  ReturnToForm,
} from './confirmation-form.tsx';

/** @param records `null` if the seat may not read them */
export const PossibleDuplicate = ({
  records,
  ...asking
}: ConfirmationProps & { readonly records: readonly NamedRecord[] | null }) => (
  <ConfirmationForm {...asking}>
    <p>
      Nothing is saved yet. Your practice already has a record with the same mother and time of
      birth{records === null ? '.' : ':'}
    </p>
    {records !== null && <RecordLinks records={records} />}
    <p>
      If this is a different birth, save it: it is flagged as a possible duplicate, so that someone
      compares the two. If it is the same birth, you don’t need to enter it again.
    </p>
    <div class="buttons">
      <button type="submit" name="save" value="overrule" class="usa-button">
        Save and flag as possible duplicate
      </button>
      <ReturnToForm />
    </div>
  </ConfirmationForm>
);
