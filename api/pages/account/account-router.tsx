import { type Request, type Response, Router } from 'express';
import { passwordRefusal } from '../../../domain/account/credentials.ts';
import type { Refusal } from '../../../domain/command-decision.ts';
import { personOf } from '../../access/person.ts';
import type { SignedIn } from '../../access/signed-in.ts';
import type { AccessNotes } from '../../access-log/access-notes.ts';
import { type ChangePassword, SAME_PASSWORD } from '../../commands/change-password.ts';
import { flash } from '../../web/flash.ts';
import { formText, queryText } from '../../web/form-body.ts';
import { nextPage } from '../../web/next-page.ts';
import { needsOwnPassword } from '../../web/own-password.ts';
import { PageProblem } from '../../web/page-problem.ts';
import { anyAccount } from '../../web/seats.ts';
import { beginSession, signedInOf } from '../../web/signed-in-session.ts';
import type { FieldError } from '../frame/field-errors.ts';
import { homeOf } from '../frame/places.ts';
import { sendPage } from '../frame/send-page.tsx';
import { countTriesWith, type ThrottleParts, waitText } from '../sign-in/sign-in-throttle.ts';
import { PasswordForm } from './password-form.tsx';

/** What the pages of one's own account work with. */
export interface AccountParts {
  readonly changePassword: (command: ChangePassword) => Promise<Refusal | null>;
  /** Ends every session of an account. */
  readonly endSessions: (accountId: string) => Promise<void>;
  readonly throttle: ThrottleParts;
  readonly accessNotes: Pick<AccessNotes, 'passwordRefused' | 'heldBack'>;
  readonly now: () => Date;
}

const PAGE = '/account/password';

/** One's own password. */
export const accountRouter = (parts: AccountParts): Router => {
  const countTry = countTriesWith(parts.throttle);
  return Router()
    .get(PAGE, anyAccount, (req, res) => sendForm(req, res, nextPage(queryText(req, 'next')), []))
    .post(PAGE, anyAccount, async (req, res) => {
      const who = whoIs(res);
      const next = nextPage(formText(req, 'next'));
      const missing = missingIn(req);
      if (missing.length > 0) {
        sendForm(req, res, next, missing);
        return;
      }
      const accountId = personOf(who).id;
      // Guesses at the old password count as those at the sign-in do.
      const counted = await countTry(req, accountId);
      for (const by of counted.justReached) await parts.accessNotes.heldBack(res, accountId, by);
      if (counted.waitMs !== null) throw tooManyTries(counted.waitMs);
      const refusal = await parts.changePassword({
        accountId,
        oldPassword: formText(req, 'old'),
        newPassword: formText(req, 'new'),
      });
      if (refusal !== null) {
        await parts.accessNotes.passwordRefused(res, accountId, 'change-of-password');
        sendForm(req, res, next, [{ field: 'old', message: refusal.reason }]);
        return;
      }
      await counted.succeed();
      // Whoever knew the old password is out, in every browser.
      await parts.endSessions(accountId);
      await beginSession(req, accountId, parts.now());
      flash(req, 'success', 'Your password is changed. Other browsers are signed out.');
      res.redirect(303, next ?? homeOf(who));
    });
};

const whoIs = (res: Response): SignedIn => {
  const who = signedInOf(res);
  if (who === null) throw new TypeError('The route has no guard for accounts.');
  return who;
};

const missingIn = (req: Request): readonly FieldError[] => {
  const [old, chosen, repeated] = [
    formText(req, 'old'),
    formText(req, 'new'),
    formText(req, 'repeated'),
  ];
  const refusal =
    chosen === old && old !== '' ? SAME_PASSWORD.reason : passwordRefusal(chosen)?.reason;
  return [
    ...(old === '' ? [{ field: 'old', message: 'Enter the password that you have.' }] : []),
    ...(refusal === undefined ? [] : [{ field: 'new', message: refusal }]),
    ...(repeated === chosen
      ? []
      : [{ field: 'repeated', message: 'The two new passwords differ: type the new one twice.' }]),
  ];
};

const tooManyTries = (waitMs: number): PageProblem =>
  new PageProblem(
    429,
    'Too many tries',
    `The password was not changed: it has been tried too often. Wait ${waitText(waitMs)}, then try again.`,
    { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  );

const sendForm = (
  req: Request,
  res: Response,
  next: string | null,
  errors: readonly FieldError[],
): void => {
  const isFirst = needsOwnPassword(req);
  const title = isFirst ? 'Choose your password' : 'Change your password';
  const { email } = whoIs(res);
  sendPage(req, res, {
    title,
    isRefused: errors.length > 0,
    children: <PasswordForm email={email} isFirst={isFirst} next={next} errors={errors} />,
  });
};
