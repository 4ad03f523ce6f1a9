import type { Request, Router } from 'express';
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
import { readFormOwner } from '../../../web/session/csrf.ts';
import { beginSession, finishAfterSignOut } from '../../../web/session/signed-in-session.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { getHomePath } from '../../layout/navigation.ts';
import { createRouter, form, redirect } from '../../layout/routes.tsx';
import { createOwnAttemptCounter } from './count-own-try.ts';
import { PasswordForm } from './password-form.tsx';

export const PASSWORDS_DIFFER_MESSAGE = 'The new passwords do not match. Enter the same one twice.';

const PAGE = '/account/password';

export const accountRouter = (app: App): Router => {
  const countAttempt = createOwnAttemptCounter(app);
  return createRouter(
    form(PAGE, requireAccount, {
      load: (req, res) => ({ who: getAccount(res), isFirst: needsOwnPassword(req) }),
      title: ({ isFirst }) => (isFirst ? 'Choose your password' : 'Change your password'),
      open: (_loaded, req) => readNextPage(readQueryText(req, 'next')),
      read: (req) => readNextPage(readFormText(req, 'next')),
      stored: null,
      view: (next, { who, isFirst }) => (
        <PasswordForm email={who.email} isFirst={isFirst} next={next} />
      ),
      save: async (next, { who }, req, res) => {
        const owner = findOwner(who);
        const errors = checkPasswords(req, owner, app.passwords.isCommonPassword);
        if (errors.length > 0) return errors;
        const accountId = toPerson(who).id;
        const attempt = await countAttempt(req, res, accountId, 'The password was not changed');
        finishAfterSignOut(res);
        const changed = await attempt.check(() =>
          changePassword(app, {
            accountId,
            owner,
            oldPassword: readFormText(req, 'old'),
            newPassword: readFormText(req, 'new'),
          }),
        );
        if (changed.kind === 'refused') {
          if (changed.code === 'wrong-password') await app.passwords.countFailure(accountId);
          await noteRefusedPassword(app, res, accountId, 'change-of-password');
          return [toFieldError('old', changed)];
        }
        await attempt.succeed();
        // Signs out anyone who knew the old password, in every browser.
        await app.endSessions(accountId);
        await app.announceAccessChange();
        await beginSession(req, accountId, changed.generation, app.now());
        return redirect(
          next ?? getHomePath(who),
          'Your password was changed. Other browsers are signed out.',
        );
      },
    }),
    // Called by a page to extend the session: any answer does that. 409 keeps the page covered if
    // another person opened it.
    (router) =>
      router.get('/account/session', requireAccount, (req, res) => {
        res.status(readFormOwner(req, res) === 'another' ? 409 : 204).end();
      }),
  );
};

const findOwner = (who: SignedIn): PasswordOwner => ({
  email: who.email,
  practice: who.kind === 'member' ? who.practice.name : null,
});

export const checkPasswords = (
  req: Request,
  owner: PasswordOwner,
  isCommon: App['passwords']['isCommonPassword'],
): readonly FieldError[] => {
  const old = readFormText(req, 'old');
  const password = readFormText(req, 'new');
  const refusal =
    password === old && old !== '' ? SAME_PASSWORD : checkPassword(password, owner, isCommon);
  return [
    ...(old === ''
      ? [{ field: 'old', id: 'no-password', message: 'Enter your current password.' }]
      : []),
    ...(refusal === null ? [] : [toFieldError('new', refusal)]),
    ...(readFormText(req, 'repeated') === password
      ? []
      : [{ field: 'repeated', id: 'passwords-differ', message: PASSWORDS_DIFFER_MESSAGE }]),
  ];
};
