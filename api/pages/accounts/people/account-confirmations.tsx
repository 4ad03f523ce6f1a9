import type { ComponentChildren } from 'preact';
import {
  displayName,
  displayNameWithEmail,
  type NamedPerson,
} from '../../../../projections/lists/people-names.ts';
import { FORM_ID_FIELD, newFormId } from '../../../web/single-use-form.ts';
import { Confirm } from '../../layout/confirm.tsx';

/** Page that asks for confirmation before an account changes. */
export interface AccountConfirmation {
  readonly title: string;
  readonly tabTitle: string;
  readonly children: ComponentChildren;
}

/** Person whose account would change. */
interface ConfirmationSubject {
  readonly person: NamedPerson;
  /** Address of the person; the name of the action is appended. */
  readonly at: string;
}

/** Asks for confirmation before a one-time password replaces a person's password. */
export const buildPasswordConfirmation = ({
  person,
  at,
}: ConfirmationSubject): AccountConfirmation => ({
  title: `New password for ${displayName(person)}?`,
  tabTitle: 'New password?',
  children: (
    <Confirm
      action={`${at}/password`}
      submit="Give a new password"
      cancel={at}
      fields={{ [FORM_ID_FIELD]: newFormId() }}
    >
      <p>
        <strong>{displayNameWithEmail(person)}</strong> is signed out everywhere, and their current
        password stops working. You get a one-time password to give them. They use it to choose a
        new one.
      </p>
    </Confirm>
  ),
});

/** Asks for confirmation before a person's sessions end. */
export const buildSignOutConfirmation = ({
  person,
  at,
}: ConfirmationSubject): AccountConfirmation => ({
  title: `Sign ${displayName(person)} out everywhere?`,
  tabTitle: 'Sign out everywhere?',
  children: (
    <Confirm action={`${at}/sign-out`} submit="Sign out everywhere" cancel={at}>
      <p>
        <strong>{displayNameWithEmail(person)}</strong> is signed out at once in every browser,
        including on a lost phone or laptop. Their account and password stay the same, and they can
        sign in again.
      </p>
    </Confirm>
  ),
});

/**
 * Asks for confirmation before an account is closed.
 * @param submit button text
 * @param children consequences
 */
export const buildRemovalConfirmation = ({
  person,
  at,
  submit,
  children,
}: ConfirmationSubject & {
  readonly submit: string;
  readonly children: ComponentChildren;
}): AccountConfirmation => ({
  title: `Remove ${displayName(person)}?`,
  tabTitle: 'Remove a person?',
  children: (
    <Confirm action={`${at}/remove`} submit={submit} cancel={at} destructive>
      <p>{children}</p>
    </Confirm>
  ),
});
