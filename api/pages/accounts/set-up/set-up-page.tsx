import { MIN_PASSWORD_LENGTH } from '../../../../domain/account/credentials.ts';
import { Form } from '../../layout/form.tsx';
import { RadioGroup } from '../../layout/radio-group.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { NameField } from '../../parts/name-form.tsx';
import { CredentialFields } from '../sign-in/credential-fields.tsx';

export interface SetUpValues {
  readonly staffName: string;
  readonly staffEmail: string;
  readonly staffPassword: string;
  readonly practiceName: string;
  readonly isSandbox: boolean;
  readonly adminName: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
}

export const PURPOSES = [
  {
    value: 'sandbox',
    text: 'To try out the registry with made-up births only (a sandbox, marked on every page)',
  },
  { value: 'real', text: 'For real births' },
] as const;

const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters`;

export const SetUpForm = ({ values }: { readonly values: SetUpValues }) => (
  <Form action="/set-up" values={values}>
    <p>
      This registry is empty. Create its first two accounts and its first practice here. You will
      then be signed in as the practice’s Admin and can send a test birth.
    </p>
    <h2>Service staff</h2>
    <p>This account sets up practices and partners. It cannot see any births.</p>
    <NameField
      field="staffName"
      label="Name of the staff member"
      autocomplete="section-staff name"
    />
    <CredentialFields
      email={{
        name: 'staffEmail',
        label: 'Email of the service staff',
        autocomplete: 'section-staff username',
      }}
      password={{
        name: 'staffPassword',
        label: 'Password of the service staff',
        autocomplete: 'section-staff new-password',
        hint: PASSWORD_HINT,
      }}
    />
    <h2>First practice</h2>
    <TextField name="practiceName" label="Name of the practice" autocomplete="organization" />
    <RadioGroup
      name="purpose"
      label="What is it for?"
      choices={PURPOSES}
      value={values.isSandbox ? 'sandbox' : 'real'}
    />
    <h2>Admin of the practice</h2>
    <p>
      This account enters and views births, manages API keys, and invites colleagues. It needs an
      email of its own, even if one person has both accounts.
    </p>
    <NameField field="adminName" label="Name of the Admin" autocomplete="section-admin name" />
    <CredentialFields
      email={{
        name: 'adminEmail',
        label: 'Email of the Admin',
        autocomplete: 'section-admin username',
      }}
      password={{
        name: 'adminPassword',
        label: 'Password of the Admin',
        autocomplete: 'section-admin new-password',
        hint: PASSWORD_HINT,
      }}
    />
    <div class="buttons">
      <button type="submit" class="usa-button">
        Set up the registry
      </button>
    </div>
  </Form>
);
