import { type Request, type Response, Router } from 'express';
import { toPerson } from '../../../access/person.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getAccount, requireAccount } from '../../../web/guards/seats.ts';
import { flash } from '../../../web/session/flash.ts';
import type { FieldError } from '../../layout/field-errors.ts';
import { getHomePath } from '../../layout/navigation.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { checkNewName, NameForm } from '../people/name-form.tsx';

export const OWN_NAME_SAVED = 'Your name was saved.';

const PAGE = '/account/name';

/** Change of one's own name. */
export const ownNameRouter = (registry: App): Router =>
  Router()
    .get(PAGE, requireAccount, (req, res) => sendForm(req, res, getAccount(res).name ?? '', []))
    .post(PAGE, requireAccount, async (req, res) => {
      const who = getAccount(res);
      const name = readFormText(req, 'name');
      const errors = checkNewName(name);
      if (errors.length > 0) {
        sendForm(req, res, name, errors);
        return;
      }
      const { members, staff } = createCommands(registry, toPerson(who));
      if (who.kind === 'member') await members.rename(who.practiceId, who.memberId, name);
      else await staff.rename(who.staffId, name);
      flash(req, 'success', OWN_NAME_SAVED);
      res.redirect(303, PAGE);
    });

const sendForm = (
  req: Request,
  res: Response,
  name: string,
  errors: readonly FieldError[],
): void => {
  const who = getAccount(res);
  sendPage(req, res, {
    title: 'Your name',
    hasErrors: errors.length > 0,
    children: (
      <NameForm action={PAGE} cancel={getHomePath(who)} name={name} errors={errors} isOwn>
        {who.kind === 'member'
          ? 'Your practice sees it wherever you have done something: in the history of records, in lists and in logs.'
          : 'Your colleagues see it in lists and logs. A practice sees only that the service staff did something.'}{' '}
        You still sign in with your email, {who.email}.
      </NameForm>
    ),
  });
};
