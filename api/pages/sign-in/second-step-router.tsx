import { type Request, type Response, Router } from 'express';
import { showSecondFactorWith } from '../../access/show-second-factor.ts';
import type { FindSignedIn } from '../../access/signed-in.ts';
import { noteRefusedPassword, noteSecondFactor } from '../../access-log/access-notes.ts';
import type { Registry } from '../../registry/registry.ts';
import { formText } from '../../web/form-body.ts';
import { renewSession } from '../../web/signed-in-session.ts';
import type { FieldError } from '../frame/field-errors.ts';
import { sendPage } from '../frame/send-page.tsx';
import { CodeForm } from './code-form.tsx';
import { tooManyCodes, WRONG_CODE } from './code-refusals.ts';
import { finishSignIn, type ShownCredentials } from './finish-sign-in.ts';

declare module 'express-session' {
  interface SessionData {
    /** The password was right; the second factor is still to be shown. It belongs to no account yet. */
    halfSignedIn: ShownCredentials & { readonly at: number };
  }
}

/** Where the second factor is asked for. */
export const SECOND_STEP = '/sign-in/code';

/** So long after the password a second factor is good. */
const WITHIN_MS = 10 * 60_000;

/** Asks for the second factor next. A pre-fill is kept for the time after it. */
export const beginSecondStep = async (
  req: Request,
  res: Response,
  shown: ShownCredentials,
  now: Date,
): Promise<void> => {
  const { ehrBrowser, seesPrefills = false } = req.session;
  await renewSession(req);
  if (ehrBrowser !== undefined) Object.assign(req.session, { ehrBrowser, seesPrefills });
  req.session.halfSignedIn = { ...shown, at: now.getTime() };
  res.redirect(303, SECOND_STEP);
};

/** The second step of the sign-in, for accounts that have a second factor. */
export const secondStepRouter = (registry: Registry, findSignedIn: FindSignedIn): Router => {
  const showSecondFactor = showSecondFactorWith(registry);

  const halfOf = (req: Request) => {
    const { halfSignedIn: half, accountId } = req.session;
    const isOpen = half !== undefined && registry.now().getTime() < half.at + WITHIN_MS;
    return accountId === undefined && isOpen ? half : null;
  };

  return Router()
    .get(SECOND_STEP, (req, res) => {
      if (halfOf(req) === null) res.redirect(303, '/sign-in');
      else sendForm(req, res, []);
    })
    .post(SECOND_STEP, async (req, res) => {
      const half = halfOf(req);
      if (half === null) {
        res.redirect(303, '/sign-in');
        return;
      }
      const { accountId } = half;
      const shown = await showSecondFactor(accountId, formText(req, 'code'));
      if (shown.kind === 'wait') throw tooManyCodes(shown.waitMs);
      // Another password, or a removal, came meanwhile: then the first step counts no more.
      const held = await registry.passwords.find(accountId);
      const who = held?.generation === half.generation ? await findSignedIn(accountId) : null;
      if (shown.kind === 'wrong' || who === null) {
        await noteRefusedPassword(registry, res, accountId, 'second-factor');
        sendForm(req, res, WRONG_CODE);
        return;
      }
      if (shown.kind === 'recovery-code') await noteSecondFactor(registry, res, who, 'code-used');
      await finishSignIn(registry, req, res, who, half, registry.now());
    });
};

const sendForm = (req: Request, res: Response, errors: readonly FieldError[]): void =>
  sendPage(req, res, {
    title: 'Confirm it is you',
    isRefused: errors.length > 0,
    children: <CodeForm action={SECOND_STEP} submit="Sign in" errors={errors} />,
  });
