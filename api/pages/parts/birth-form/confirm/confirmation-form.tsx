import type { ComponentChildren } from 'preact';
import type { NamedRecord } from '../../../../../projections/lists/records.ts';
import { Form } from '../../../layout/form.tsx';
import { HiddenFields } from '../../../layout/hidden-fields.tsx';
import { RecordLink } from '../../../layout/record-link.tsx';
import { formatChartAndMother } from './compare-births.ts';

/** Page between the form and saving, with the form's values as hidden fields. */
export interface ConfirmationProps {
  readonly action: string;
  readonly carried: Readonly<Record<string, string>>;
}

export const ConfirmationForm = ({
  action,
  carried,
  children,
}: ConfirmationProps & { readonly children: ComponentChildren }) => (
  <Form action={action} class="birth-form">
    <HiddenFields values={carried} />
    {children}
  </Form>
);

export const ReturnToForm = () => (
  <button type="submit" name="back" value="yes" class="usa-button usa-button--outline">
    Return to the form
  </button>
);

export const RecordLinks = ({ records }: { readonly records: readonly NamedRecord[] }) => (
  <ul>
    {records.map((record) => (
      <li key={record.submissionUuid}>
        <RecordLink id={record.submissionUuid}>{formatChartAndMother(record)}</RecordLink>
      </li>
    ))}
  </ul>
);
