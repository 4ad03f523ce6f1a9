import { type Request, type Response, Router } from 'express';
import { ROLES, type Role } from '../../../domain/account/member/events.ts';
import type { ListedMember } from '../../../projections/members.ts';
import { personOf } from '../../access/person.ts';
import { CommandRefused } from '../../commands/command-refused.ts';
import { commandsOf } from '../../commands/command-sets.ts';
import { refusalOf } from '../../commands/refusal-of.ts';
import type { Registry } from '../../registry/registry.ts';
import { flash } from '../../web/flash.ts';
import { formText } from '../../web/form-body.ts';
import { newFormId, onceWith } from '../../web/once.ts';
import { PageProblem, pageNotFound } from '../../web/page-problem.ts';
import { seatOf, seats } from '../../web/seats.ts';
import { freshFactor } from '../account/fresh-factor.tsx';
import { Confirm } from '../frame/confirm.tsx';
import type { FieldError } from '../frame/field-errors.ts';
import { homeOf } from '../frame/places.ts';
import { sendPage } from '../frame/send-page.tsx';
import {
  newPasswordQuestion,
  removeQuestion,
  signOutQuestion,
} from '../people/account-questions.tsx';
import { sendOneTimePassword } from '../people/send-one-time-password.tsx';
import { signedOutWords } from '../people/signed-out-words.ts';
import { InviteForm, SeatForm } from './member-forms.tsx';
import { MemberList } from './member-list.tsx';

const HOME = '/registry/members';
const admins = seats('Admin');

/** The seats of a practice. */
export const membersRouter = (registry: Registry): Router => {
  const commands = (res: Response) => commandsOf(registry, personOf(seatOf(res))).members;
  const listedIn = async (
    req: Request,
    res: Response,
    isWanted: (member: ListedMember) => boolean,
  ): Promise<ListedMember> => {
    const members = await registry.reads.listMembers(seatOf(res).practiceId);
    const listed = members.find(({ memberId }) => memberId === req.params['member']);
    if (listed === undefined || !isWanted(listed)) throw pageNotFound();
    return listed;
  };
  const memberIn = (req: Request, res: Response) =>
    listedIn(req, res, ({ status }) => status === 'seated');
  const invitedIn = (req: Request, res: Response) =>
    listedIn(req, res, ({ status }) => status !== 'seated');

  return Router()
    .get(HOME, admins, async (req, res) => {
      const { practiceId, memberId } = seatOf(res);
      sendPage(req, res, {
        title: 'Members',
        action: (
          <>
            <a class="usa-button usa-button--outline" href={`${HOME}/review`}>
              Access review
            </a>
            <a class="usa-button" href={`${HOME}/invite`}>
              Invite a member
            </a>
          </>
        ),
        children: (
          <MemberList members={await registry.reads.listMembers(practiceId)} self={memberId} />
        ),
      });
    })
    .get(`${HOME}/invite`, admins, (req, res) => sendInvite(req, res, '', null, []))
    .post(HOME, admins, async (req, res) => {
      const { practiceId, memberId } = seatOf(res);
      const email = formText(req, 'email').trim();
      const role = roleIn(req);
      const errors = inviteErrors(email, role);
      if (role === null || errors.length > 0) {
        sendInvite(req, res, email, role, errors);
        return;
      }
      try {
        const invited = await onceWith(registry.usedForms)(req, memberId, () =>
          commands(res).invite({ practiceId, email, role }),
        );
        sendOneTimePassword(req, res, invited, {
          title: 'Member invited',
          email,
          seat: role,
          signInAt: registry.signInAt,
          back: HOME,
        });
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        sendInvite(req, res, email, role, [{ field: 'email', message: error.message }]);
      }
    })
    .get(`${HOME}/:member/seat`, admins, async (req, res) =>
      sendSeat(req, res, await memberIn(req, res), []),
    )
    .post(`${HOME}/:member/seat`, admins, async (req, res) => {
      const seat = seatOf(res);
      const member = await memberIn(req, res);
      const { memberId, email } = member;
      const role = roleIn(req);
      const refusal =
        role === null
          ? 'Choose a seat.'
          : await refusalOf(commands(res).changeSeat(seat.practiceId, memberId, role));
      if (role === null || refusal !== null) {
        sendSeat(req, res, member, [{ field: 'seat', message: refusal ?? '' }]);
        return;
      }
      const isSelf = memberId === seat.memberId;
      flash(req, 'success', `${isSelf ? 'You have' : `${email} has`} a seat as ${role} now.`);
      res.redirect(303, isSelf && role !== 'Admin' ? homeOf(seat) : HOME);
    })
    .get(`${HOME}/:member/password`, admins, async (req, res) => {
      const { memberId, email } = await memberIn(req, res);
      if (memberId === seatOf(res).memberId) throw yourOwnPassword();
      sendPage(req, res, newPasswordQuestion(asked(memberId, email)));
    })
    .post(`${HOME}/:member/password`, admins, freshFactor(registry), async (req, res) => {
      const { memberId, email } = await memberIn(req, res);
      const { practiceId, memberId: self } = seatOf(res);
      if (memberId === self) throw yourOwnPassword();
      const given = await onceWith(registry.usedForms)(req, self, () =>
        commands(res).givePassword(practiceId, memberId),
      );
      sendOneTimePassword(req, res, given, {
        title: 'New password given',
        email,
        seat: null,
        signInAt: registry.signInAt,
        back: HOME,
      });
    })
    .get(`${HOME}/:member/sign-out`, admins, async (req, res) => {
      const { memberId, email } = await memberIn(req, res);
      sendPage(req, res, signOutQuestion(asked(memberId, email)));
    })
    .post(`${HOME}/:member/sign-out`, admins, async (req, res) => {
      const { email } = await memberIn(req, res);
      const ended = await commandsOf(registry, personOf(seatOf(res))).accounts.endSessions(email);
      flash(req, 'success', signedOutWords(email, ended));
      res.redirect(303, HOME);
    })
    .get(`${HOME}/:member/withdraw`, admins, async (req, res) => {
      const { memberId, email, role } = await invitedIn(req, res);
      sendPage(req, res, {
        title: `Withdraw the invitation of ${email}?`,
        children: (
          <Confirm
            action={`${HOME}/${memberId}/withdraw`}
            submit="Withdraw invitation"
            cancel={HOME}
            destructive
          >
            <p>
              <strong>{email}</strong> was invited as {role} and has not accepted yet. The one-time
              password opens nothing any more. They can be invited again.
            </p>
          </Confirm>
        ),
      });
    })
    .post(`${HOME}/:member/withdraw`, admins, async (req, res) => {
      const { memberId, email } = await invitedIn(req, res);
      await commands(res).withdraw(seatOf(res).practiceId, memberId);
      flash(req, 'success', `The invitation of ${email} is withdrawn.`);
      res.redirect(303, HOME);
    })
    .get(`${HOME}/:member/remove`, admins, async (req, res) => {
      const { memberId, email, role } = await memberIn(req, res);
      if (memberId === seatOf(res).memberId) throw notYourself();
      sendPage(
        req,
        res,
        removeQuestion({
          ...asked(memberId, email),
          submit: 'Remove member',
          children: (
            <>
              <strong>{email}</strong> loses the seat as {role} and is signed out everywhere, at
              once. What they have entered and changed stays, with their name on it. They can be
              invited again.
            </>
          ),
        }),
      );
    })
    .post(`${HOME}/:member/remove`, admins, async (req, res) => {
      const { memberId, email } = await memberIn(req, res);
      const { practiceId, memberId: self } = seatOf(res);
      if (memberId === self) throw notYourself();
      const refusal = await refusalOf(commands(res).remove(practiceId, memberId));
      if (refusal === null) flash(req, 'success', `${email} is no member any more.`);
      else flash(req, 'error', refusal);
      res.redirect(303, HOME);
    });
};

const asked = (memberId: string, email: string) => ({
  email,
  at: `${HOME}/${memberId}`,
  back: HOME,
});

const roleIn = (req: Request): Role | null =>
  ROLES.find((role) => role === formText(req, 'seat')) ?? null;

const inviteErrors = (email: string, role: Role | null): readonly FieldError[] => [
  ...(email === '' ? [{ field: 'email', message: 'Enter the email of the new member.' }] : []),
  ...(role === null ? [{ field: 'seat', message: 'Choose a seat.' }] : []),
];

const yourOwnPassword = (): PageProblem =>
  new PageProblem(
    409,
    'Change your own password yourself',
    'You know it: the link to change it is at the foot of every page.',
  );

const notYourself = (): PageProblem =>
  new PageProblem(
    409,
    'You cannot remove yourself',
    'Ask another Admin of your practice to do it; if there is none, invite one first.',
  );

const sendInvite = (
  req: Request,
  res: Response,
  email: string,
  role: Role | null,
  errors: readonly FieldError[],
): void =>
  sendPage(req, res, {
    title: 'Invite a member',
    isRefused: errors.length > 0,
    children: <InviteForm email={email} role={role} errors={errors} formId={newFormId()} />,
  });

const sendSeat = (
  req: Request,
  res: Response,
  member: ListedMember,
  errors: readonly FieldError[],
): void => {
  sendPage(req, res, {
    title: `Seat of ${member.email}`,
    isRefused: errors.length > 0,
    children: (
      <SeatForm member={member} errors={errors} isSelf={member.memberId === seatOf(res).memberId} />
    ),
  });
};
