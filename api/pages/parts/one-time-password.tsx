import type { OneTimePassword } from '../../commands/account-credentials.ts';
import type { Once } from '../../web/single-use-form.ts';
import { Notice } from '../layout/flash-messages.tsx';
import type { PageView } from '../layout/page.tsx';
import { ShownOnce } from '../layout/shown-once.tsx';
import { Time } from '../layout/time.tsx';

export interface OneTimePasswordProps {
  readonly title: string;
  readonly email: string;
  /** Role that the person is invited to; `null` for a new password of an existing account. */
  readonly role: string | null;
  readonly signInAt: string;
  readonly back: string;
}

/** The password is on no other page; a form that was already sent gets a note instead. */
export const buildPasswordPage = (
  once: Once<OneTimePassword>,
  props: OneTimePasswordProps,
): PageView =>
  once.kind === 'repeated'
    ? { title: 'Already done', children: <PasswordUnavailable back={props.back} /> }
    : {
        title: props.title,
        scripts: ['copy.mjs'],
        children: <OneTimePasswordPage {...props} password={once.value} />,
      };

const OneTimePasswordPage = ({
  email,
  role,
  signInAt,
  back,
  password: { oneTimePassword, expiresAt },
}: OneTimePasswordProps & { readonly password: OneTimePassword }) => (
  <>
    <Notice kind="warning">
      This password is shown only once. Give it to the person now, by phone or in person. They can
      only use it to choose their own password, until <Time at={expiresAt} />.
    </Notice>
    <p>
      {role !== null && (
        <>
          <strong>{email}</strong> is invited as {role}, and becomes a member after choosing a
          password.{' '}
        </>
      )}
      They sign in as <strong>{email}</strong> with this password at{' '}
      <a href={signInAt}>{signInAt}</a>, and then choose their own.
    </p>
    <ShownOnce
      id="one-time-password"
      label="One-time password"
      text={oneTimePassword}
      copy="Copy password"
    />
    <p>
      <a href={back}>Done</a>
    </p>
  </>
);

const PasswordUnavailable = ({ back }: { readonly back: string }) => (
  <>
    <Notice kind="info">This was already done. The password is not shown again.</Notice>
    <p>
      If the person did not get it, create a new one for them. The earlier one will stop working.
    </p>
    <p>
      <a href={back}>Go back</a>
    </p>
  </>
);
