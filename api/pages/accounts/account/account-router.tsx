import type { Request, RequestHandler, Router } from 'express';
import {
  checkPassword,
  MIN_PASSWORD_LENGTH,
  type PasswordOwner,
} from '../../../../domain/account/credentials.ts';
import { toPerson } from '../../../access/person.ts';
import type { FindSignedIn, SignedIn } from '../../../access/signed-in.ts';
import { noteRefusedCredential, noteSignIn } from '../../../access-log/access-notes.ts';
import { changePassword, SAME_PASSWORD } from '../../../commands/change-password.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import type { App } from '../../../ports/app-ports.ts';
import { listFormNames, readFormText, readQueryText } from '../../../web/form-body.ts';
import { getInvited, type Invited, needsOwnPassword } from '../../../web/guards/own-password.ts';
import { getAccount, requireAccount } from '../../../web/guards/seats.ts';
import { readNextPage } from '../../../web/next-page.ts';
import { checkFormToken } from '../../../web/session/csrf.ts';
import {
  beginSession,
  continueWithoutSession,
  getSignedIn,
} from '../../../web/session/signed-in-session.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { Form } from '../../layout/form.tsx';
import { getHomePath } from '../../layout/navigation.ts';
import { createRouter, form, redirect } from '../../layout/routes.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { checkName, NameField } from '../../parts/name-form.tsx';
import { createOwnAttemptCounter } from '../sign-in/sign-in-throttle.ts';

const PAGE = '/account/password';

export const accountRouter = (app: App, findSignedIn: FindSignedIn): Router => {
  const { passwords, invitations } = app;
  const countAttempt = createOwnAttemptCounter(app);
  const getCommands = (accountId: string) =>
    createCommands(app, { kind: 'member', id: accountId }).members;

  return createRouter(
    form(PAGE, requireInvitation, {
      load: async (req) => {
        const invited = getInvitation(req);
        const { accountId, practiceId } = invited;
        const practice = await app.reads.findPractice(practiceId);
        const name = await getCommands(accountId).nameWhenInvited(practiceId, accountId);
        return { ...invited, practice: practice?.name ?? null, name: name ?? '' };
      },
      title: 'Choose your password',
      open: ({ name }, req): { readonly name: string | null; readonly next: string | null } => ({
        name,
        next: readNextPage(readQueryText(req, 'next')),
      }),
      read: (req) => ({
        // A form that was opened before names existed does not have this field.
        name: listFormNames(req).includes('name') ? readFormText(req, 'name') : null,
        next: readNextPage(readFormText(req, 'next')),
      }),
      replaces: null,
      view: (values, { email, practice, name }) => (
        <PasswordForm
          email={email}
          isFirst
          practice={practice}
          name={values.name ?? name}
          next={values.next}
        />
      ),
      placeRefusal: () => 'old',
      save: async ({ name, next }, invited, req, res) => {
        const { accountId, email, practiceId, practice } = invited;
        const newName = name ?? invited.name;
        const errors = [
          ...checkName(newName),
          ...checkPasswords(req, { email, practice }, passwords.isCommonPassword),
        ];
        if (errors.length > 0) return errors;
        const invitation = await invitations.find(
          accountId,
          passwords.hashOneTimePassword(readFormText(req, 'old')),
        );
        if (invitation?.practiceId !== practiceId)
          return [toFieldError('old', { code: 'wrong-password' })];
        if (invitation.endsAt <= app.now())
          return [toFieldError('old', { code: 'password-ended' })];
        const generation = await getCommands(accountId).accept(
          practiceId,
          accountId,
          await passwords.hashPassword(readFormText(req, 'new'), accountId),
          newName,
        );
        const who = await findSignedIn(accountId);
        if (who === null) throw new TypeError('The person who has just accepted is a member.');
        await noteSignIn(app, res, who);
        await beginSession(req, accountId, generation, app.now());
        return redirect(next ?? getHomePath(who), {
          id: 'membership-begun',
          text: `Your password is set, and you are a member of ${practice}.`,
        });
      },
    }),
    form(PAGE, requireAccount, {
      load: (req, res) => ({ who: getAccount(res), isFirst: needsOwnPassword(req) }),
      title: ({ isFirst }) => (isFirst ? 'Choose your password' : 'Change your password'),
      open: (_loaded, req) => readNextPage(readQueryText(req, 'next')),
      read: (req) => readNextPage(readFormText(req, 'next')),
      replaces: null,
      view: (next, { who, isFirst }) => (
        <PasswordForm email={who.email} isFirst={isFirst} next={next} />
      ),
      save: async (next, { who }, req, res) => {
        const owner = findOwner(who);
        const errors = checkPasswords(req, owner, passwords.isCommonPassword);
        if (errors.length > 0) return errors;
        const accountId = toPerson(who).id;
        const attempt = await countAttempt(req, res, accountId, 'The password was not changed');
        continueWithoutSession(res);
        const changed = await attempt.check(() =>
          changePassword(app, {
            accountId,
            owner,
            oldPassword: readFormText(req, 'old'),
            newPassword: readFormText(req, 'new'),
          }),
        );
        if (changed.kind === 'refused') {
          if (changed.code === 'wrong-password') await passwords.countFailure(accountId);
          await noteRefusedCredential(app, res, accountId, 'change-of-password');
          return [toFieldError('old', changed)];
        }
        await attempt.succeed();
        // Signs out anyone who knew the old password, in every browser.
        await app.endSessions(accountId);
        await app.announceAccessChange();
        await beginSession(req, accountId, changed.generation, app.now());
        return redirect(next ?? getHomePath(who), {
          id: 'password-changed',
          text: 'Your password was changed. Other browsers are signed out.',
        });
      },
    }),
    // Called by a page to extend the session: any answer does that. 409 keeps the page covered if
    // another person opened it.
    (router) =>
      router.get('/account/session', requireAccount, (req, res) => {
        res.status(checkFormToken(req, res) === 'another' ? 409 : 204).end();
      }),
  );
};

const findOwner = (who: SignedIn): PasswordOwner => ({
  email: who.email,
  practice: who.kind === 'member' ? who.practice.name : null,
});

const checkPasswords = (
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
      : [
          {
            field: 'repeated',
            id: 'passwords-differ',
            message: 'The new passwords do not match. Enter the same one twice.',
          },
        ]),
  ];
};

/** Everyone else has another route at the same address. */
const requireInvitation: RequestHandler = (req, res, next) => {
  if (getSignedIn(res) === null && getInvited(req) !== null) next();
  else next('route');
};

const getInvitation = (req: Request): Invited => {
  const invited = getInvited(req);
  if (invited === null) throw new TypeError('The route has no guard for the invited.');
  return invited;
};

const PasswordForm = ({
  email,
  isFirst,
  practice = null,
  name,
  next,
}: {
  /** Lets a password manager identify the account. */
  readonly email: string;
  /** True if the current password is a one-time password. */
  readonly isFirst: boolean;
  /** Practice whose invitation this accepts; `null` if none. */
  readonly practice?: string | null;
  /** Known name; `undefined` if the form does not ask for it. */
  readonly name?: string;
  readonly next: string | null;
}) => (
  <Form action={PAGE}>
    {isFirst && (
      <Notice kind="info" id={practice === null ? 'password-first' : 'invited'}>
        {practice === null
          ? 'Choose your own password to continue. The one-time password works only for this.'
          : `You’re invited to join ${practice}. Choose your own password to accept.`}
      </Notice>
    )}
    {next !== null && <input type="hidden" name="next" value={next} />}
    <input
      type="text"
      class="usa-sr-only"
      name="email"
      value={email}
      autocomplete="username"
      aria-label="Email"
      readOnly
      tabIndex={-1}
    />
    {name !== undefined && (
      <NameField
        label="Your name"
        hint="Your practice sees it next to everything you do."
        name={name}
        autocomplete="name"
      />
    )}
    <TextField
      name="old"
      label={isFirst ? 'One-time password' : 'Current password'}
      type="password"
      autocomplete="current-password"
    />
    <TextField
      name="new"
      label="New password"
      hint={`At least ${MIN_PASSWORD_LENGTH} characters. A sentence is easy to remember and hard to guess.`}
      type="password"
      autocomplete="new-password"
    />
    <TextField
      name="repeated"
      label="Confirm new password"
      type="password"
      autocomplete="new-password"
    />
    <div class="buttons">
      <button type="submit" class="usa-button">
        {isFirst ? 'Set password' : 'Change password'}
      </button>
    </div>
  </Form>
);
