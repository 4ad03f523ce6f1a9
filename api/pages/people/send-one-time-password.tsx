import type { Request, Response } from 'express';
import type { HandedOver } from '../../commands/hold-accounts.ts';
import type { Once } from '../../web/once.ts';
import { Notice } from '../frame/flash-messages.tsx';
import { sendPage } from '../frame/send-page.tsx';
import { Time } from '../frame/time.tsx';
import { ShownOnce } from '../keys/shown-once.tsx';

/** For whom a one-time password is. */
export interface OneTimePasswordProps {
  readonly title: string;
  readonly email: string;
  /** The seat that the person is invited to; null: they have their account, and a new password for it. */
  readonly seat: string | null;
  /** Address to sign in at. */
  readonly signInAt: string;
  readonly back: string;
}

/**
 * Answers with a one-time password, or tells that the form was sent before; no other page ever shows it.
 */
export const sendOneTimePassword = (
  req: Request,
  res: Response,
  once: Once<HandedOver>,
  props: OneTimePasswordProps,
): void =>
  once.kind === 'again'
    ? sendPage(req, res, { title: 'Done before', children: <GivenBefore back={props.back} /> })
    : sendPage(req, res, {
        title: props.title,
        scripts: ['copy.mjs'],
        children: <OneTimePassword {...props} given={once.value} />,
      });

const OneTimePassword = ({
  email,
  seat,
  signInAt,
  back,
  given: { oneTimePassword, expiresAt },
}: OneTimePasswordProps & { readonly given: HandedOver }) => (
  <>
    <Notice kind="warning">
      The password is shown this once. Hand it over now, by phone or in person; it is only good for
      choosing a password of one’s own, until <Time at={expiresAt} />.
    </Notice>
    {seat === null ? (
      <p>
        <strong>{email}</strong> is signed out everywhere and signs in with it at{' '}
        <a href={signInAt}>{signInAt}</a>.
      </p>
    ) : (
      <p>
        <strong>{email}</strong> is invited as {seat}. They sign in with it at{' '}
        <a href={signInAt}>{signInAt}</a> and choose a password of their own; then the seat is
        theirs.
      </p>
    )}
    <ShownOnce
      id="one-time-password"
      label="One-time password"
      text={oneTimePassword}
      copy="Copy password"
    />
    <p>
      <a href={back}>I have handed it over: go back</a>
    </p>
  </>
);

const GivenBefore = ({ back }: { readonly back: string }) => (
  <>
    <Notice kind="info">This was done already; the password is not shown again.</Notice>
    <p>If it was not handed over, give a new one: the earlier one ends with it.</p>
    <p>
      <a href={back}>Go back</a>
    </p>
  </>
);
