import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { FindSignedIn } from '../../../access/signed-in.ts';
import { noteSignIn } from '../../../access-log/access-notes.ts';
import { CommandRefused } from '../../../commands/command-refused.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import type { App } from '../../../ports/app-ports.ts';
import { listFormNames, readFormText, readQueryText } from '../../../web/form-body.ts';
import { getInvited, type Invited } from '../../../web/guards/own-password.ts';
import { readNextPage } from '../../../web/next-page.ts';
import { flash } from '../../../web/session/flash.ts';
import { beginSession, getSignedIn } from '../../../web/session/signed-in-session.ts';
import { type FieldError, toFieldError, toRefusalError } from '../../layout/field-errors.ts';
import { getHomePath } from '../../layout/navigation.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { checkName } from '../people/name-form.tsx';
import { checkPasswords } from './account-router.tsx';
import { PasswordForm } from './password-form.tsx';

const PAGE = '/account/password';

/** Message to a person who has joined a practice. */
export const describeMembership = (practice: string | null): string =>
  `Your password is set, and you are a member of ${practice}.`;

/** An invited person joins the practice by choosing a password. */
export const invitationRouter = (registry: App, findSignedIn: FindSignedIn): Router => {
  const { passwords, invitations } = registry;

  const practiceNameOf = async (invited: Invited): Promise<string | null> =>
    (await registry.reads.findPractice(invited.practiceId))?.name ?? null;

  const sendForm = async (
    req: Request,
    res: Response,
    invited: Invited,
    name: string,
    next: string | null,
    errors: readonly FieldError[],
  ): Promise<void> =>
    sendPage(req, res, {
      title: 'Choose your password',
      hasErrors: errors.length > 0,
      children: (
        <PasswordForm
          email={invited.email}
          isFirst
          joins={await practiceNameOf(invited)}
          name={name}
          next={next}
          errors={errors}
        />
      ),
    });

  const membersFor = (accountId: string) =>
    createCommands(registry, { kind: 'member', id: accountId }).members;
  const nameKnownOf = async ({ accountId, practiceId }: Invited): Promise<string> =>
    (await membersFor(accountId).nameWhenInvited(practiceId, accountId)) ?? '';

  return Router()
    .get(PAGE, requireInvitation, async (req, res) => {
      const invited = describeAccount(req);
      const name = await nameKnownOf(invited);
      await sendForm(req, res, invited, name, readNextPage(readQueryText(req, 'next')), []);
    })
    .post(PAGE, requireInvitation, async (req, res) => {
      const invited = describeAccount(req);
      const { accountId, email, practiceId } = invited;
      const next = readNextPage(readFormText(req, 'next'));
      const owner = { email, practice: await practiceNameOf(invited) };
      // Forms opened before names existed do not have this field.
      const name = listFormNames(req).includes('name')
        ? readFormText(req, 'name')
        : await nameKnownOf(invited);
      const errors = [
        ...checkName(name),
        ...checkPasswords(req, owner, passwords.isCommonPassword),
      ];
      const refuse = (error: FieldError) =>
        sendForm(req, res, invited, name, next, [...errors, error]);
      if (errors.length > 0) return sendForm(req, res, invited, name, next, errors);
      const held = await invitations.find(
        accountId,
        passwords.digestOfOneTimePassword(readFormText(req, 'old')),
      );
      if (held?.practiceId !== practiceId)
        return refuse(toFieldError('old', { code: 'wrong-password' }));
      if (held.endsAt <= registry.now())
        return refuse(toFieldError('old', { code: 'password-ended' }));
      try {
        const generation = await membersFor(accountId).accept(
          practiceId,
          accountId,
          await passwords.hashPassword(readFormText(req, 'new')),
          name,
        );
        const who = await findSignedIn(accountId);
        if (who === null) throw new TypeError('Who has just accepted has a seat.');
        await noteSignIn(registry, res, who);
        await beginSession(req, accountId, generation, registry.now());
        flash(req, 'success', describeMembership(owner.practice));
        res.redirect(303, next ?? getHomePath(who));
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        return refuse(toRefusalError('old', error));
      }
    });
};

/** Everyone else has another route at the same address. */
const requireInvitation: RequestHandler = (req, res, next) => {
  if (getSignedIn(res) === null && getInvited(req) !== null) next();
  else next('route');
};

const describeAccount = (req: Request): Invited => {
  const invited = getInvited(req);
  if (invited === null) throw new TypeError('The route has no guard for the invited.');
  return invited;
};
