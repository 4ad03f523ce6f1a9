import type { Request, RequestHandler, Response } from 'express';
import type { ComponentChildren } from 'preact';
import { isDormant } from '../../../../domain/account/access-review.ts';
import { countInWords } from '../../../../domain/format-measures.ts';
import {
  displayName,
  displayNameWithEmail,
  type NamedPerson,
} from '../../../../projections/lists/people-names.ts';
import { toPerson } from '../../../access/person.ts';
import type { OneTimePassword } from '../../../commands/account-credentials.ts';
import { catchRefusal } from '../../../commands/refusal-of.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getAccount } from '../../../web/guards/seats.ts';
import { readPageNumber, slicePage } from '../../../web/page-number.ts';
import { type PageProblem, pageNotFound } from '../../../web/page-problem.ts';
import { createRunOnce, FORM_ID_FIELD, newFormId } from '../../../web/single-use-form.ts';
import type { FieldError } from '../../layout/field-errors.ts';
import { createPageCommands } from '../../layout/page-commands.ts';
import { Pagination } from '../../layout/pagination.tsx';
import { form, loadNothing, page, question, type Route, redirect } from '../../layout/routes.tsx';
import { checkNewName, NameForm, STORED_NAME } from '../../parts/name-form.tsx';
import { buildPasswordPage } from '../../parts/one-time-password.tsx';
import { requireStepUp } from '../../second-factor/step-up.tsx';
import type { Account } from './account-table.tsx';

export interface NewPerson {
  readonly email: string;
  readonly name: string;
  /** Role in a practice; empty if none was chosen, and for service staff. */
  readonly role: string;
}

/** Accounts of a practice's members or of the service staff. */
export interface Accounts<Listed extends Account> {
  readonly home: string;
  /** Name of the route's parameter with the id of a person. */
  readonly param: string;
  readonly guard: RequestHandler;
  readonly list: (res: Response) => Promise<readonly Listed[]>;
  readonly getId: (listed: Listed) => string;
  /** False for a pending invitation or a closed account. */
  readonly hasAccount: (listed: Listed) => boolean;
  /** Answers to actions that people may not take on their own account. */
  readonly refuseSelf: Readonly<
    Partial<Record<'password' | 'sign-out' | 'remove', () => PageProblem>>
  >;
  readonly title: string;
  readonly showList: (listed: readonly Listed[], self: string) => ComponentChildren;
  readonly tabTitle: string;
  readonly showPerson: (
    listed: Listed,
    flags: { readonly isSelf: boolean; readonly isDormant: boolean },
  ) => ComponentChildren;
  readonly add: {
    readonly path: string;
    readonly title: string;
    readonly doneTitle: string;
    readonly view: (values: NewPerson) => ComponentChildren;
    readonly check: (values: NewPerson) => readonly FieldError[];
    readonly run: (values: NewPerson, res: Response) => Promise<OneTimePassword>;
  };
  readonly rename: (listed: Listed, name: string, res: Response) => Promise<unknown>;
  /** Readers of a person's name. */
  readonly describeNameUse: (listed: Listed) => string;
  readonly resetPassword: (listed: Listed, res: Response) => Promise<OneTimePassword>;
  readonly remove: (listed: Listed, res: Response) => Promise<unknown>;
  readonly removal: {
    readonly submit: string;
    /** Effects; the name precedes them. */
    readonly describe: (listed: Listed) => string;
    readonly describeDone: (listed: NamedPerson) => string;
  };
}

/** List and pages of accounts that an Admin or a member of the service staff manages. */
export const createAccountRoutes = <Listed extends Account>(
  app: App,
  accounts: Accounts<Listed>,
): { readonly routes: readonly Route[] } & AccountLoaders<Listed> => {
  const { home, guard, getId, hasAccount, add, removal, refuseSelf } = accounts;
  const at = `${home}/:${accounts.param}`;
  const stepUp = requireStepUp(app);
  const runOnce = createRunOnce(app.usedForms);
  const getSelf = (res: Response): string => toPerson(getAccount(res)).id;
  const getPath = (listed: Listed): string => `${home}/${getId(listed)}`;
  const isSelf = (listed: Listed, res: Response): boolean => getId(listed) === getSelf(res);

  const load = async (req: Request, res: Response): Promise<Listed> => {
    const listed = (await accounts.list(res)).find(
      (one) => getId(one) === req.params[accounts.param],
    );
    if (listed === undefined) throw pageNotFound();
    return listed;
  };
  const loadOpen = async (req: Request, res: Response): Promise<Listed> => {
    const listed = await load(req, res);
    if (!hasAccount(listed)) throw pageNotFound();
    return listed;
  };
  const loadFor = (name: keyof typeof refuseSelf) => async (req: Request, res: Response) => {
    const listed = await loadOpen(req, res);
    const buildProblem = refuseSelf[name];
    if (buildProblem !== undefined && isSelf(listed, res)) throw buildProblem();
    return listed;
  };

  const routes = [
    page(home, guard, async (req, res) => {
      const all = await accounts.list(res);
      const { rows, ...place } = slicePage(all, readPageNumber(req));
      return {
        title: accounts.title,
        action: (
          <>
            <a class="usa-button usa-button--outline" href={`${home}/review`}>
              Access review
            </a>
            <a class="usa-button" href={`${home}/${add.path}`}>
              {add.title}
            </a>
          </>
        ),
        children: (
          <>
            {accounts.showList(rows, getSelf(res))}
            <Pagination {...place} of={accounts.title} href={(to) => `${home}?page=${to}`} />
          </>
        ),
      };
    }),
    form(`${home}/${add.path}`, guard, {
      load: loadNothing,
      title: add.title,
      open: (): NewPerson => ({ email: '', name: '', role: '' }),
      read: (req) => ({
        email: readFormText(req, 'email').trim(),
        name: readFormText(req, 'name'),
        role: readFormText(req, 'seat'),
      }),
      replaces: null,
      view: add.view,
      postTo: home,
      // With a second account, a person could do everything that requires the second factor.
      stepUp,
      placeRefusal: () => 'email',
      save: async (values, _loaded, req, res) => {
        const errors = add.check(values);
        if (errors.length > 0) return errors;
        return buildPasswordPage(await runOnce(req, getSelf(res), () => add.run(values, res)), {
          title: add.doneTitle,
          email: values.email,
          role: values.role === '' ? null : values.role,
          signInAt: app.signInUrl,
          back: home,
        });
      },
    }),
    page(at, guard, async (req, res) => {
      const listed = await load(req, res);
      return {
        title: displayName(listed),
        tabTitle: accounts.tabTitle,
        children: accounts.showPerson(listed, {
          isSelf: isSelf(listed, res),
          isDormant: hasAccount(listed) && isDormant(listed, app.now()),
        }),
      };
    }),
    form(`${at}/name`, guard, {
      load: loadOpen,
      title: (listed) => `Name of ${displayName(listed)}`,
      tabTitle: 'Name',
      open: ({ name }) => ({ name: name ?? '' }),
      read: (req) => ({ name: readFormText(req, 'name') }),
      replaces: { name: STORED_NAME },
      view: (values, listed, res) => (
        <NameForm
          action={`${getPath(listed)}/name`}
          cancel={getPath(listed)}
          values={values}
          isOwn={isSelf(listed, res)}
        >
          {accounts.describeNameUse(listed)}
        </NameForm>
      ),
      save: async ({ name }, listed, _req, res) => {
        const errors = checkNewName(name);
        if (errors.length > 0) return errors;
        await accounts.rename(listed, name, res);
        return redirect(getPath(listed), {
          id: 'name-saved',
          text: `The name of ${listed.email} was saved.`,
        });
      },
    }),
    question(`${at}/password`, guard, {
      load: loadFor('password'),
      back: getPath,
      stepUp,
      ask: (listed) => ({
        title: `New password for ${displayName(listed)}?`,
        tabTitle: 'New password?',
        submit: 'Create a new password',
        fields: { [FORM_ID_FIELD]: newFormId() },
        children: (
          <p>
            <strong>{displayNameWithEmail(listed)}</strong> will be signed out everywhere, and their
            current password will stop working. You will get a one-time password to give them, which
            they use to choose a new one.
          </p>
        ),
      }),
      run: async (listed, req, res) =>
        buildPasswordPage(
          await runOnce(req, getSelf(res), () => accounts.resetPassword(listed, res)),
          {
            title: 'New password created',
            email: listed.email,
            role: null,
            signInAt: app.signInUrl,
            back: getPath(listed),
          },
        ),
    }),
    question(`${at}/sign-out`, guard, {
      load: loadFor('sign-out'),
      back: getPath,
      ask: (listed) => ({
        title: `Sign ${displayName(listed)} out everywhere?`,
        tabTitle: 'Sign out everywhere?',
        submit: 'Sign out everywhere',
        children: (
          <p>
            <strong>{displayNameWithEmail(listed)}</strong> will be signed out of every browser
            right away, including on a lost phone or laptop. Their account and password stay the
            same, and they can sign in again.
          </p>
        ),
      }),
      run: async (listed, _req, res) => {
        const { accounts: commands } = createPageCommands(app, res);
        const ended = await commands.endSessions(listed.email);
        return redirect(getPath(listed), {
          id: 'sessions-ended',
          text: `${displayNameWithEmail(listed)} was ${ended === 0 ? 'not signed in anywhere' : `signed out of ${countInWords(ended, 'browser')}`}.`,
        });
      },
    }),
    question(`${at}/remove`, guard, {
      load: loadFor('remove'),
      back: getPath,
      stepUp,
      ask: (listed) => ({
        title: `Remove ${displayName(listed)}?`,
        tabTitle: 'Remove a person?',
        submit: removal.submit,
        destructive: true,
        children: (
          <p>
            <strong>{displayNameWithEmail(listed)}</strong> {removal.describe(listed)}
          </p>
        ),
      }),
      run: async (listed, _req, res) => {
        const refusal = await catchRefusal(accounts.remove(listed, res));
        return refusal === null
          ? redirect(home, removal.describeDone(listed))
          : redirect(home, refusal.message, 'error');
      },
    }),
  ];
  return { routes, load, loadOpen, getPath };
};

interface AccountLoaders<Listed> {
  /** Loads the person of a request, also an invited or former one. */
  readonly load: (req: Request, res: Response) => Promise<Listed>;
  readonly loadOpen: (req: Request, res: Response) => Promise<Listed>;
  readonly getPath: (listed: Listed) => string;
}
