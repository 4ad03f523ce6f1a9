import type { Request } from 'express';
import type { FormMemory } from './once.ts';

declare module 'express-session' {
  interface SessionData {
    /** What a passkey of the session's account has to sign next. */
    passkeyChallenge: PasskeyChallenge;
  }
}

/** A challenge: random, and good for one answer. */
interface PasskeyChallenge {
  readonly challenge: string;
  /** To add a passkey, or to show one. */
  readonly use: 'add' | 'show';
  /** Milliseconds since 1970. */
  readonly at: number;
}

const WITHIN_MS = 5 * 60_000;

/** Keeps a challenge in the session, replacing an earlier one. */
export const keepChallenge = (
  req: Request,
  use: PasskeyChallenge['use'],
  challenge: string,
  now: Date,
): void => {
  req.session.passkeyChallenge = { challenge, use, at: now.getTime() };
};

/** Takes the challenge of a session, once; null: there is none, or it is too old. */
export const takeChallenge = async (
  req: Request,
  use: PasskeyChallenge['use'],
  accountId: string,
  { usedForms, now }: { readonly usedForms: Pick<FormMemory, 'take'>; readonly now: () => Date },
): Promise<string | null> => {
  const kept = req.session.passkeyChallenge;
  delete (req.session as Partial<typeof req.session>).passkeyChallenge;
  if (kept?.use !== use || now().getTime() >= kept.at + WITHIN_MS) return null;
  // Two requests at once have both read the session that it is in.
  return (await usedForms.take(accountId, `passkey ${kept.challenge}`)) ? kept.challenge : null;
};
