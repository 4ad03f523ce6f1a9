import { type Request, type Response, Router } from 'express';
import { checkPassword, type PasswordOwner } from '../../../../domain/account/credentials.ts';
import { toPerson } from '../../../access/person.ts';
import type { SignedIn } from '../../../access/signed-in.ts';
import { noteRefusedPassword } from '../../../access-log/access-notes.ts';
import { changePassword, SAME_PASSWORD } from '../../../commands/change-password.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { needsOwnPassword } from '../../../web/guards/own-password.ts';
import { getAccount, requireAccount } from '../../../web/guards/seats.ts';
import { readNextPage } from '../../../web/next-page.ts';
import { flash } from '../../../web/session/flash.ts';
import { readFormOwner } from '../../../web/session/form-owner.ts';
import { beginSession, finishAfterSignOut } from '../../../web/session/signed-in-session.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { getHomePath } from '../../layout/navigation.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { createOwnAttemptCounter } from './count-own-try.ts';
import { PasswordForm } from './password-form.tsx';

export const PASSWORDS_DIFFER_MESSAGE = 'The two new passwords differ: type the new one twice.';

const PAGE = '/account/password';

/** Change of one's own password. */
export const accountRouter = (registry: App): Router => {
  const countOwnTry = createOwnAttemptCounter(registry);
  return (
    Router()
      // Called by a page to extend the session: any answer does that. 409 keeps the page covered if
      // another person opened it.
      .get('/account/session', requireAccount, (req, res) => {
        res.status(readFormOwner(req, res) === 'another' ? 409 : 204).end();
      })
      .get(PAGE, requireAccount, (req, res) =>
        sendForm(req, res, readNextPage(readQueryText(req, 'next')), []),
      )
      .post(PAGE, requireAccount, async (req, res) => {
        const who = getAccount(res);
        const next = readNextPage(readFormText(req, 'next'));
        const owner = findOwner(who);
        const missing = checkPasswords(req, owner, registry.passwords.isCommonPassword);
        if (missing.length > 0) {
          sendForm(req, res, next, missing);
          return;
        }
        const accountId = toPerson(who).id;
        const counted = await countOwnTry(req, res, accountId, 'The password was not changed');
        finishAfterSignOut(res);
        const changed = await changePassword(registry, {
          accountId,
          owner,
          oldPassword: readFormText(req, 'old'),
          newPassword: readFormText(req, 'new'),
        });
        if (changed.kind === 'refused') {
          if (changed.code === 'wrong-password') await registry.passwords.countFailure(accountId);
          await noteRefusedPassword(registry, res, accountId, 'change-of-password');
          sendForm(req, res, next, [toFieldError('old', changed)]);
          return;
        }
        await counted.succeed();
        // Signs out anyone who knew the old password, in every browser.
        await registry.endSessions(accountId);
        await registry.announceAccessChange();
        await beginSession(req, accountId, changed.generation, registry.now());
        flash(req, 'success', 'Your password is changed. Other browsers are signed out.');
        res.redirect(303, next ?? getHomePath(who));
      })
  );
};

const findOwner = (who: SignedIn): PasswordOwner => ({
  email: who.email,
  practice: who.kind === 'member' ? who.practice.name : null,
});

/** Errors in the fields of the form. */
export const checkPasswords = (
  req: Request,
  owner: PasswordOwner,
  isCommon: App['passwords']['isCommonPassword'],
): readonly FieldError[] => {
  const [old, chosen, repeated] = [
    readFormText(req, 'old'),
    readFormText(req, 'new'),
    readFormText(req, 'repeated'),
  ];
  const refusal =
    chosen === old && old !== '' ? SAME_PASSWORD : checkPassword(chosen, owner, isCommon);
  return [
    ...(old === ''
      ? [{ field: 'old', id: 'no-password', message: 'Enter the password that you have.' }]
      : []),
    ...(refusal === null ? [] : [toFieldError('new', refusal)]),
    ...(repeated === chosen
      ? []
      : [{ field: 'repeated', id: 'passwords-differ', message: PASSWORDS_DIFFER_MESSAGE }]),
  ];
};

const sendForm = (
  req: Request,
  res: Response,
  next: string | null,
  errors: readonly FieldError[],
): void => {
  const isFirst = needsOwnPassword(req);
  const title = isFirst ? 'Choose your password' : 'Change your password';
  const { email } = getAccount(res);
  sendPage(req, res, {
    title,
    hasErrors: errors.length > 0,
    children: <PasswordForm email={email} isFirst={isFirst} next={next} errors={errors} />,
  });
};
