import { type Request, type Response, Router } from 'express';
import QRCode from 'qrcode';
import { toPerson } from '../../../access/person.ts';
import { noteRefusedPassword, noteSecondFactor } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getAccount, requireAccount } from '../../../web/guards/seats.ts';
import { needsSecondFactor, SECURITY_PAGE } from '../../../web/guards/second-factor-first.ts';
import { readNextPage } from '../../../web/next-page.ts';
import { redirectGet } from '../../../web/redirect-get.ts';
import { flash } from '../../../web/session/flash.ts';
import type { FieldError } from '../../layout/field-errors.ts';
import { createRouter, question, redirect } from '../../layout/routes.tsx';
import { sendPage } from '../../layout/send-page.tsx';
import { WRONG_CODE } from '../../second-factor/factor-refusals.ts';
import { PASSKEY_SCRIPTS } from '../../second-factor/passkey-form.tsx';
import {
  createFactorCheck,
  getRequestAddress,
  sendPasskeyRequest,
} from '../../second-factor/show-factor.ts';
import {
  CONFIRM,
  NOT_YOUR_PASSWORD,
  PASSWORD_FIELD,
  RESUBMITTED_FIELD,
  requireStepUp,
  sendConfirm,
} from '../../second-factor/step-up.tsx';
import { NO_PASSWORD } from '../sign-in/sign-in-router.tsx';
import { createOwnAttemptCounter } from './count-own-try.ts';
import {
  APP,
  CODES,
  RemovalEffects,
  SecurityPage,
  type SecurityPageProps,
  SetUpApp,
} from './security-page.tsx';
import { sendRecoveryCodes } from './send-recovery-codes.tsx';

const PAGE = SECURITY_PAGE;

/** @param typed name of a new passkey and its errors */
export const sendSecurity = async (
  app: App,
  req: Request,
  res: Response,
  typed: Pick<SecurityPageProps, 'name' | 'errors'> = { name: '', errors: [] },
): Promise<void> => {
  const accountId = toPerson(getAccount(res)).id;
  const [factors, passkeys] = await Promise.all([
    app.secondFactors.find(accountId),
    app.passkeys.list(accountId),
  ]);
  sendPage(req, res, {
    title: 'Security',
    hasErrors: typed.errors.length > 0,
    scripts: PASSKEY_SCRIPTS,
    children: (
      <SecurityPage
        factors={factors}
        passkeys={passkeys}
        address={getRequestAddress(app, req)}
        hasUsedFactor={req.session.factorAt !== undefined}
        {...typed}
      />
    ),
  });
};

/** Updates the session after a removal. @returns message for the person */
export const afterFactorRemoved = async (
  { secondFactors }: App,
  req: Request,
  res: Response,
  what: string,
): Promise<string> => {
  const { kinds } = await secondFactors.find(toPerson(getAccount(res)).id);
  if (kinds.length === 0) delete (req.session as Partial<typeof req.session>).factorAt;
  const withoutAny = needsSecondFactor(res)
    ? ' Set up another second factor to continue.'
    : ' Your password alone now signs you in.';
  return `${what} was removed.${kinds.length === 0 ? withoutAny : ''}`;
};

export const securityRouter = (app: App): Router => {
  const { secondFactors, timeCodes, now } = app;
  const showFactor = createFactorCheck(app);

  const fresh = requireStepUp(app);
  const countAttempt = createOwnAttemptCounter(app);

  /** Errors in the password entered as confirmation; empty if it is correct. */
  const checkPassword = async (
    req: Request,
    res: Response,
    accountId: string,
  ): Promise<readonly FieldError[]> => {
    const typed = readFormText(req, PASSWORD_FIELD);
    if (typed === '') return [{ field: PASSWORD_FIELD, id: 'no-password', message: NO_PASSWORD }];
    const attempt = await countAttempt(req, res, accountId, 'Nothing has changed');
    const { passwords } = app;
    const current = await passwords.find(accountId);
    const isRight = await attempt.check(
      async () => current !== null && passwords.isPassword(current.hash, typed, accountId),
    );
    if (isRight) {
      await attempt.succeed();
      return [];
    }
    await passwords.countFailure(accountId);
    await noteRefusedPassword(app, res, accountId, 'confirmation');
    return [{ field: PASSWORD_FIELD, id: 'wrong-password', message: NOT_YOUR_PASSWORD }];
  };

  const sendSetUp = async (
    req: Request,
    res: Response,
    secret: string,
    errors: readonly FieldError[] = [],
  ): Promise<void> => {
    const address = timeCodes.buildTimeCodeAddress(getAccount(res).email, secret);
    sendPage(req, res, {
      title: 'Set up an authenticator app',
      hasErrors: errors.length > 0,
      children: (
        <SetUpApp
          action={`${APP}/code`}
          picture={await QRCode.toString(address, { type: 'svg', margin: 2 })}
          secret={secret}
          errors={errors}
        />
      ),
    });
  };

  return Router()
    .get(PAGE, requireAccount, (req, res) => sendSecurity(app, req, res))
    .get(CONFIRM, requireAccount, (req, res) => sendConfirm(app, req, res, null))
    .post(CONFIRM, requireAccount, async (req, res) => {
      const next = readNextPage(readFormText(req, 'next'));
      const who = getAccount(res);
      const accountId = toPerson(who).id;
      if ((await secondFactors.find(accountId)).kinds.length === 0) {
        const errors = await checkPassword(req, res, accountId);
        if (errors.length > 0) {
          await sendConfirm(app, req, res, next, errors);
          return;
        }
        req.session.confirmedAt = now().getTime();
      } else {
        const outcome = await showFactor(req, res, accountId);
        if (outcome.kind === 'refused') {
          await sendConfirm(app, req, res, next, outcome.errors);
          return;
        }
        if (outcome.kind === 'recovery-code') await noteSecondFactor(app, res, who, 'code-used');
        req.session.factorAt = now().getTime();
      }
      // The browser posts the pending form again, unchanged.
      const again = readNextPage(readFormText(req, RESUBMITTED_FIELD));
      if (again === null) res.redirect(303, next ?? PAGE);
      else res.redirect(307, again);
    })
    .get(`${CONFIRM}/passkey`, requireAccount, redirectGet(CONFIRM))
    .post(`${CONFIRM}/passkey`, requireAccount, (req, res) =>
      sendPasskeyRequest(app, req, res, toPerson(getAccount(res)).id),
    )
    .get(APP, requireAccount, redirectGet(PAGE))
    .post(APP, requireAccount, fresh, async (req, res) => {
      const accountId = toPerson(getAccount(res)).id;
      if ((await secondFactors.find(accountId)).kinds.includes('totp')) {
        res.redirect(303, PAGE);
        return;
      }
      const secret = timeCodes.createTimeCodeSecret();
      await secondFactors.begin(accountId, secret);
      await sendSetUp(req, res, secret);
    })
    .get(`${APP}/code`, requireAccount, redirectGet(PAGE))
    .post(`${APP}/code`, requireAccount, fresh, async (req, res) => {
      const who = getAccount(res);
      const accountId = toPerson(who).id;
      const secret = await secondFactors.pendingSecret(accountId);
      if (secret === null) {
        res.redirect(303, PAGE);
        return;
      }
      const code = readFormText(req, 'code').replace(/\s/g, '');
      const step = timeCodes.findTimeCodeStep(secret, code, now());
      if (step === null) {
        await sendSetUp(req, res, secret, WRONG_CODE);
        return;
      }
      const { kinds } = await secondFactors.find(accountId);
      // Logged before it takes effect.
      await noteSecondFactor(app, res, who, 'app-added');
      await secondFactors.confirm(accountId, step);
      req.session.factorAt = now().getTime();
      if (kinds.length === 0) {
        await sendRecoveryCodes(app, req, res, who);
        return;
      }
      flash(req, 'success', 'The authenticator app is set up. Your recovery codes keep working.');
      res.redirect(303, PAGE);
    })
    .get(CODES, requireAccount, redirectGet(PAGE))
    .post(CODES, requireAccount, fresh, async (req, res) => {
      const who = getAccount(res);
      if ((await secondFactors.find(toPerson(who).id)).kinds.length === 0) res.redirect(303, PAGE);
      else await sendRecoveryCodes(app, req, res, who);
    })
    .use(
      createRouter(
        question(`${APP}/remove`, requireAccount, {
          stepUp: fresh,
          load: async (_req, res) => {
            const { kinds } = await secondFactors.find(toPerson(getAccount(res)).id);
            return kinds.includes('totp') ? kinds : redirect(PAGE);
          },
          back: () => PAGE,
          ask: (kinds, _req, res) => ({
            title: 'Remove the authenticator app?',
            submit: 'Remove the app',
            destructive: true,
            children: (
              <>
                <p>Its codes will no longer work.</p>
                <RemovalEffects isLast={kinds.length === 1} isRequired={needsSecondFactor(res)} />
              </>
            ),
          }),
          run: async (_kinds, req, res) => {
            const who = getAccount(res);
            await noteSecondFactor(app, res, who, 'app-removed');
            await secondFactors.removeApp(toPerson(who).id);
            return redirect(PAGE, await afterFactorRemoved(app, req, res, 'The authenticator app'));
          },
        }),
      ),
    );
};
