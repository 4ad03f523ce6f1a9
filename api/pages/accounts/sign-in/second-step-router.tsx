import { type Request, type Response, Router } from 'express';
import type { FindSignedIn } from '../../../access/signed-in.ts';
import { noteRefusedPassword, noteSecondFactor } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { redirectGet } from '../../../web/redirect-get.ts';
import { renewSession } from '../../../web/session/signed-in-session.ts';
import type { FieldError } from '../../layout/field-errors.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { FactorForms } from '../../second-factor/factor-forms.tsx';
import { WRONG_CODE } from '../../second-factor/factor-refusals.ts';
import { PASSKEY_SCRIPTS } from '../../second-factor/passkey-form.tsx';
import {
  createFactorCheck,
  getRequestAddress,
  sendPasskeyRequest,
} from '../../second-factor/show-factor.ts';
import { finishSignIn, type VerifiedCredentials } from './finish-sign-in.ts';

declare module 'express-session' {
  interface SessionData {
    /** Correct password with a pending second factor; the person is not signed in yet. */
    halfSignedIn: VerifiedCredentials & { readonly at: number };
  }
}

export const SECOND_STEP = '/sign-in/code';

const WITHIN_MS = 10 * 60_000;

/** Asks for the second factor. A pre-fill survives this step, but not for another account. */
export const beginSecondStep = async (
  req: Request,
  res: Response,
  credentials: VerifiedCredentials,
  now: Date,
): Promise<void> => {
  const { accountId: earlier, ehrBrowser, seesPrefills = false } = req.session;
  await renewSession(req);
  if (ehrBrowser !== undefined && (earlier === undefined || earlier === credentials.accountId))
    Object.assign(req.session, { ehrBrowser, seesPrefills });
  req.session.halfSignedIn = { ...credentials, at: now.getTime() };
  res.redirect(303, SECOND_STEP);
};

export const secondStepRouter = (app: App, findSignedIn: FindSignedIn): Router => {
  const showFactor = createFactorCheck(app);

  const getHalfSignedIn = (req: Request) => {
    const { halfSignedIn: half, accountId } = req.session;
    const isOpen = half !== undefined && app.now().getTime() < half.at + WITHIN_MS;
    return accountId === undefined && isOpen ? half : null;
  };

  const sendForm = async (
    req: Request,
    res: Response,
    accountId: string,
    errors: readonly FieldError[],
  ): Promise<void> =>
    sendPage(req, res, {
      title: 'Confirm it is you',
      hasErrors: errors.length > 0,
      scripts: PASSKEY_SCRIPTS,
      children: (
        <FactorForms
          factors={await app.secondFactors.find(accountId)}
          address={getRequestAddress(app, req)}
          action={SECOND_STEP}
          submit="Sign in"
          errors={errors}
          page="/sign-in"
        />
      ),
    });

  return Router()
    .get(SECOND_STEP, async (req, res) => {
      const half = getHalfSignedIn(req);
      if (half === null) res.redirect(303, '/sign-in');
      else await sendForm(req, res, half.accountId, []);
    })
    .post(SECOND_STEP, async (req, res) => {
      const half = getHalfSignedIn(req);
      if (half === null) {
        res.redirect(303, '/sign-in');
        return;
      }
      const { accountId } = half;
      const outcome = await showFactor(req, res, accountId);
      if (outcome.kind === 'refused') {
        await sendForm(req, res, accountId, outcome.errors);
        return;
      }
      // If the password changed or the account was removed since, the first step is void.
      const current = await app.passwords.find(accountId);
      const who = current?.generation === half.generation ? await findSignedIn(accountId) : null;
      if (who === null) {
        await noteRefusedPassword(app, res, accountId, 'second-factor');
        await sendForm(req, res, accountId, WRONG_CODE);
        return;
      }
      if (outcome.kind === 'recovery-code') await noteSecondFactor(app, res, who, 'code-used');
      const factor = { kind: outcome.kind, at: app.now() };
      await finishSignIn(app, req, res, who, half, factor);
    })
    .get(`${SECOND_STEP}/passkey`, redirectGet(SECOND_STEP))
    .post(`${SECOND_STEP}/passkey`, async (req, res) => {
      const half = getHalfSignedIn(req);
      if (half === null) res.redirect(303, '/sign-in');
      else await sendPasskeyRequest(app, req, res, half.accountId);
    });
};
