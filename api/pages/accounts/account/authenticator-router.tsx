import type { Response, Router } from 'express';
import QRCode from 'qrcode';
import { toPerson } from '../../../access/person.ts';
import { noteSecondFactor } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getAccount, requireAccount } from '../../../web/guards/seats.ts';
import { needsSecondFactor, SECURITY_PAGE } from '../../../web/guards/second-factor-first.ts';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import type { FieldError } from '../../layout/field-errors.ts';
import type { PageView } from '../../layout/page.tsx';
import { backToForm, createRouter, post, question, redirect } from '../../layout/routes.tsx';
import { CodeForm } from '../../second-factor/factor-forms.tsx';
import { requireStepUp } from '../../second-factor/step-up.tsx';
import { WRONG_CODE } from '../../second-factor/verify-factor.ts';
import {
  AUTHENTICATOR,
  finishRemoval,
  RemovalEffects,
  replaceRecoveryCodes,
} from './security-router.tsx';

export const authenticatorRouter = (app: App): Router => {
  const { secondFactors, timeCodes, now } = app;
  const stepUp = requireStepUp(app);

  const buildSetUp = async (
    res: Response,
    secret: string,
    errors: readonly FieldError[] = [],
  ): Promise<PageView> => {
    const address = timeCodes.buildTimeCodeAddress(getAccount(res).email, secret);
    const picture = await QRCode.toString(address, { type: 'svg', margin: 2 });
    return {
      title: 'Set up an authenticator app',
      hasErrors: errors.length > 0,
      children: (
        <>
          <ErrorSummary errors={errors} />
          <ol class="usa-list">
            <li>Open your authenticator app and add an account.</li>
            <li>
              Scan this QR code:
              <img
                class="qr-code"
                src={`data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`}
                alt="QR code for your authenticator app"
                width="200"
                height="200"
              />
              or enter this key:{' '}
              <code id="app-secret">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
            </li>
            <li>Enter the code that the app shows.</li>
          </ol>
          <CodeForm
            action={`${AUTHENTICATOR}/code`}
            submit="Turn it on"
            hint="The 6-digit code from the app"
            errors={errors}
          />
        </>
      ),
    };
  };

  return createRouter(
    backToForm(AUTHENTICATOR, requireAccount, SECURITY_PAGE),
    post(AUTHENTICATOR, [requireAccount, stepUp], async (_req, res) => {
      const accountId = toPerson(getAccount(res)).id;
      if ((await secondFactors.find(accountId)).kinds.includes('totp'))
        return redirect(SECURITY_PAGE);
      const secret = timeCodes.createTimeCodeSecret();
      await secondFactors.begin(accountId, secret);
      return buildSetUp(res, secret);
    }),
    backToForm(`${AUTHENTICATOR}/code`, requireAccount, SECURITY_PAGE),
    post(`${AUTHENTICATOR}/code`, [requireAccount, stepUp], async (req, res) => {
      const who = getAccount(res);
      const accountId = toPerson(who).id;
      const secret = await secondFactors.pendingSecret(accountId);
      if (secret === null) return redirect(SECURITY_PAGE);
      const code = readFormText(req, 'code').replace(/\s/g, '');
      const step = timeCodes.findTimeCodeStep(secret, code, now());
      if (step === null) return buildSetUp(res, secret, WRONG_CODE);
      const { kinds } = await secondFactors.find(accountId);
      // Logged before it takes effect.
      await noteSecondFactor(app, res, who, 'app-added');
      await secondFactors.confirm(accountId, step);
      req.session.factorAt = now().getTime();
      if (kinds.length === 0) return replaceRecoveryCodes(app, res, who);
      return redirect(SECURITY_PAGE, {
        id: 'app-added',
        text: 'The authenticator app is set up. Your recovery codes keep working.',
      });
    }),
    question(`${AUTHENTICATOR}/remove`, requireAccount, {
      stepUp,
      load: async (_req, res) => {
        const { kinds } = await secondFactors.find(toPerson(getAccount(res)).id);
        return kinds.includes('totp') ? kinds : redirect(SECURITY_PAGE);
      },
      back: () => SECURITY_PAGE,
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
        return finishRemoval(app, req, res, 'The authenticator app');
      },
    }),
  );
};
