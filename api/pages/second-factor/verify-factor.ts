import type { Request, Response } from 'express';
import {
  createVerifySecondFactor,
  type SecondFactorResult,
  type TypedFactor,
} from '../../access/verify-second-factor.ts';
import { noteRefusedCredential } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { listFormNames, readFormText } from '../../web/form-body.ts';
import { tooManyAttempts } from '../../web/page-problem.ts';
import { getPasskeyAddress, type PasskeyAddress } from '../../web/passkey-address.ts';
import { keepChallenge, takeChallenge } from '../../web/session/passkey-challenge.ts';
import type { FieldError } from '../layout/field-errors.ts';
import { formatWait } from '../text/format-times.ts';

export const WRONG_CODE: readonly FieldError[] = [
  {
    field: 'code',
    id: 'wrong-code',
    message:
      'This code is wrong or was used before. Enter the code that your app shows now, and check that the time on your phone is correct.',
  },
];

const WRONG_PASSKEY: readonly FieldError[] = [
  {
    field: 'passkey',
    id: 'wrong-passkey',
    message:
      'This passkey does not belong to your account, or it could not be verified. Try again.',
  },
];

/** Copied passkey. @see createPasskeyStore */
const COPIED_PASSKEY: readonly FieldError[] = [
  {
    field: 'passkey',
    id: 'copied-passkey',
    message:
      'This passkey was not accepted because it may have been copied. Sign in another way, remove the passkey, and add a new one.',
  },
];

export const LOST_FACTORS =
  'If you lost your second factor and recovery codes, ask an Admin of your practice, or a colleague on the service staff, for a new password. That also removes your second factor.';

/** The passkey came without a valid challenge. */
export const LATE_PASSKEY: readonly FieldError[] = [
  {
    field: 'passkey',
    id: 'late-passkey',
    message: 'That took too long, or your browser did not send a passkey. Try again.',
  },
];

export const PASSKEY_FIELD = 'passkey';

export type FactorOfForm =
  | { readonly kind: Extract<SecondFactorResult['kind'], 'app' | 'recovery-code' | 'passkey'> }
  | { readonly kind: 'refused'; readonly errors: readonly FieldError[] };

export const getRelyingParty = ({ baseUrl }: Pick<App, 'baseUrl'>, req: Request): PasskeyAddress =>
  getPasskeyAddress(baseUrl, req.get('Host') ?? '');

/** Logs a wrong code or passkey. @throws PageProblem after too many wrong ones */
export const createFactorCheck = (app: App) => {
  const verifySecondFactor = createVerifySecondFactor(app);

  const readTypedFactor = async (req: Request, accountId: string): Promise<TypedFactor | null> => {
    if (!listFormNames(req).includes(PASSKEY_FIELD))
      return { kind: 'code', code: readFormText(req, 'code') };
    const relyingParty = getRelyingParty(app, req);
    const response = readFormText(req, PASSKEY_FIELD);
    const challenge = await takeChallenge(req, 'show', accountId, app);
    if (relyingParty.kind !== 'usable' || response === '' || challenge === null) return null;
    return { kind: 'passkey', relyingParty, challenge, response };
  };

  return async (req: Request, res: Response, accountId: string): Promise<FactorOfForm> => {
    const typed = await readTypedFactor(req, accountId);
    if (typed === null) return { kind: 'refused', errors: LATE_PASSKEY };
    const outcome = await verifySecondFactor(accountId, typed);
    switch (outcome.kind) {
      case 'wait':
        throw tooManyAttempts(
          `There were too many wrong codes or passkeys for this account. Wait ${formatWait(outcome.waitMs)}, then try again. ${LOST_FACTORS}`,
          outcome.waitMs,
        );
      case 'wrong':
        await noteRefusedCredential(app, res, accountId, 'second-factor');
        return {
          kind: 'refused',
          errors: typed.kind === 'code' ? WRONG_CODE : WRONG_PASSKEY,
        };
      case 'copied':
        await noteRefusedCredential(app, res, accountId, 'copied-passkey');
        return { kind: 'refused', errors: COPIED_PASSKEY };
      default:
        return { kind: outcome.kind };
    }
  };
};

export const sendPasskeyRequest = async (
  app: App,
  req: Request,
  res: Response,
  accountId: string,
): Promise<undefined> => {
  const relyingParty = getRelyingParty(app, req);
  const passkeys = await app.passkeys.list(accountId);
  if (relyingParty.kind !== 'usable' || passkeys.length === 0) {
    res.status(409).json({});
    return undefined;
  }
  const options = await app.passkeys.buildPasskeyRequest(relyingParty, passkeys);
  keepChallenge(req, 'show', options.challenge, app.now());
  res.json(options);
  return undefined;
};
