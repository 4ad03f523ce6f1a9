import type { Request, Router } from 'express';
import type { FindSignedIn } from '../../../access/signed-in.ts';
import { noteRefusedCredential, noteSecondFactor } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { renewSession } from '../../../web/session/signed-in-session.ts';
import type { FieldError } from '../../layout/field-errors.ts';
import type { PageView } from '../../layout/page.tsx';
import {
  backToForm,
  createRouter,
  page,
  post,
  type Redirect,
  redirect,
} from '../../layout/routes.tsx';
import { FactorForms, PASSKEY_SCRIPTS } from '../../second-factor/factor-forms.tsx';
import {
  createFactorCheck,
  getRelyingParty,
  sendPasskeyRequest,
  WRONG_CODE,
} from '../../second-factor/verify-factor.ts';
import { finishSignIn, type VerifiedCredentials } from './finish-sign-in.ts';

declare module 'express-session' {
  interface SessionData {
    /**
     * Verified password or single sign-on with a pending second factor; the person is not signed in
     * yet.
     */
    halfSignedIn: VerifiedCredentials & { readonly at: number };
  }
}

const SECOND_STEP = '/sign-in/code';

const SECOND_STEP_TIMEOUT_MS = 10 * 60_000;

/** Asks for the second factor. A pre-fill survives this step, but not for another account. */
export const beginSecondStep = async (
  req: Request,
  credentials: VerifiedCredentials,
  now: Date,
): Promise<Redirect> => {
  const { accountId: earlierAccountId, ehrBrowser, seesPrefills = false } = req.session;
  await renewSession(req);
  if (
    ehrBrowser !== undefined &&
    (earlierAccountId === undefined || earlierAccountId === credentials.accountId)
  )
    Object.assign(req.session, { ehrBrowser, seesPrefills });
  req.session.halfSignedIn = { ...credentials, at: now.getTime() };
  return redirect(SECOND_STEP);
};

export const secondStepRouter = (app: App, findSignedIn: FindSignedIn): Router => {
  const verifyFactor = createFactorCheck(app);

  const getHalfSignedIn = (req: Request) => {
    const { halfSignedIn: half, accountId } = req.session;
    const isOpen = half !== undefined && app.now().getTime() < half.at + SECOND_STEP_TIMEOUT_MS;
    return accountId === undefined && isOpen ? half : null;
  };

  const loadForm = async (
    req: Request,
    accountId: string,
    errors: readonly FieldError[],
  ): Promise<PageView> => ({
    title: 'Confirm it is you',
    hasErrors: errors.length > 0,
    scripts: PASSKEY_SCRIPTS,
    children: (
      <FactorForms
        factors={await app.secondFactors.find(accountId)}
        relyingParty={getRelyingParty(app, req)}
        action={SECOND_STEP}
        submit="Sign in"
        errors={errors}
        page="/sign-in"
      />
    ),
  });

  return createRouter(
    page(SECOND_STEP, [], async (req) => {
      const half = getHalfSignedIn(req);
      return half === null ? redirect('/sign-in') : loadForm(req, half.accountId, []);
    }),
    post(SECOND_STEP, [], async (req, res) => {
      const half = getHalfSignedIn(req);
      if (half === null) return redirect('/sign-in');
      const { accountId } = half;
      const outcome = await verifyFactor(req, res, accountId);
      if (outcome.kind === 'refused') return loadForm(req, accountId, outcome.errors);
      // If the password changed or the account was removed since, the first step is void. The
      // answer does not say so: it is the one to a wrong code.
      const current = await app.passwords.find(accountId);
      const who = current?.generation === half.generation ? await findSignedIn(accountId) : null;
      if (who === null) {
        await noteRefusedCredential(app, res, accountId, 'second-factor');
        return loadForm(req, accountId, WRONG_CODE);
      }
      if (outcome.kind === 'recovery-code') await noteSecondFactor(app, res, who, 'code-used');
      const factor = { kind: outcome.kind, at: app.now() };
      return finishSignIn(app, req, res, who, half, factor);
    }),
    backToForm(`${SECOND_STEP}/passkey`, [], SECOND_STEP),
    post(`${SECOND_STEP}/passkey`, [], async (req, res) => {
      const half = getHalfSignedIn(req);
      return half === null
        ? redirect('/sign-in')
        : sendPasskeyRequest(app, req, res, half.accountId);
    }),
  );
};
