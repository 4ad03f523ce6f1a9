import type { ComponentChildren } from 'preact';
import { FORM_ID_FIELD, newFormId } from '../../web/once.ts';
import { Confirm } from '../frame/confirm.tsx';

/** A page that asks before an account is changed. */
export interface AccountQuestion {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Whose account it is. */
interface Asked {
  readonly email: string;
  /** Address of the person; what is done is named beneath it. */
  readonly at: string;
  /** Where nothing happens. */
  readonly back: string;
}

/** Before a one-time password takes the place of a person's own. */
export const newPasswordQuestion = ({ email, at, back }: Asked): AccountQuestion => ({
  title: `New password for ${email}?`,
  children: (
    <Confirm
      action={`${at}/password`}
      submit="Give a new password"
      cancel={back}
      fields={{ [FORM_ID_FIELD]: newFormId() }}
    >
      <p>
        <strong>{email}</strong> is signed out everywhere, and the password they have now opens
        nothing any more. You get a one-time password to hand over, with which they choose another.
      </p>
    </Confirm>
  ),
});

/** Before the sessions of a person end. */
export const signOutQuestion = ({ email, at, back }: Asked): AccountQuestion => ({
  title: `Sign ${email} out everywhere?`,
  children: (
    <Confirm action={`${at}/sign-out`} submit="Sign out everywhere" cancel={back}>
      <p>
        Every browser in which <strong>{email}</strong> is signed in is signed out at once: such as
        one that was lost. Their account and their password stay, and they may sign in again.
      </p>
    </Confirm>
  ),
});

/** Before an account is shut. @param submit the button @param children what is lost, and what stays */
export const removeQuestion = ({
  email,
  at,
  back,
  submit,
  children,
}: Asked & {
  readonly submit: string;
  readonly children: ComponentChildren;
}): AccountQuestion => ({
  title: `Remove ${email}?`,
  children: (
    <Confirm action={`${at}/remove`} submit={submit} cancel={back} destructive>
      <p>{children}</p>
    </Confirm>
  ),
});
