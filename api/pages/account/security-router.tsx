import { type Request, type Response, Router } from 'express';
import QRCode from 'qrcode';
import { personOf } from '../../access/person.ts';
import { showSecondFactorWith } from '../../access/show-second-factor.ts';
import type { SignedIn } from '../../access/signed-in.ts';
import { noteRefusedPassword, noteSecondFactor } from '../../access-log/access-notes.ts';
import type { Registry } from '../../registry/registry.ts';
import { backTo } from '../../web/back-to.ts';
import { flash } from '../../web/flash.ts';
import { formText } from '../../web/form-body.ts';
import { nextPage } from '../../web/next-page.ts';
import { anyAccount } from '../../web/seats.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import { SECURITY_PAGE } from '../../web/staff-factor.ts';
import type { FieldError } from '../frame/field-errors.ts';
import { sendPage } from '../frame/send-page.tsx';
import { tooManyCodes, WRONG_CODE } from '../sign-in/code-refusals.ts';
import { CONFIRM, freshFactor, sendConfirm } from './fresh-factor.tsx';
import { RecoveryCodes, SecurityPage, SetUpApp } from './security-page.tsx';

const PAGE = SECURITY_PAGE;
const APP = `${PAGE}/app`;
const CODES = `${PAGE}/codes`;

/** What a person signs in with beside their password. */
export const securityRouter = (registry: Registry): Router => {
  const { secondFactors, timeCodes, now } = registry;
  const showSecondFactor = showSecondFactorWith(registry);

  const fresh = freshFactor(registry);

  const sendSetUp = async (
    req: Request,
    res: Response,
    secret: string,
    errors: readonly FieldError[] = [],
  ): Promise<void> => {
    const address = timeCodes.timeCodeAddress(whoIs(res).email, secret);
    sendPage(req, res, {
      title: 'Set up an authenticator app',
      isRefused: errors.length > 0,
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

  const sendNewCodes = async (req: Request, res: Response): Promise<void> => {
    const codes = timeCodes.newRecoveryCodes();
    const accountId = personOf(whoIs(res)).id;
    await secondFactors.replaceRecoveryCodes(accountId, codes.map(timeCodes.digestOfRecoveryCode));
    await noteSecondFactor(registry, res, whoIs(res), 'codes-made');
    sendPage(req, res, {
      title: 'Recovery codes',
      scripts: ['copy.mjs'],
      children: <RecoveryCodes codes={codes} back={PAGE} />,
    });
  };

  return Router()
    .get(PAGE, anyAccount, async (req, res) => {
      const factors = await secondFactors.find(personOf(whoIs(res)).id);
      const isShown = req.session.factorAt !== undefined;
      sendPage(req, res, {
        title: 'Security',
        children: <SecurityPage factors={factors} isShown={isShown} />,
      });
    })
    .get(CONFIRM, anyAccount, (req, res) => sendConfirm(req, res, null))
    .post(CONFIRM, anyAccount, async (req, res) => {
      const next = nextPage(formText(req, 'next'));
      const accountId = personOf(whoIs(res)).id;
      const shown = await showSecondFactor(accountId, formText(req, 'code'));
      if (shown.kind === 'wait') throw tooManyCodes(shown.waitMs);
      if (shown.kind === 'wrong') {
        await noteRefusedPassword(registry, res, accountId, 'second-factor');
        sendConfirm(req, res, next, WRONG_CODE);
        return;
      }
      req.session.factorAt = now().getTime();
      res.redirect(303, next ?? PAGE);
    })
    .get(APP, anyAccount, backTo(PAGE))
    .post(APP, anyAccount, async (req, res) => {
      const accountId = personOf(whoIs(res)).id;
      if ((await secondFactors.find(accountId)).kinds.includes('totp')) {
        res.redirect(303, PAGE);
        return;
      }
      const secret = timeCodes.newTimeCodeSecret();
      await secondFactors.begin(accountId, secret);
      await sendSetUp(req, res, secret);
    })
    .get(`${APP}/code`, anyAccount, backTo(PAGE))
    .post(`${APP}/code`, anyAccount, async (req, res) => {
      const who = whoIs(res);
      const accountId = personOf(who).id;
      const secret = await secondFactors.pendingSecret(accountId);
      if (secret === null) {
        res.redirect(303, PAGE);
        return;
      }
      const code = formText(req, 'code').replace(/\s/g, '');
      const step = timeCodes.stepOfTimeCode(secret, code, now());
      if (step === null) {
        await sendSetUp(req, res, secret, WRONG_CODE);
        return;
      }
      // On record before it counts.
      await noteSecondFactor(registry, res, who, 'app-added');
      await secondFactors.confirm(accountId, step);
      req.session.factorAt = now().getTime();
      await sendNewCodes(req, res);
    })
    .get(CODES, anyAccount, backTo(PAGE))
    .post(CODES, anyAccount, fresh, async (req, res) => {
      if ((await secondFactors.find(personOf(whoIs(res)).id)).kinds.length === 0)
        res.redirect(303, PAGE);
      else await sendNewCodes(req, res);
    })
    .get(`${APP}/remove`, anyAccount, backTo(PAGE))
    .post(`${APP}/remove`, anyAccount, fresh, async (req, res) => {
      const who = whoIs(res);
      await noteSecondFactor(registry, res, who, 'app-removed');
      await registry.dropSecondFactors(personOf(who).id);
      delete (req.session as Partial<typeof req.session>).factorAt;
      flash(
        req,
        'success',
        'The authenticator app is removed. Your password alone opens your account.',
      );
      res.redirect(303, PAGE);
    });
};

const whoIs = (res: Response): SignedIn => {
  const who = signedInOf(res);
  if (who === null) throw new TypeError('The route has no guard for accounts.');
  return who;
};
