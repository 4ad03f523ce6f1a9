import { type FieldError, findError } from './field-errors.ts';
import { TextField } from './text-field.tsx';

export const EmailField = ({
  email,
  errors,
}: {
  readonly email?: string;
  readonly errors?: readonly FieldError[];
}) => (
  <TextField
    name="email"
    label="Email"
    type="email"
    inputMode="email"
    value={email}
    error={errors && findError(errors, 'email')}
  />
);
