import { type Request, type Response, Router } from 'express';
import type { ListedStaff } from '../../../projections/staff.ts';
import { personOf } from '../../access/person.ts';
import { CommandRefused } from '../../commands/command-refused.ts';
import { commandsOf } from '../../commands/command-sets.ts';
import type { Registry } from '../../registry/registry.ts';
import { flash } from '../../web/flash.ts';
import { formText } from '../../web/form-body.ts';
import { newFormId, onceWith } from '../../web/once.ts';
import { PageProblem, pageNotFound } from '../../web/page-problem.ts';
import { staffOf, staffOnly } from '../../web/seats.ts';
import { freshFactor } from '../account/fresh-factor.tsx';
import type { FieldError } from '../frame/field-errors.ts';
import { sendPage } from '../frame/send-page.tsx';
import {
  newPasswordQuestion,
  removeQuestion,
  signOutQuestion,
} from '../people/account-questions.tsx';
import { sendOneTimePassword } from '../people/send-one-time-password.tsx';
import { signedOutWords } from '../people/signed-out-words.ts';
import { PeopleList, PersonForm } from './people-list.tsx';

const HOME = '/staff/people';

/** Who works for the service, and what becomes of their accounts. */
export const staffPeopleRouter = (registry: Registry): Router => {
  const commands = (res: Response) => commandsOf(registry, personOf(staffOf(res)));
  const once = onceWith(registry.usedForms);

  /** Not the reader: no one shuts their own account, so that one of the staff is always left. */
  const otherIn = async (req: Request, res: Response): Promise<ListedStaff> => {
    const people = await registry.reads.listStaff();
    const person = people.find(({ staffId }) => staffId === req.params['person']);
    if (person === undefined || person.status === 'removed') throw pageNotFound();
    if (person.staffId === staffOf(res).staffId) throw notYourself();
    return person;
  };

  const shownTo = (title: string, email: string) => ({
    title,
    email,
    seat: null,
    signInAt: registry.signInAt,
    back: HOME,
  });

  return Router()
    .get(HOME, staffOnly, async (req, res) =>
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
          <PeopleList people={await registry.reads.listStaff()} self={staffOf(res).staffId} />
        ),
      }),
    )
    .get(`${HOME}/new`, staffOnly, (req, res) => sendForm(req, res, '', []))
    .post(HOME, staffOnly, async (req, res) => {
      const email = formText(req, 'email').trim();
      try {
        const added = await once(req, staffOf(res).staffId, () =>
          commands(res).staff.invite(email),
        );
        sendOneTimePassword(req, res, added, shownTo('Person added', email));
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        sendForm(req, res, email, [{ field: 'email', message: error.message }]);
      }
    })
    .get(`${HOME}/:person/password`, staffOnly, async (req, res) => {
      const { staffId, email } = await otherIn(req, res);
      sendPage(req, res, newPasswordQuestion(asked(staffId, email)));
    })
    .post(`${HOME}/:person/password`, staffOnly, freshFactor(registry), async (req, res) => {
      const { email } = await otherIn(req, res);
      const given = await once(req, staffOf(res).staffId, () =>
        commands(res).staff.givePassword(email),
      );
      sendOneTimePassword(req, res, given, shownTo('New password given', email));
    })
    .get(`${HOME}/:person/sign-out`, staffOnly, async (req, res) => {
      const { staffId, email } = await otherIn(req, res);
      sendPage(req, res, signOutQuestion(asked(staffId, email)));
    })
    .post(`${HOME}/:person/sign-out`, staffOnly, async (req, res) => {
      const { email } = await otherIn(req, res);
      flash(req, 'success', signedOutWords(email, await commands(res).accounts.endSessions(email)));
      res.redirect(303, HOME);
    })
    .get(`${HOME}/:person/remove`, staffOnly, async (req, res) => {
      const { staffId, email } = await otherIn(req, res);
      sendPage(
        req,
        res,
        removeQuestion({
          ...asked(staffId, email),
          submit: 'Remove person',
          children: (
            <>
              <strong>{email}</strong> leaves the service staff and is signed out everywhere, at
              once. What they have done stays on record. They can be added again.
            </>
          ),
        }),
      );
    })
    .post(`${HOME}/:person/remove`, staffOnly, async (req, res) => {
      const { email } = await otherIn(req, res);
      await commands(res).staff.remove(email);
      flash(req, 'success', `${email} is not of the service staff any more.`);
      res.redirect(303, HOME);
    });
};

const asked = (staffId: string, email: string) => ({
  email,
  at: `${HOME}/${staffId}`,
  back: HOME,
});

const notYourself = (): PageProblem =>
  new PageProblem(
    409,
    'Ask a colleague to do that',
    'You cannot shut or reset your own account here. To change your password, use the link at the foot of every page.',
  );

const sendForm = (
  req: Request,
  res: Response,
  email: string,
  errors: readonly FieldError[],
): void =>
  sendPage(req, res, {
    title: 'Add a person',
    isRefused: errors.length > 0,
    children: <PersonForm email={email} errors={errors} formId={newFormId()} />,
  });
