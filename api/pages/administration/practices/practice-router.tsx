import type { Request, Response, Router } from 'express';
import { BREAK_GLASS_NOTICE_DAYS } from '../../../../domain/account/break-glass.ts';
import {
  MAX_REASON_LENGTH,
  MIN_REASON_LENGTH,
  parseReason,
} from '../../../../domain/text-input.ts';
import type { ListedPractice } from '../../../../projections/lists/organizations.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getStaff, requireStaff } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { createRunOnce } from '../../../web/single-use-form.ts';
import { nullIfLeaseUnavailable } from '../../../writes/null-if-lease-unavailable.ts';
import { AuditTrail, MAX_ENTRIES } from '../../layout/audit-trail.tsx';
import { EmailField } from '../../layout/email-field.tsx';
import { Facts } from '../../layout/facts.tsx';
import { toFieldError } from '../../layout/field-errors.ts';
import { BUSY } from '../../layout/flash-messages.tsx';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { FormIdField } from '../../layout/hidden-fields.tsx';
import { createPageCommands } from '../../layout/page-commands.ts';
import { createRouter, form, page, redirect } from '../../layout/routes.tsx';
import { Section } from '../../layout/section.tsx';
import { TextArea } from '../../layout/text-area.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { KeyTable } from '../../parts/keys/key-table.tsx';
import { revokeKey } from '../../parts/keys/keys-router.tsx';
import { checkName, NameField } from '../../parts/name-form.tsx';
import { buildPasswordPage } from '../../parts/one-time-password.tsx';
import { requireStepUp } from '../../second-factor/step-up.tsx';
import { BetaToggle, SettingToggle, toggle, toggleBeta } from '../setting-toggle.tsx';

const LIST = '/staff/practices';
const PRACTICE = `${LIST}/:practice`;

const buildPracticePath = ({ practiceId }: Pick<ListedPractice, 'practiceId'>): string =>
  `${LIST}/${practiceId}`;

export const staffPracticeRouter = (app: App): Router => {
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
    page(PRACTICE, requireStaff, async (req) => {
      const practice = await load(req);
      const { practiceId, name, members, timeZone, sandbox, beta } = practice;
      const at = buildPracticePath(practice);
      const [admin, keys, audit] = await Promise.all([
        reads.findAdminStatus(practiceId),
        reads.listPracticeKeys(practiceId),
        reads.readPracticeAudit(practiceId, MAX_ENTRIES),
      ]);
      return {
        title: name,
        children: (
          <>
            <Facts
              of={[
                [
                  'Members',
                  <>
                    {members}{' '}
                    {admin !== 'has-admin' && (
                      <a href={`${at}/admin`}>
                        {admin === 'never-had-members'
                          ? 'Invite the first Admin'
                          : 'No Admin: invite one (emergency access)'}
                      </a>
                    )}
                  </>,
                ],
                ['Time zone', timeZone],
                ['Practice id', practiceId],
              ]}
            />
            <Section id="settings" heading="Settings">
              <div class="cards">
                <SettingToggle
                  action={`${at}/sandbox`}
                  heading="Kind"
                  currentText={sandbox ? 'sandbox' : 'real practice'}
                  turnsOn={!sandbox}
                  submit={getKindButton(!sandbox)}
                  effect={describeKindChange(practice)}
                />
                <BetaToggle at={at} beta={beta} effect={describeBetaChange(practice)} />
              </div>
              <p class="margin-top-2">
                <a href={`${at}/name`}>Rename the practice</a>
              </p>
            </Section>
            <Section id="keys" heading="Keys">
              {keys.length === 0 ? (
                <p>
                  None yet. The practice’s Admin mints its keys. A partner’s keys are minted on the
                  partner’s page.
                </p>
              ) : (
                <KeyTable
                  caption="Keys of the practice"
                  keys={keys}
                  audience="staff"
                  of="holder"
                  revokeAt={({ keyId }) => `${at}/keys/${keyId}/revoke`}
                />
              )}
            </Section>
            <AuditTrail entries={audit} audience="staff" />
          </>
        ),
      };
    }),
    toggle(`${PRACTICE}/sandbox`, {
      load,
      stepUp,
      back: buildPracticePath,
      isOn: ({ sandbox }) => sandbox,
      title: ({ name }, to) => (to ? `Make ${name} a sandbox?` : `Make ${name} a real practice?`),
      submit: getKindButton,
      effect: describeKindChange,
      run: async (practice, sandbox, res) => {
        const { practiceId, name } = practice;
        const set = commands(res).practices.set(practiceId, { sandbox, beta: null });
        const isDone = await nullIfLeaseUnavailable(set.then(() => true));
        const back = buildPracticePath(practice);
        return isDone === null
          ? redirect(back, BUSY, 'warning')
          : redirect(back, {
              id: sandbox ? 'made-sandbox' : 'made-real',
              text: `${name} is ${sandbox ? 'a sandbox' : 'a real practice'} now.`,
            });
      },
    }),
    toggleBeta(`${PRACTICE}/beta`, {
      load,
      stepUp,
      back: buildPracticePath,
      effect: describeBetaChange,
      set: ({ practiceId }, beta, res) =>
        commands(res).practices.set(practiceId, { beta, sandbox: null }),
    }),
    form(`${PRACTICE}/name`, requireStaff, {
      load,
      title: ({ name }) => `Rename ${name}`,
      open: ({ name }) => ({ name }),
      read: (req) => ({ name: readFormText(req, 'name').trim() }),
      replaces: { name: { label: 'Name' } },
      view: (values, practice) => {
        const at = buildPracticePath(practice);
        return (
          <>
            <p>Its members see the new name on every page immediately. Nothing else changes.</p>
            <Form action={`${at}/name`} values={values}>
              <TextField name="name" label="Name" />
              <FormButtons submit="Rename practice" cancel={at} />
            </Form>
          </>
        );
      },
      placeRefusal: () => 'name',
      save: async ({ name }, practice, _req, res) => {
        await commands(res).practices.set(practice.practiceId, { name, sandbox: null, beta: null });
        return redirect(buildPracticePath(practice), {
          id: 'practice-renamed',
          text: `Renamed to ${name}.`,
        });
      },
    }),
    form(`${PRACTICE}/admin`, requireStaff, {
      load: async (req) => {
        const practice = await load(req);
        return { practice, admin: await reads.findAdminStatus(practice.practiceId) };
      },
      stepUp,
      title: ({ practice }) => `Invite an Admin of ${practice.name}`,
      open: () => ({ email: '', name: '', reason: '' }),
      read: (req) => ({
        email: readFormText(req, 'email').trim(),
        name: readFormText(req, 'name'),
        reason: readFormText(req, 'reason'),
      }),
      replaces: null,
      view: (values, { practice, admin }) => (
        <>
          <p>
            An Admin of {practice.name} sees its records, and invites the other members. You get a
            one-time password to give them.
          </p>
          <Form action={`${buildPracticePath(practice)}/admin`} values={values}>
            <FormIdField />
            <EmailField />
            <NameField />
            {admin === 'lost-admin' && (
              <TextArea
                name="reason"
                label="Why are you inviting an Admin?"
                hint={`The practice has no Admin left. The new Admin reads this on every page for ${BREAK_GLASS_NOTICE_DAYS} days, and it stays on record. ${MIN_REASON_LENGTH} to ${MAX_REASON_LENGTH} characters.`}
                rows={3}
                maxLength={MAX_REASON_LENGTH}
              />
            )}
            <FormButtons submit="Invite Admin" cancel={buildPracticePath(practice)} />
          </Form>
        </>
      ),
      placeRefusal: () => 'email',
      save: async ({ email, name, reason }, { practice, admin }, req, res) => {
        const why = parseReason(reason);
        const errors = [
          ...checkName(name),
          ...(admin === 'lost-admin' && why.kind === 'refused'
            ? [toFieldError('reason', why)]
            : []),
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
          signInAt: app.signInUrl,
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

const getKindButton = (sandbox: boolean): string =>
  sandbox ? 'Make it a sandbox' : 'Make it a real practice';

const describeKindChange = ({ sandbox }: Pick<ListedPractice, 'sandbox'>): string =>
  sandbox
    ? 'Its pages will lose the banner, and its records will count in the benchmark. Only a practice without active records can be changed.'
    : 'It will be for synthetic data only: its pages show a banner, and benchmarks leave it out. Only a practice without active records can be changed.';

const describeBetaChange = ({ beta }: Pick<ListedPractice, 'beta'>): string =>
  beta
    ? 'No one can mint new keys for the practice. Existing keys keep working until they expire or are revoked.'
    : 'Its Admin can mint keys, and partner keys can be minted for it.';
