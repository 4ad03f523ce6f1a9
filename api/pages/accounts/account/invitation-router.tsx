import type { Request, RequestHandler, Router } from 'express';
import type { FindSignedIn } from '../../../access/signed-in.ts';
import { noteSignIn } from '../../../access-log/access-notes.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import type { App } from '../../../ports/app-ports.ts';
import { listFormNames, readFormText, readQueryText } from '../../../web/form-body.ts';
import { getInvited, type Invited } from '../../../web/guards/own-password.ts';
import { readNextPage } from '../../../web/next-page.ts';
import { beginSession, getSignedIn } from '../../../web/session/signed-in-session.ts';
import { toFieldError } from '../../layout/field-errors.ts';
import { getHomePath } from '../../layout/navigation.ts';
import { createRouter, form, redirect } from '../../layout/routes.tsx';
import { checkName } from '../../parts/name-form.tsx';
import { checkPasswords } from './account-router.tsx';
import { PasswordForm } from './password-form.tsx';

export const describeMembership = (practice: string | null): string =>
  `Your password is set, and you are a member of ${practice}.`;

interface InvitationValues {
  /** `null` from a form that was opened before names existed: it does not have this field. */
  readonly name: string | null;
  readonly next: string | null;
}

export const invitationRouter = (app: App, findSignedIn: FindSignedIn): Router => {
  const { passwords, invitations } = app;
  const getCommands = (accountId: string) =>
    createCommands(app, { kind: 'member', id: accountId }).members;

  return createRouter(
    form('/account/password', requireInvitation, {
      load: async (req) => {
        const invited = getInvitation(req);
        const { accountId, practiceId } = invited;
        const practice = await app.reads.findPractice(practiceId);
        const name = await getCommands(accountId).nameWhenInvited(practiceId, accountId);
        return { ...invited, practice: practice?.name ?? null, name: name ?? '' };
      },
      title: 'Choose your password',
      open: ({ name }, req): InvitationValues => ({
        name,
        next: readNextPage(readQueryText(req, 'next')),
      }),
      read: (req) => ({
        name: listFormNames(req).includes('name') ? readFormText(req, 'name') : null,
        next: readNextPage(readFormText(req, 'next')),
      }),
      stored: null,
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
        return redirect(next ?? getHomePath(who), describeMembership(practice));
      },
    }),
  );
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
