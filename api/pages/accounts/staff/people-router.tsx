import { type Request, type Response, Router } from 'express';
import { isDormant } from '../../../../domain/account/access-review.ts';
import type { ListedStaff } from '../../../../projections/lists/accounts.ts';
import {
  displayName,
  displayNameWithEmail,
  type NamedPerson,
} from '../../../../projections/lists/people-names.ts';
import { toPerson } from '../../../access/person.ts';
import { CommandRefused } from '../../../commands/command-refused.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getStaff, requireStaff } from '../../../web/guards/seats.ts';
import { PageProblem, pageNotFound } from '../../../web/page-problem.ts';
import { flash } from '../../../web/session/flash.ts';
import { createRunOnce, newFormId } from '../../../web/single-use-form.ts';
import { type FieldError, toRefusalError } from '../../layout/field-errors.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { requireStepUp } from '../../layout/step-up.tsx';
import {
  buildPasswordConfirmation,
  buildRemovalConfirmation,
  buildSignOutConfirmation,
} from '../people/account-confirmations.tsx';
import { checkName, checkNewName, NameForm } from '../people/name-form.tsx';
import { sendOneTimePassword } from '../people/send-one-time-password.tsx';
import { describeEndedSessions } from '../people/signed-out-text.ts';
import { PeopleList, PersonForm, StaffPersonPage } from './people-list.tsx';

const HOME = '/staff/people';

/** Message after a person was removed from the staff. */
export const describeRemoval = (person: NamedPerson): string =>
  `${displayNameWithEmail(person)} is no longer on the service staff.`;

/** Service staff and their accounts. */
export const staffPeopleRouter = (registry: App): Router => {
  const commands = (res: Response) => createCommands(registry, toPerson(getStaff(res)));
  const once = createRunOnce(registry.usedForms);
  const fresh = requireStepUp(registry);

  const listedIn = async (req: Request): Promise<ListedStaff> => {
    const people = await registry.reads.listStaff();
    const person = people.find(({ staffId }) => staffId === req.params['person']);
    if (person === undefined) throw pageNotFound();
    return person;
  };
  const personIn = async (req: Request): Promise<ListedStaff> => {
    const person = await listedIn(req);
    if (person.status === 'removed') throw pageNotFound();
    return person;
  };

  /** No one can close their own account, so the staff is never empty. */
  const otherIn = async (req: Request, res: Response): Promise<ListedStaff> => {
    const person = await personIn(req);
    if (person.staffId === getStaff(res).staffId) throw refuseOwnAccount();
    return person;
  };

  const shownTo = (title: string, email: string, back: string) => ({
    title,
    email,
    seat: null,
    signInAt: registry.signInAt,
    back,
  });

  return Router()
    .get(HOME, requireStaff, async (req, res) =>
      sendPage(req, res, {
        title: 'Service staff',
        action: (
          <>
            <a class="usa-button usa-button--outline" href={`${HOME}/review`}>
              Access review
            </a>
            <a class="usa-button" href={`${HOME}/new`}>
              Add a person
            </a>
          </>
        ),
        children: (
          <PeopleList people={await registry.reads.listStaff()} self={getStaff(res).staffId} />
        ),
      }),
    )
    .get(`${HOME}/new`, requireStaff, (req, res) => sendForm(req, res, { email: '', name: '' }, []))
    .post(HOME, requireStaff, fresh, async (req, res) => {
      const email = readFormText(req, 'email').trim();
      const name = readFormText(req, 'name');
      const errors = checkName(name);
      if (errors.length > 0) {
        sendForm(req, res, { email, name }, errors);
        return;
      }
      try {
        const added = await once(req, getStaff(res).staffId, () =>
          commands(res).staff.invite(email, name),
        );
        sendOneTimePassword(req, res, added, shownTo('Person added', email, HOME));
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        sendForm(req, res, { email, name }, [toRefusalError('email', error)]);
      }
    })
    .get(`${HOME}/:person`, requireStaff, async (req, res) => {
      const person = await listedIn(req);
      sendPage(req, res, {
        title: displayName(person),
        tabTitle: 'Person',
        children: (
          <StaffPersonPage
            person={person}
            isSelf={person.staffId === getStaff(res).staffId}
            isDormant={person.status === 'active' && isDormant(person, registry.now())}
          />
        ),
      });
    })
    .get(`${HOME}/:person/name`, requireStaff, async (req, res) => {
      const person = await personIn(req);
      sendNameForm(req, res, person, person.name ?? '', []);
    })
    .post(`${HOME}/:person/name`, requireStaff, async (req, res) => {
      const person = await personIn(req);
      const name = readFormText(req, 'name');
      const errors = checkNewName(name);
      if (errors.length > 0) {
        sendNameForm(req, res, person, name, errors);
        return;
      }
      await commands(res).staff.rename(person.staffId, name);
      flash(req, 'success', `The name of ${person.email} was saved.`);
      res.redirect(303, buildPersonPath(person));
    })
    .get(`${HOME}/:person/password`, requireStaff, async (req, res) => {
      sendPage(req, res, buildPasswordConfirmation(buildQuestion(await otherIn(req, res))));
    })
    .post(`${HOME}/:person/password`, requireStaff, fresh, async (req, res) => {
      const person = await otherIn(req, res);
      const { email } = person;
      const given = await once(req, getStaff(res).staffId, () =>
        commands(res).staff.givePassword(email),
      );
      sendOneTimePassword(
        req,
        res,
        given,
        shownTo('New password given', email, buildPersonPath(person)),
      );
    })
    .get(`${HOME}/:person/sign-out`, requireStaff, async (req, res) => {
      sendPage(req, res, buildSignOutConfirmation(buildQuestion(await otherIn(req, res))));
    })
    .post(`${HOME}/:person/sign-out`, requireStaff, async (req, res) => {
      const person = await otherIn(req, res);
      const ended = await commands(res).accounts.endSessions(person.email);
      flash(req, 'success', describeEndedSessions(person, ended));
      res.redirect(303, buildPersonPath(person));
    })
    .get(`${HOME}/:person/remove`, requireStaff, async (req, res) => {
      const person = await otherIn(req, res);
      sendPage(
        req,
        res,
        buildRemovalConfirmation({
          ...buildQuestion(person),
          submit: 'Remove person',
          children: (
            <>
              <strong>{displayNameWithEmail(person)}</strong> is removed from the service staff and
              signed out everywhere at once. What they did stays on record. You can add them again.
            </>
          ),
        }),
      );
    })
    .post(`${HOME}/:person/remove`, requireStaff, fresh, async (req, res) => {
      const person = await otherIn(req, res);
      await commands(res).staff.remove(person.email);
      flash(req, 'success', describeRemoval(person));
      res.redirect(303, HOME);
    });
};

/** Address of a person's page. */
const buildPersonPath = ({ staffId }: ListedStaff): string => `${HOME}/${staffId}`;

const buildQuestion = (person: ListedStaff) => ({ person, at: buildPersonPath(person) });

const refuseOwnAccount = (): PageProblem =>
  new PageProblem(
    409,
    'Ask a colleague to do that',
    'You cannot shut or reset your own account here. To change your password, use the link at the foot of every page.',
  );

const sendForm = (
  req: Request,
  res: Response,
  typed: { readonly email: string; readonly name: string },
  errors: readonly FieldError[],
): void =>
  sendPage(req, res, {
    title: 'Add a person',
    hasErrors: errors.length > 0,
    children: <PersonForm {...typed} errors={errors} formId={newFormId()} />,
  });

const sendNameForm = (
  req: Request,
  res: Response,
  person: ListedStaff,
  name: string,
  errors: readonly FieldError[],
): void =>
  sendPage(req, res, {
    title: `Name of ${displayName(person)}`,
    tabTitle: 'Name',
    hasErrors: errors.length > 0,
    children: (
      <NameForm
        action={`${buildPersonPath(person)}/name`}
        cancel={buildPersonPath(person)}
        name={name}
        errors={errors}
        isOwn={person.staffId === getStaff(res).staffId}
      >
        The staff see this name wherever {person.email} has done something, including in the past.
        They can also change it themselves.
      </NameForm>
    ),
  });
