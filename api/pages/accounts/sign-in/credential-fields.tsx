import { TextField, type TextFieldProps } from '../../layout/text-field.tsx';

type CredentialField = Pick<TextFieldProps, 'name' | 'label' | 'hint'> & {
  readonly autocomplete: string;
};

export const CredentialFields = ({
  email,
  password,
}: {
  readonly email: CredentialField;
  readonly password: CredentialField;
}) => (
  <>
    <TextField {...email} type="email" inputMode="email" />
    <TextField {...password} type="password" />
  </>
);
