import type { Request, Response } from 'express';
import type { OneTimePassword } from '../../../commands/account-credentials.ts';
import type { Once } from '../../../web/single-use-form.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { sendPage } from '../../layout/send-page.tsx';
import { ShownOnce } from '../../layout/shown-once.tsx';
import { Time } from '../../layout/time.tsx';

export interface OneTimePasswordProps {
  readonly title: string;
  readonly email: string;
  /** Seat that the person is invited to; `null` for a new password of an existing account. */
  readonly seat: string | null;
  /** Sign-in address. */
  readonly signInAt: string;
  readonly back: string;
}

/**
 * Sends a page with a one-time password, or states that the form was already sent; no other page
 * ever shows the password.
 */
export const sendOneTimePassword = (
  req: Request,
  res: Response,
  once: Once<OneTimePassword>,
  props: OneTimePasswordProps,
): void =>
  once.kind === 'repeated'
    ? sendPage(req, res, {
        title: 'Already done',
        children: <PasswordAlreadyShown back={props.back} />,
      })
    : sendPage(req, res, {
        title: props.title,
        scripts: ['copy.mjs'],
        children: <OneTimePasswordPage {...props} given={once.value} />,
      });

const OneTimePasswordPage = ({
  email,
  seat,
  signInAt,
  back,
  given: { oneTimePassword, expiresAt },
}: OneTimePasswordProps & { readonly given: OneTimePassword }) => (
  <>
    <Notice kind="warning">
      This password is shown only once. Give it to the person now, by phone or in person. It only
      lets them choose their own password, and it works until <Time at={expiresAt} />.
    </Notice>
    {seat === null ? (
      <p>
        <strong>{email}</strong> signs in with this password at <a href={signInAt}>{signInAt}</a>{' '}
        and then chooses their own.
      </p>
    ) : (
      <p>
        <strong>{email}</strong> is invited as {seat}. They sign in with this password at{' '}
        <a href={signInAt}>{signInAt}</a> and choose their own. Then the seat is theirs.
      </p>
    )}
    <ShownOnce
      id="one-time-password"
      label="One-time password"
      text={oneTimePassword}
      copy="Copy password"
    />
    <p>
      <a href={back}>I have given it to them: go back</a>
    </p>
  </>
);

const PasswordAlreadyShown = ({ back }: { readonly back: string }) => (
  <>
    <Notice kind="info">This was already done. The password is not shown again.</Notice>
    <p>If the person did not get it, give them a new one. The earlier one then stops working.</p>
    <p>
      <a href={back}>Go back</a>
    </p>
  </>
);
