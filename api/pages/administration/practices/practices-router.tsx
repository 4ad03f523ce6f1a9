import { type Request, type Response, Router } from 'express';
import { parseReason } from '../../../../domain/text-input.ts';
import type { ListedPractice } from '../../../../projections/lists/organizations.ts';
import { toPerson } from '../../../access/person.ts';
import { CommandRefused } from '../../../commands/command-refused.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import { catchRefusal } from '../../../commands/refusal-of.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { getStaff, requireStaff } from '../../../web/guards/seats.ts';
import { readPageNumber } from '../../../web/page-number.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { flash } from '../../../web/session/flash.ts';
import { createRunOnce, newFormId } from '../../../web/single-use-form.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { checkName } from '../../accounts/people/name-form.tsx';
import { sendOneTimePassword } from '../../accounts/people/one-time-password.tsx';
import { afterRevoking, askToRevoke, requireKey } from '../../keys/revoke-key.tsx';
import { MAX_ENTRIES } from '../../layout/audit-trail.tsx';
import { type FieldError, toFieldError, toRefusalError } from '../../layout/field-errors.ts';
import { BUSY } from '../../layout/flash-messages.tsx';
import { sendPage } from '../../layout/send-page.tsx';
import { requireStepUp } from '../../layout/step-up.tsx';
import { describeBeta, readBooleanField, sendBetaConfirmation } from '../setting-toggle.tsx';
import { AdminForm, PracticeForm, RenameForm, type TypedPractice } from './practice-forms.tsx';
import { buildPracticesPath, PracticeList } from './practice-list.tsx';
import { askForKind, describeBetaChange, PracticePage } from './practice-page.tsx';

const LIST = '/staff/practices';
const ON_A_PAGE = 50;
const NOTHING_TYPED = { email: '', name: '', reason: '' };

/** Message after a practice became a sandbox or a real practice. */
export const describeKind = (name: string, sandbox: boolean): string =>
  `${name} is ${sandbox ? 'a sandbox' : 'a real practice'} now.`;

/** Message after a practice was renamed. */
export const describeNewName = (name: string): string => `Renamed to ${name}.`;

/** Practices, for the service staff. */
export const staffPracticesRouter = (registry: App): Router => {
  const commands = (res: Response) => createCommands(registry, toPerson(getStaff(res)));
  const practiceIn = async (req: Request): Promise<ListedPractice> => {
    const practice = await registry.reads.findPractice(String(req.params['practice']));
    if (practice === null) throw pageNotFound();
    return practice;
  };
  const fresh = requireStepUp(registry);
  const keyOf = async (practiceId: string, req: Request) =>
    requireKey(req, await registry.reads.listKeysOfPractice(practiceId));

  const sendAdminForm = async (
    req: Request,
    res: Response,
    practice: ListedPractice,
    typed: { readonly email: string; readonly name: string; readonly reason: string },
    errors: readonly FieldError[],
  ): Promise<void> => {
    const admin = await registry.reads.findAdminStatus(practice.practiceId);
    sendPage(req, res, {
      title: `Invite an Admin of ${practice.name}`,
      hasErrors: errors.length > 0,
      children: (
        <AdminForm
          practice={practice}
          breaksGlass={admin === 'lost'}
          {...typed}
          errors={errors}
          formId={newFormId()}
        />
      ),
    });
  };

  return Router()
    .get(LIST, requireStaff, async (req, res) => {
      const text = readQueryText(req, 'q').trim();
      const page = readPageNumber(req);
      const from = (page - 1) * ON_A_PAGE;
      const { total, practices } = await registry.reads.searchPractices({
        text,
        from,
        count: ON_A_PAGE,
      });
      const pages = Math.max(1, Math.ceil(total / ON_A_PAGE));
      if (page > pages) {
        res.redirect(303, buildPracticesPath(text, pages));
        return;
      }
      sendPage(req, res, {
        title: 'Practices',
        action: (
          <a class="usa-button" href={`${LIST}/new`}>
            Set up a practice
          </a>
        ),
        children: <PracticeList practices={practices} text={text} page={page} pages={pages} />,
      });
    })
    .get(`${LIST}/new`, requireStaff, (req, res) =>
      sendPracticeForm(req, res, { name: '', sandbox: false, beta: false }, []),
    )
    .post(LIST, requireStaff, async (req, res) => {
      const typed: TypedPractice = {
        name: readFormText(req, 'name').trim(),
        sandbox: readFormText(req, 'sandbox') === 'yes',
        beta: readFormText(req, 'beta') === 'yes',
      };
      let practiceId = '';
      const refusal = await catchRefusal(
        commands(res)
          .practices.create(typed)
          .then((id) => {
            practiceId = id;
          }),
      );
      if (refusal !== null) {
        sendPracticeForm(req, res, typed, [toRefusalError('name', refusal)]);
        return;
      }
      flash(req, 'success', `${typed.name} was created. Now invite its first Admin.`);
      res.redirect(303, `${LIST}/${practiceId}`);
    })
    .get(`${LIST}/:practice`, requireStaff, async (req, res) => {
      const practice = await practiceIn(req);
      const { practiceId, name } = practice;
      const [admin, keys, audit] = await Promise.all([
        registry.reads.findAdminStatus(practiceId),
        registry.reads.listKeysOfPractice(practiceId),
        registry.reads.findPracticeAudit(practiceId, MAX_ENTRIES),
      ]);
      sendPage(req, res, {
        title: name,
        children: <PracticePage practice={practice} admin={admin} keys={keys} audit={audit} />,
      });
    })
    .get(`${LIST}/:practice/sandbox`, requireStaff, async (req, res) => {
      const practice = await practiceIn(req);
      askForKind(req, res, `${LIST}/${practice.practiceId}`, practice);
    })
    .post(`${LIST}/:practice/sandbox`, requireStaff, fresh, async (req, res) => {
      const { practiceId, name } = await practiceIn(req);
      const sandbox = readBooleanField(req);
      const refusal = await nullIfLeaseUnavailable(
        catchRefusal(commands(res).practices.set(practiceId, { sandbox, beta: null })).then(
          (reason) => ({ reason }),
        ),
      );
      if (refusal === null) flash(req, 'warning', BUSY);
      else if (refusal.reason === null) flash(req, 'success', describeKind(name, sandbox));
      else flash(req, 'error', refusal.reason.message);
      res.redirect(303, `${LIST}/${practiceId}`);
    })
    .get(`${LIST}/:practice/beta`, requireStaff, async (req, res) => {
      const practice = await practiceIn(req);
      sendBetaConfirmation(
        req,
        res,
        `${LIST}/${practice.practiceId}`,
        practice,
        describeBetaChange(practice),
      );
    })
    .post(`${LIST}/:practice/beta`, requireStaff, fresh, async (req, res) => {
      const { practiceId, name } = await practiceIn(req);
      const beta = readBooleanField(req);
      await commands(res).practices.set(practiceId, { beta, sandbox: null });
      flash(req, 'success', describeBeta(name, beta));
      res.redirect(303, `${LIST}/${practiceId}`);
    })
    .get(`${LIST}/:practice/name`, requireStaff, async (req, res) => {
      const practice = await practiceIn(req);
      sendRenameForm(req, res, practice, practice.name, []);
    })
    .post(`${LIST}/:practice/name`, requireStaff, async (req, res) => {
      const practice = await practiceIn(req);
      const { practiceId } = practice;
      const name = readFormText(req, 'name').trim();
      const refusal = await catchRefusal(
        commands(res).practices.set(practiceId, { name, sandbox: null, beta: null }),
      );
      if (refusal !== null) {
        sendRenameForm(req, res, practice, name, [toRefusalError('name', refusal)]);
        return;
      }
      flash(req, 'success', describeNewName(name));
      res.redirect(303, `${LIST}/${practiceId}`);
    })
    .get(`${LIST}/:practice/admin`, requireStaff, async (req, res) =>
      sendAdminForm(req, res, await practiceIn(req), NOTHING_TYPED, []),
    )
    .post(`${LIST}/:practice/admin`, requireStaff, fresh, async (req, res) => {
      const practice = await practiceIn(req);
      const { practiceId } = practice;
      const back = `${LIST}/${practiceId}`;
      const email = readFormText(req, 'email').trim();
      const reason = readFormText(req, 'reason');
      const name = readFormText(req, 'name');
      const typed = { email, name, reason };
      const why = parseReason(reason);
      const admin = await registry.reads.findAdminStatus(practiceId);
      const errors = [
        ...checkName(name),
        ...(admin === 'lost' && why.kind === 'refused' ? [toFieldError('reason', why)] : []),
      ];
      if (errors.length > 0) {
        await sendAdminForm(req, res, practice, typed, errors);
        return;
      }
      try {
        const invited = await createRunOnce(registry.usedForms)(req, getStaff(res).staffId, () =>
          commands(res).members.inviteByStaff({ practiceId, email, name }, reason),
        );
        sendOneTimePassword(req, res, invited, {
          title: 'Admin invited',
          email,
          seat: 'Admin',
          signInAt: registry.signInAt,
          back,
        });
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        await sendAdminForm(req, res, practice, typed, [toRefusalError('email', error)]);
      }
    })
    .get(`${LIST}/:practice/keys/:key/revoke`, requireStaff, async (req, res) => {
      const { practiceId, name } = await practiceIn(req);
      const key = await keyOf(practiceId, req);
      askToRevoke(
        req,
        res,
        key,
        `${LIST}/${practiceId}`,
        <p>
          This is a key of{' '}
          <strong>{key.kind === 'native' ? name : `${key.partnerName} for ${name}`}</strong>. As
          soon as you revoke it, every request with it is refused. This cannot be undone: its holder
          needs a new key.
        </p>,
      );
    })
    .post(`${LIST}/:practice/keys/:key/revoke`, requireStaff, fresh, async (req, res) => {
      const { practiceId } = await practiceIn(req);
      const key = await keyOf(practiceId, req);
      await commands(res).keys.revoke(key.keyId);
      afterRevoking(req, res, key, `${LIST}/${practiceId}`);
    });
};

const sendPracticeForm = (
  req: Request,
  res: Response,
  typed: TypedPractice,
  errors: readonly FieldError[],
): void =>
  sendPage(req, res, {
    title: 'Set up a practice',
    hasErrors: errors.length > 0,
    children: <PracticeForm typed={typed} errors={errors} />,
  });

const sendRenameForm = (
  req: Request,
  res: Response,
  practice: ListedPractice,
  name: string,
  errors: readonly FieldError[],
): void => {
  sendPage(req, res, {
    title: `Rename ${practice.name}`,
    hasErrors: errors.length > 0,
    children: <RenameForm practice={practice} name={name} errors={errors} />,
  });
};
