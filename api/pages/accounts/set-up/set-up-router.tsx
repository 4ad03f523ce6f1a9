import { type Request, type Response, Router } from 'express';
import {
  checkEmail,
  checkPassword,
  type IsCommonPassword,
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
import { flash } from '../../../web/session/flash.ts';
import { beginSession } from '../../../web/session/signed-in-session.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { checkName } from '../people/name-form.tsx';
import { SetUpForm, type TypedSetUp } from './set-up-page.tsx';

declare module 'express-session' {
  interface SessionData {
    /** Proves that the visitor used the setup link. */
    setUp: string;
  }
}

const NOTHING_TYPED: TypedSetUp = {
  staffName: '',
  staffEmail: '',
  staffPassword: '',
  practiceName: '',
  isSandbox: true,
  adminName: '',
  adminEmail: '',
  adminPassword: '',
};

/**
 * There is no account yet; the person who started the service in a terminal creates the first one.
 */
const FIRST_PERSON: Actor = { kind: 'operator', id: 'set-up' };

/**
 * Setup by the link that the service prints at its start: creates the first accounts and practice.
 */
export const setUpRouter = (
  registry: App,
  setUpLink: SetUpLink,
  findSignedIn: FindSignedIn,
): Router => {
  const { isAnyAccount } = registry.reads;

  const setUp = async (typed: TypedSetUp): Promise<string> => {
    const staffId = await createCommands(registry, FIRST_PERSON).accounts.addStaff({
      name: typed.staffName,
      email: typed.staffEmail,
      password: typed.staffPassword,
    });
    try {
      return await setUpPractice({ kind: 'staff', id: staffId }, typed);
    } catch (cause) {
      throw Object.assign(findUnfinishedSetUp(), { cause });
    }
  };

  const setUpPractice = async (staff: Actor, typed: TypedSetUp): Promise<string> => {
    const { practices, accounts } = createCommands(registry, staff);
    // Outside the beta, its Admin could not mint a key.
    const practiceId = await practices.create({
      name: typed.practiceName,
      sandbox: typed.isSandbox,
      beta: true,
    });
    return accounts.addMember({
      practiceId,
      role: 'Admin',
      name: typed.adminName,
      email: typed.adminEmail,
      password: typed.adminPassword,
    });
  };

  return Router()
    .get('/set-up/:token', async (req, res) => {
      const entry = setUpLink.enter(String(req.params['token']));
      if (entry === null || (await isAnyAccount())) throw sendAlreadySetUp();
      req.session.setUp = entry;
      // Removes the token from the address bar and the browser history at once.
      res.redirect(303, '/set-up');
    })
    .get('/set-up', async (req, res) => {
      if (!setUpLink.isOpenTo(req.session.setUp) || (await isAnyAccount()))
        throw sendAlreadySetUp();
      sendForm(req, res, NOTHING_TYPED, []);
    })
    .post('/set-up', async (req, res) => {
      if (!setUpLink.isOpenTo(req.session.setUp)) throw sendAlreadySetUp();
      const typed = readTypedSetUp(req);
      const errors = checkSetUp(typed, registry.passwords.isCommonPassword);
      if (errors.length > 0) {
        sendForm(req, res, typed, errors);
        return;
      }
      const adminId = await setUpLink.use(req.session.setUp, async () =>
        (await isAnyAccount()) ? null : setUp(typed),
      );
      const admin = adminId === null ? null : await findSignedIn(adminId);
      if (adminId === null || admin === null) throw sendAlreadySetUp();
      await noteSignIn(registry, res, admin);
      const generation = (await registry.passwords.find(adminId))?.generation ?? '';
      await beginSession(req, adminId, generation, registry.now());
      flash(req, 'success', describeSetUp(typed.isSandbox));
      res.redirect(303, '/registry/integrations');
    });
};

/**
 * Message after the setup of a registry.
 * @param isSandbox true if its first practice is a sandbox
 */
export const describeSetUp = (isSandbox: boolean): string =>
  isSandbox
    ? 'The registry is set up, and you are signed in as the Admin. Mint a key below. On the next page you can send a test birth.'
    : 'The registry is set up, and you are signed in as the Admin. Mint a key below for the system that will send births.';

/** The Admin and the service staff cannot share an account. */
export const SAME_EMAIL =
  'The Admin needs a different email from the service staff. Use another email.';

const sendAlreadySetUp = (): PageProblem =>
  new PageProblem(
    404,
    'This set-up link does not work',
    `It works once, for ${SET_UP_HOURS} hours, and only while there is no account. If you have one, sign in. If the form was open for a while, open the link again. If that does not help, restart the service on a terminal: it prints a new link.`,
  );

/** An account already exists, so the link has expired; its owner continues with that account. */
const findUnfinishedSetUp = (): PageProblem =>
  new PageProblem(
    503,
    'The registry is set up in part',
    'The account of the service staff was created, but the practice or its Admin was not. Sign in as the service staff, and finish there: create the practice, and give its Admin a seat.',
  );

const readTypedSetUp = (req: Request): TypedSetUp => ({
  staffName: readFormText(req, 'staffName'),
  staffEmail: readFormText(req, 'staffEmail').trim(),
  staffPassword: readFormText(req, 'staffPassword'),
  practiceName: readFormText(req, 'practiceName').trim(),
  isSandbox: readFormText(req, 'purpose') !== 'real',
  adminName: readFormText(req, 'adminName'),
  adminEmail: readFormText(req, 'adminEmail').trim(),
  adminPassword: readFormText(req, 'adminPassword'),
});

const checkSetUp = (typed: TypedSetUp, isCommon: IsCommonPassword): readonly FieldError[] => {
  const named = parseOrganizationName(typed.practiceName, 'practice');
  const [staffEmail, adminEmail] = [typed.staffEmail, typed.adminEmail].map(normalizeEmail) as [
    string,
    string,
  ];
  const isOneEmail = staffEmail === adminEmail;
  const refusalOfAdmin = checkPassword(
    typed.adminPassword,
    { email: adminEmail, practice: typed.practiceName },
    isCommon,
  );
  return [
    ...checkName(typed.staffName, 'staffName'),
    ...toFieldErrors('staffEmail', checkEmail(staffEmail)),
    ...toFieldErrors(
      'staffPassword',
      checkPassword(typed.staffPassword, { email: staffEmail, practice: null }, isCommon),
    ),
    ...toFieldErrors('practiceName', named.kind === 'refused' ? named : null),
    ...checkName(typed.adminName, 'adminName'),
    ...toFieldErrors('adminEmail', checkEmail(adminEmail)),
    ...(isOneEmail && typed.adminEmail !== ''
      ? [
          {
            field: 'adminEmail',
            id: 'same-email',
            message: SAME_EMAIL,
          },
        ]
      : []),
    ...toFieldErrors('adminPassword', refusalOfAdmin),
  ];
};

const toFieldErrors = (field: string, refusal: Refusal | null): readonly FieldError[] =>
  refusal === null ? [] : [toFieldError(field, refusal)];

const sendForm = (
  req: Request,
  res: Response,
  typed: TypedSetUp,
  errors: readonly FieldError[],
): void =>
  sendPage(req, res, {
    title: 'Set up the registry',
    hasErrors: errors.length > 0,
    children: <SetUpForm typed={typed} errors={errors} />,
  });
