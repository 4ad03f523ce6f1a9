import type { Request } from 'express';
import type { UsedForms } from '../single-use-form.ts';

declare module 'express-session' {
  interface SessionData {
    /** A passkey of the session's account has to sign it next. */
    passkeyChallenge: PasskeyChallenge;
  }
}

/** Valid for one answer. */
interface PasskeyChallenge {
  readonly challenge: string;
  readonly use: 'add' | 'show';
  /** Milliseconds since 1970. */
  readonly at: number;
}

const WITHIN_MS = 5 * 60_000;

/** Replaces an earlier challenge. */
export const keepChallenge = (
  req: Request,
  use: PasskeyChallenge['use'],
  challenge: string,
  now: Date,
): void => {
  req.session.passkeyChallenge = { challenge, use, at: now.getTime() };
};

/** `null` if missing or expired. */
export const takeChallenge = async (
  req: Request,
  use: PasskeyChallenge['use'],
  accountId: string,
  { usedForms, now }: { readonly usedForms: Pick<UsedForms, 'take'>; readonly now: () => Date },
): Promise<string | null> => {
  const pending = req.session.passkeyChallenge;
  delete (req.session as Partial<typeof req.session>).passkeyChallenge;
  if (pending?.use !== use || now().getTime() >= pending.at + WITHIN_MS) return null;
  // Two concurrent requests have both loaded the session with the challenge.
  return (await usedForms.take(accountId, `passkey ${pending.challenge}`))
    ? pending.challenge
    : null;
};
