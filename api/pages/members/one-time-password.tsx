import { Notice } from '../frame/flash-messages.tsx';
import { ShownOnce } from '../keys/shown-once.tsx';

/** A member who was just invited. */
export interface InvitedProps {
  readonly email: string;
  readonly seat: string;
  readonly password: string;
  /** Address to sign in at. */
  readonly signInAt: string;
  readonly back: string;
}

/** A member was invited; no other page ever shows the password. */
export const Invited = ({ email, seat, password, signInAt, back }: InvitedProps) => (
  <>
    <HandOver />
    <p>
      <strong>{email}</strong> has a seat as {seat} and signs in at{' '}
      <a href={signInAt}>{signInAt}</a>.
    </p>
    <OneTimePassword password={password} back={back} />
  </>
);

/** A member who was given a one-time password instead of a forgotten one. */
export const PasswordGiven = ({ email, password, signInAt, back }: Omit<InvitedProps, 'seat'>) => (
  <>
    <HandOver />
    <p>
      <strong>{email}</strong> is signed out everywhere and signs in with it at{' '}
      <a href={signInAt}>{signInAt}</a>.
    </p>
    <OneTimePassword password={password} back={back} />
  </>
);

const HandOver = () => (
  <Notice kind="warning">
    The password is shown this once. Hand it over now, by phone or in person; it is only good for
    choosing a password of one’s own.
  </Notice>
);

const OneTimePassword = ({ password, back }: Pick<InvitedProps, 'password' | 'back'>) => (
  <>
    <ShownOnce
      id="one-time-password"
      label="One-time password"
      text={password}
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
    <p>If it was not handed over, an Admin of the practice can give the member a new one.</p>
    <p>
      <a href={back}>Go back</a>
    </p>
  </>
);
