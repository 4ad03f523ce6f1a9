import type { Router } from 'express';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getAccount, requireAccount } from '../../../web/guards/seats.ts';
import { getHomePath } from '../../layout/navigation.ts';
import { createPageCommands } from '../../layout/page-commands.ts';
import { createRouter, form, redirect } from '../../layout/routes.tsx';
import { checkNewName, NameForm, STORED_NAME } from '../../parts/name-form.tsx';

const PAGE = '/account/name';

export const ownNameRouter = (app: App): Router =>
  createRouter(
    form(PAGE, requireAccount, {
      load: (_req, res) => getAccount(res),
      title: 'Your name',
      open: ({ name }) => ({ name: name ?? '' }),
      read: (req) => ({ name: readFormText(req, 'name') }),
      replaces: { name: STORED_NAME },
      view: (values, who) => (
        <NameForm action={PAGE} cancel={getHomePath(who)} values={values} isOwn>
          {who.kind === 'member'
            ? 'Your practice sees it next to everything you do: in the history of records, in lists, and in logs.'
            : 'Your colleagues see it in lists and logs. A practice only sees that the service staff did something.'}{' '}
          You still sign in with your email, {who.email}.
        </NameForm>
      ),
      save: async ({ name }, who, _req, res) => {
        const errors = checkNewName(name);
        if (errors.length > 0) return errors;
        const { members, staff } = createPageCommands(app, res);
        if (who.kind === 'member') await members.rename(who.practiceId, who.memberId, name);
        else await staff.rename(who.staffId, name);
        return redirect(PAGE, { id: 'own-name-saved', text: 'Your name was saved.' });
      },
    }),
  );
