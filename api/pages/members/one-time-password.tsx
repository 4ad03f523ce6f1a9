import type { HandedOver } from '../../commands/manage-staff.ts';
import { Notice } from '../frame/flash-messages.tsx';
import { Time } from '../frame/time.tsx';
import { ShownOnce } from '../keys/shown-once.tsx';

/** A password that is handed over. */
export interface PasswordGivenProps {
  readonly email: string;
  readonly given: HandedOver;
  /** Address to sign in at. */
  readonly signInAt: string;
  readonly back: string;
}

/** What a new account is told. */
export interface InvitedProps extends PasswordGivenProps {
  readonly seat: string;
}

/** A person was invited; no other page ever shows the password. */
export const Invited = ({ email, seat, given, signInAt, back }: InvitedProps) => (
  <>
    <HandOver given={given} />
    <p>
      <strong>{email}</strong> is invited as {seat}. They sign in with it at{' '}
      <a href={signInAt}>{signInAt}</a> and choose a password of their own; then the seat is theirs.
    </p>
    <OneTimePassword given={given} back={back} />
  </>
);

/** A person who was given a one-time password instead of a forgotten one. */
export const PasswordGiven = ({ email, given, signInAt, back }: PasswordGivenProps) => (
  <>
    <HandOver given={given} />
    <p>
      <strong>{email}</strong> is signed out everywhere and signs in with it at{' '}
      <a href={signInAt}>{signInAt}</a>.
    </p>
    <OneTimePassword given={given} back={back} />
  </>
);

const HandOver = ({ given: { expiresAt } }: Pick<PasswordGivenProps, 'given'>) => (
  <Notice kind="warning">
    The password is shown this once. Hand it over now, by phone or in person; it is only good for
    choosing a password of one’s own, until <Time at={expiresAt} />.
  </Notice>
);

const OneTimePassword = ({ given, back }: Pick<PasswordGivenProps, 'given' | 'back'>) => (
  <>
    <ShownOnce
      id="one-time-password"
      label="One-time password"
      text={given.oneTimePassword}
      copy="Copy password"
    />
    <p>
      <a href={back}>I have handed it over: go back</a>
    </p>
  </>
);

/** A form for a password that was sent before: sending it again did nothing. */
export const GivenBefore = ({ back }: { readonly back: string }) => (
  <>
    <Notice kind="info">This was done already; the password is not shown again.</Notice>
    <p>If it was not handed over, give a new one: the earlier one ends with it.</p>
    <p>
      <a href={back}>Go back</a>
    </p>
  </>
);
