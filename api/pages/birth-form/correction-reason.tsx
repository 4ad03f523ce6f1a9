import type { Request } from 'express';
import {
  type ChosenReason,
  CORRECTION_REASONS,
  OTHER_REASON,
  parseCorrectionReason,
} from '../../../domain/birth-record/correction-reason.ts';
import type { FieldMessage } from '../../../domain/course/field-messages.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import type { ParsedCourse } from '../../../domain/mapping/form/parse-course.ts';
import { formatRefusal } from '../../commands/refusal-messages.ts';
import { readFormText } from '../../web/form-body.ts';
import { RadioGroup } from '../layout/radio-group.tsx';
import { Section } from '../layout/section.tsx';
import { TextField } from '../layout/text-field.tsx';
import { messageFor } from '../parts/birth-form/form/form-values.ts';

const CHOICE = 'reason';
const TEXT = 'reason_text';

const CHOICES = [...CORRECTION_REASONS, OTHER_REASON].map((text) => ({ value: text, text }));

/** Fields for the reason of a correction; `values` and `errors` are those of its form. */
export const CorrectionReasonFields = ({
  values,
  errors,
}: {
  readonly values: FormValues;
  readonly errors: readonly FieldMessage[];
}) => (
  <Section id="reason-heading" heading="Reason for the correction" class="birth-form__section">
    <RadioGroup
      name={CHOICE}
      label="Why are you correcting this record?"
      hint="Anyone who can view the record can see this in its history."
      choices={CHOICES}
      value={values[CHOICE]}
      error={messageFor(errors, CHOICE)}
    />
    <TextField
      name={TEXT}
      label={`Details (required for “${OTHER_REASON}”)`}
      value={values[TEXT]}
      error={messageFor(errors, TEXT)}
      width="full"
    />
  </Section>
);

export const readReasonValues = (req: Request): FormValues => ({
  [CHOICE]: readFormText(req, CHOICE),
  [TEXT]: readFormText(req, TEXT),
});

/** Removes the reason from the values: it is not part of the record. */
export const removeReason = ({
  [CHOICE]: _choice,
  [TEXT]: _text,
  ...values
}: FormValues): FormValues => values;

const parseChosenReason = (values: FormValues): ChosenReason => ({
  choice: values[CHOICE] ?? '',
  text: values[TEXT] ?? '',
});

/** Reason to store; `undefined` if it is invalid. */
export const parseReason = (values: FormValues): string | undefined => {
  const read = parseCorrectionReason(parseChosenReason(values));
  return read.kind === 'reason' ? read.reason : undefined;
};

export const addReasonErrors = (read: ParsedCourse, values: FormValues): ParsedCourse => {
  const reason = parseCorrectionReason(parseChosenReason(values));
  if (reason.kind === 'reason') return read;
  const error: FieldMessage = {
    path: reason.about === 'choice' ? CHOICE : TEXT,
    id: reason.why.code,
    message: formatRefusal(reason.why),
  };
  const errors = read.kind === 'refused' ? [...read.errors, error] : [error];
  const { notices, childIndexes } = read;
  return { kind: 'refused', errors, notices, childIndexes };
};
