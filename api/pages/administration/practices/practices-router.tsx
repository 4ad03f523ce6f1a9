import type { Request, Response, Router } from 'express';
import { parseReason } from '../../../../domain/text-input.ts';
import type { ListedPractice } from '../../../../projections/lists/organizations.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { getStaff, requireStaff } from '../../../web/guards/seats.ts';
import { readPageNumber } from '../../../web/page-number.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { createRunOnce } from '../../../web/single-use-form.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { MAX_ENTRIES } from '../../layout/audit-trail.tsx';
import { toFieldError } from '../../layout/field-errors.ts';
import { BUSY } from '../../layout/flash-messages.tsx';
import { createPageCommands } from '../../layout/page-commands.ts';
import { createRouter, form, loadNothing, page, redirect } from '../../layout/routes.tsx';
import { revokeKey } from '../../parts/keys/keys-router.tsx';
import { checkName } from '../../parts/name-form.tsx';
import { buildPasswordPage } from '../../parts/one-time-password.tsx';
import { requireStepUp } from '../../second-factor/step-up.tsx';
import { toggle, toggleBeta } from '../setting-toggle.tsx';
import {
  AdminForm,
  PracticeForm,
  RenameForm,
  type TypedAdmin,
  type TypedPractice,
} from './practice-forms.tsx';
import { buildPracticesPath, PracticeList } from './practice-list.tsx';
import {
  describeBetaChange,
  describeKindChange,
  getKindButton,
  PracticePage,
} from './practice-page.tsx';

const LIST = '/staff/practices';
const PRACTICE = `${LIST}/:practice`;
const ON_A_PAGE = 50;

export const describeKind = (name: string, sandbox: boolean): string =>
  `${name} is ${sandbox ? 'a sandbox' : 'a real practice'} now.`;

export const describeNewName = (name: string): string => `Renamed to ${name}.`;

const buildPracticePath = ({ practiceId }: Pick<ListedPractice, 'practiceId'>): string =>
  `${LIST}/${practiceId}`;

export const staffPracticesRouter = (app: App): Router => {
  const { reads } = app;
  const stepUp = requireStepUp(app);
  const runOnce = createRunOnce(app.usedForms);
  const commands = (res: Response) => createPageCommands(app, res);
  const load = async (req: Request): Promise<ListedPractice> => {
    const practice = await reads.findPractice(String(req.params['practice']));
    if (practice === null) throw pageNotFound();
    return practice;
  };

  return createRouter(
    page(LIST, requireStaff, async (req) => {
      const text = readQueryText(req, 'q').trim();
      const number = readPageNumber(req);
      const from = (number - 1) * ON_A_PAGE;
      const { total, practices } = await reads.searchPractices({ text, from, count: ON_A_PAGE });
      const pages = Math.max(1, Math.ceil(total / ON_A_PAGE));
      if (number > pages) return redirect(buildPracticesPath(text, pages));
      return {
        title: 'Practices',
        action: (
          <a class="usa-button" href={`${LIST}/new`}>
            Set up a practice
          </a>
        ),
        children: <PracticeList practices={practices} text={text} page={number} pages={pages} />,
      };
    }),
    form(`${LIST}/new`, requireStaff, {
      load: loadNothing,
      title: 'Set up a practice',
      open: (): TypedPractice => ({ name: '', sandbox: false, beta: false }),
      read: (req) => ({
        name: readFormText(req, 'name').trim(),
        sandbox: readFormText(req, 'sandbox') === 'yes',
        beta: readFormText(req, 'beta') === 'yes',
      }),
      stored: null,
      view: (values) => <PracticeForm values={values} />,
      postTo: LIST,
      placeRefusal: () => 'name',
      save: async (typed, _loaded, _req, res) => {
        const practiceId = await commands(res).practices.create(typed);
        return redirect(
          buildPracticePath({ practiceId }),
          `${typed.name} was created. Now invite its first Admin.`,
        );
      },
    }),
    page(PRACTICE, requireStaff, async (req) => {
      const practice = await load(req);
      const { practiceId, name } = practice;
      const [admin, keys, audit] = await Promise.all([
        reads.findAdminStatus(practiceId),
        reads.listPracticeKeys(practiceId),
        reads.readPracticeAudit(practiceId, MAX_ENTRIES),
      ]);
      return {
        title: name,
        children: <PracticePage practice={practice} admin={admin} keys={keys} audit={audit} />,
      };
    }),
    toggle(`${PRACTICE}/sandbox`, {
      load,
      stepUp,
      back: buildPracticePath,
      current: ({ sandbox }) => sandbox,
      title: ({ name }, to) => (to ? `Make ${name} a sandbox?` : `Make ${name} a real practice?`),
      submit: getKindButton,
      changes: describeKindChange,
      run: async (practice, sandbox, res) => {
        const { practiceId, name } = practice;
        const set = commands(res).practices.set(practiceId, { sandbox, beta: null });
        const isDone = await nullIfLeaseUnavailable(set.then(() => true));
        const back = buildPracticePath(practice);
        return isDone === null
          ? redirect(back, BUSY, 'warning')
          : redirect(back, describeKind(name, sandbox));
      },
    }),
    toggleBeta(`${PRACTICE}/beta`, {
      load,
      stepUp,
      back: buildPracticePath,
      changes: describeBetaChange,
      set: ({ practiceId }, beta, res) =>
        commands(res).practices.set(practiceId, { beta, sandbox: null }),
    }),
    form(`${PRACTICE}/name`, requireStaff, {
      load,
      title: ({ name }) => `Rename ${name}`,
      open: ({ name }) => ({ name }),
      read: (req) => ({ name: readFormText(req, 'name').trim() }),
      stored: { name: { label: 'Name' } },
      view: (values, practice) => <RenameForm at={buildPracticePath(practice)} values={values} />,
      placeRefusal: () => 'name',
      save: async ({ name }, practice, _req, res) => {
        await commands(res).practices.set(practice.practiceId, { name, sandbox: null, beta: null });
        return redirect(buildPracticePath(practice), describeNewName(name));
      },
    }),
    form(`${PRACTICE}/admin`, requireStaff, {
      load: async (req) => {
        const practice = await load(req);
        return { practice, admin: await reads.findAdminStatus(practice.practiceId) };
      },
      stepUp,
      title: ({ practice }) => `Invite an Admin of ${practice.name}`,
      open: (): TypedAdmin => ({ email: '', name: '', reason: '' }),
      read: (req) => ({
        email: readFormText(req, 'email').trim(),
        name: readFormText(req, 'name'),
        reason: readFormText(req, 'reason'),
      }),
      stored: null,
      view: (values, { practice, admin }) => (
        <AdminForm
          at={buildPracticePath(practice)}
          practiceName={practice.name}
          breaksGlass={admin === 'lost'}
          values={values}
        />
      ),
      placeRefusal: () => 'email',
      save: async ({ email, name, reason }, { practice, admin }, req, res) => {
        const why = parseReason(reason);
        const errors = [
          ...checkName(name),
          ...(admin === 'lost' && why.kind === 'refused' ? [toFieldError('reason', why)] : []),
        ];
        if (errors.length > 0) return errors;
        const { practiceId } = practice;
        const invited = await runOnce(req, getStaff(res).staffId, () =>
          commands(res).members.inviteByStaff({ practiceId, email, name }, reason),
        );
        return buildPasswordPage(invited, {
          title: 'Admin invited',
          email,
          role: 'Admin',
          signInAt: app.signInAt,
          back: buildPracticePath(practice),
        });
      },
    }),
    revokeKey({
      home: PRACTICE,
      guard: requireStaff,
      stepUp,
      listKeys: async (req) => reads.listPracticeKeys((await load(req)).practiceId),
      commands: (res) => commands(res).keys,
      describeRevoking: ({ kind, practiceName, partnerName }) => (
        <p>
          This is a key of{' '}
          <strong>{kind === 'native' ? practiceName : `${partnerName} for ${practiceName}`}</strong>
          . As soon as you revoke it, every request with it is refused. This cannot be undone: its
          holder needs a new key.
        </p>
      ),
    }),
  );
};
