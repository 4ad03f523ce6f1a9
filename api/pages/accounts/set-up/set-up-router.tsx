import type { Request, Router } from 'express';
import {
  checkEmail,
  checkPassword,
  type IsCommonPassword,
  MIN_PASSWORD_LENGTH,
  normalizeEmail,
} from '../../../../domain/account/credentials.ts';
import type { Refusal } from '../../../../domain/decision.ts';
import type { Actor } from '../../../../domain/event-log.ts';
import { parseOrganizationName } from '../../../../domain/text-input.ts';
import { SET_UP_HOURS, type SetUpLink } from '../../../access/set-up-link.ts';
import type { FindSignedIn } from '../../../access/signed-in.ts';
import { noteSignIn } from '../../../access-log/access-notes.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { PageProblem } from '../../../web/page-problem.ts';
import { isSafeMethod } from '../../../web/same-origin.ts';
import { beginSession } from '../../../web/session/signed-in-session.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { RadioGroup } from '../../layout/radio-group.tsx';
import { createRouter, form, page, redirect } from '../../layout/routes.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { checkName, NameField } from '../../parts/name-form.tsx';

const NO_VALUES = {
  staffName: '',
  staffEmail: '',
  staffPassword: '',
  practiceName: '',
  isSandbox: true,
  adminName: '',
  adminEmail: '',
  adminPassword: '',
};

type SetUpValues = Readonly<typeof NO_VALUES>;

const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters`;

const SetUpForm = ({ values }: { readonly values: SetUpValues }) => (
  <Form action="/set-up" values={values}>
    <p>
      This registry is empty. Create its first two accounts and its first practice here. You will
      then be signed in as the practice’s Admin.
    </p>
    <h2>Service staff</h2>
    <p>This account sets up practices and partners. It cannot see any births.</p>
    <NameField
      field="staffName"
      label="Name of the staff member"
      autocomplete="section-staff name"
    />
    <TextField
      name="staffEmail"
      label="Email of the service staff"
      type="email"
      inputMode="email"
      autocomplete="section-staff username"
    />
    <TextField
      name="staffPassword"
      label="Password of the service staff"
      type="password"
      autocomplete="section-staff new-password"
      hint={PASSWORD_HINT}
    />
    <h2>First practice</h2>
    <TextField name="practiceName" label="Name of the practice" autocomplete="organization" />
    <RadioGroup
      name="purpose"
      label="What is it for?"
      choices={[
        {
          value: 'sandbox',
          text: 'To try out the registry with made-up births only (a sandbox, marked on every page)',
        },
        { value: 'real', text: 'For real births' },
      ]}
      value={values.isSandbox ? 'sandbox' : 'real'}
    />
    <h2>Admin of the practice</h2>
    <p>
      This account enters and views births, manages API keys, and invites colleagues. It needs an
      email of its own, even if one person has both accounts.
    </p>
    <NameField field="adminName" label="Name of the Admin" autocomplete="section-admin name" />
    <TextField
      name="adminEmail"
      label="Email of the Admin"
      type="email"
      inputMode="email"
      autocomplete="section-admin username"
    />
    <TextField
      name="adminPassword"
      label="Password of the Admin"
      type="password"
      autocomplete="section-admin new-password"
      hint={PASSWORD_HINT}
    />
    <div class="buttons">
      <button type="submit" class="usa-button">
        Set up the registry
      </button>
    </div>
  </Form>
);

declare module 'express-session' {
  interface SessionData {
    /** Proves that the visitor used the setup link. */
    setUp: string;
  }
}

/** There is no account yet: the person who started the service creates the first one. */
const FIRST_PERSON: Actor = { kind: 'operator', id: 'set-up' };

/** The service prints the link at its start. */
export const setUpRouter = (app: App, setUpLink: SetUpLink, findSignedIn: FindSignedIn): Router => {
  const { isAnyAccount } = app.reads;

  const setUp = async (values: SetUpValues): Promise<string> => {
    const staffId = await createCommands(app, FIRST_PERSON).accounts.addStaff({
      name: values.staffName,
      email: values.staffEmail,
      password: values.staffPassword,
    });
    try {
      return await setUpPractice({ kind: 'staff', id: staffId }, values);
    } catch (cause) {
      throw Object.assign(buildUnfinishedSetUp(), { cause });
    }
  };

  const setUpPractice = async (staff: Actor, values: SetUpValues): Promise<string> => {
    const { practices, accounts } = createCommands(app, staff);
    // Outside the beta, its Admin could not mint a key.
    const practiceId = await practices.create({
      name: values.practiceName,
      sandbox: values.isSandbox,
      beta: true,
    });
    return accounts.addMember({
      practiceId,
      role: 'Admin',
      name: values.adminName,
      email: values.adminEmail,
      password: values.adminPassword,
    });
  };

  const loadSetUp = async (req: Request): Promise<string> => {
    const { setUp: entry } = req.session;
    if (entry === undefined || !setUpLink.isOpenTo(entry)) throw buildAlreadySetUp();
    if (isSafeMethod(req) && (await isAnyAccount())) throw buildAlreadySetUp();
    return entry;
  };

  return createRouter(
    page('/set-up/:token', [], async (req) => {
      const entry = setUpLink.enter(String(req.params['token']));
      if (entry === null || (await isAnyAccount())) throw buildAlreadySetUp();
      req.session.setUp = entry;
      // Removes the token from the address bar and the browser history at once.
      return redirect('/set-up');
    }),
    form('/set-up', [], {
      load: loadSetUp,
      title: 'Set up the registry',
      open: () => NO_VALUES,
      read: readValues,
      replaces: null,
      view: (values) => <SetUpForm values={values} />,
      save: async (values, entry, req, res) => {
        const errors = checkSetUp(values, app.passwords.isCommonPassword);
        if (errors.length > 0) return errors;
        const adminId = await setUpLink.use(entry, async () =>
          (await isAnyAccount()) ? null : setUp(values),
        );
        const admin = adminId === null ? null : await findSignedIn(adminId);
        if (adminId === null || admin === null) throw buildAlreadySetUp();
        await noteSignIn(app, res, admin);
        const generation = (await app.passwords.find(adminId))?.generation ?? '';
        await beginSession(req, adminId, generation, app.now());
        return redirect('/registry/integrations', {
          id: values.isSandbox ? 'set-up-sandbox' : 'set-up-real',
          text: `The registry is set up, and you are signed in as the Admin. Mint a key below${
            values.isSandbox
              ? '. On the next page, you can send a test birth.'
              : ' for the system that will send births.'
          }`,
        });
      },
    }),
  );
};

const buildAlreadySetUp = (): PageProblem =>
  new PageProblem(
    404,
    'This setup link does not work',
    `It works once, for ${SET_UP_HOURS} hours, and only until the first account is created. If you have an account, sign in. If the form was open for a while, open the link again. If that does not help, restart the service in a terminal to get a new link.`,
  );

/** An account already exists, so the link has expired; its owner continues with that account. */
const buildUnfinishedSetUp = (): PageProblem =>
  new PageProblem(
    503,
    'Setup is not finished',
    'The account of the service staff was created, but the practice or its Admin was not. Sign in as the service staff to finish: create the practice and invite its Admin.',
  );

const readValues = (req: Request): SetUpValues => ({
  staffName: readFormText(req, 'staffName'),
  staffEmail: readFormText(req, 'staffEmail').trim(),
  staffPassword: readFormText(req, 'staffPassword'),
  practiceName: readFormText(req, 'practiceName').trim(),
  isSandbox: readFormText(req, 'purpose') !== 'real',
  adminName: readFormText(req, 'adminName'),
  adminEmail: readFormText(req, 'adminEmail').trim(),
  adminPassword: readFormText(req, 'adminPassword'),
});

const checkSetUp = (values: SetUpValues, isCommon: IsCommonPassword): readonly FieldError[] => {
  const named = parseOrganizationName(values.practiceName, 'practice');
  const [staffEmail, adminEmail] = [values.staffEmail, values.adminEmail].map(normalizeEmail) as [
    string,
    string,
  ];
  const isOneEmail = staffEmail === adminEmail;
  const refusalOfAdmin = checkPassword(
    values.adminPassword,
    { email: adminEmail, practice: values.practiceName },
    isCommon,
  );
  return [
    ...nameOwner('Service staff', [
      ...checkName(values.staffName, 'staffName'),
      ...toFieldErrors('staffEmail', checkEmail(staffEmail)),
      ...toFieldErrors(
        'staffPassword',
        checkPassword(values.staffPassword, { email: staffEmail, practice: null }, isCommon),
      ),
    ]),
    ...toFieldErrors('practiceName', named.kind === 'refused' ? named : null),
    ...nameOwner('Admin', [
      ...checkName(values.adminName, 'adminName'),
      ...toFieldErrors('adminEmail', checkEmail(adminEmail)),
    ]),
    ...(isOneEmail && values.adminEmail !== ''
      ? [
          {
            field: 'adminEmail',
            id: 'same-email',
            message: 'The Admin needs a different email from the service staff. Use another email.',
          },
        ]
      : []),
    ...nameOwner('Admin', toFieldErrors('adminPassword', refusalOfAdmin)),
  ];
};

/** Says whose fields have the errors: both accounts have the same fields. */
const nameOwner = (owner: string, errors: readonly FieldError[]): readonly FieldError[] =>
  errors.map((error) => ({ ...error, message: `${owner}: ${error.message}` }));

const toFieldErrors = (field: string, refusal: Refusal | null): readonly FieldError[] =>
  refusal === null ? [] : [toFieldError(field, refusal)];
