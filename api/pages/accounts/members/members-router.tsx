import { type Request, type Response, Router } from 'express';
import { isDormant } from '../../../../domain/account/access-review.ts';
import { ROLES, type Role } from '../../../../domain/roles.ts';
import type { ListedMember } from '../../../../projections/lists/accounts.ts';
import {
  displayName,
  displayNameWithEmail,
  type NamedPerson,
} from '../../../../projections/lists/people-names.ts';
import { toPerson } from '../../../access/person.ts';
import { CommandRefused } from '../../../commands/command-refused.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import { catchRefusal } from '../../../commands/refusal-of.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireRole } from '../../../web/guards/seats.ts';
import { PageProblem, pageNotFound } from '../../../web/page-problem.ts';
import { flash } from '../../../web/session/flash.ts';
import { createRunOnce, newFormId } from '../../../web/single-use-form.ts';
import { Confirm } from '../../layout/confirm.tsx';
import { type FieldError, toRefusalError } from '../../layout/field-errors.ts';
import { getHomePath } from '../../layout/navigation.ts';
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
import { InviteForm, type InviteFormProps, RoleForm } from './member-forms.tsx';
import { MemberList } from './member-list.tsx';
import { MemberPage } from './member-page.tsx';

/** Message after an Admin named a member. */
export const describeRenamed = ({ email }: Pick<NamedPerson, 'email'>): string =>
  `The name of ${email} was saved.`;

/**
 * Message after a seat changed.
 * @param member `null` for the reader
 */
export const describeRole = (member: NamedPerson | null, role: Role): string =>
  `${member === null ? 'You now have' : `${displayNameWithEmail(member)} now has`} a seat as ${role}.`;

/** Message after the auditor permission of a member changed. */
export const describeAuditor = (member: NamedPerson, granted: boolean): string =>
  granted
    ? `${displayNameWithEmail(member)} can now read the access log and the audit trail.`
    : `${displayNameWithEmail(member)} can no longer read the access log and the audit trail.`;

export const describeWithdrawal = (invited: NamedPerson): string =>
  `The invitation for ${displayNameWithEmail(invited)} was withdrawn.`;

/** Consequence of removing a member. */
export const describeLostAccess = (role: Role): string =>
  `loses the seat as ${role} and is signed out everywhere at once.`;

export const describeRemoval = (member: NamedPerson): string =>
  `${displayNameWithEmail(member)} is no longer a member.`;

const HOME = '/registry/members';
const admins = requireRole('Admin');

/** Members of a practice. */
export const membersRouter = (registry: App): Router => {
  const fresh = requireStepUp(registry);
  const commands = (res: Response) => createCommands(registry, toPerson(getSeat(res))).members;
  const listedIn = async (
    req: Request,
    res: Response,
    isWanted: (member: ListedMember) => boolean,
  ): Promise<ListedMember> => {
    const members = await registry.reads.listMembers(getSeat(res).practiceId);
    const listed = members.find(({ memberId }) => memberId === req.params['member']);
    if (listed === undefined || !isWanted(listed)) throw pageNotFound();
    return listed;
  };
  const memberIn = (req: Request, res: Response) =>
    listedIn(req, res, ({ status }) => status === 'seated');
  const invitedIn = (req: Request, res: Response) =>
    listedIn(req, res, ({ status }) => status !== 'seated');

  return (
    Router()
      .get(HOME, admins, async (req, res) => {
        const { practiceId, memberId } = getSeat(res);
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
      .get(`${HOME}/invite`, admins, (req, res) => sendInviteForm(req, res, NOTHING_TYPED, []))
      .get(`${HOME}/:member`, admins, async (req, res) => {
        const member = await listedIn(req, res, () => true);
        sendPage(req, res, {
          title: displayName(member),
          tabTitle: 'Member',
          children: (
            <MemberPage
              member={member}
              isSelf={member.memberId === getSeat(res).memberId}
              isDormant={member.status === 'seated' && isDormant(member, registry.now())}
            />
          ),
        });
      })
      // An Admin with a second account could use it for everything that requires the second factor.
      .post(HOME, admins, fresh, async (req, res) => {
        const { practiceId, memberId } = getSeat(res);
        const email = readFormText(req, 'email').trim();
        const name = readFormText(req, 'name');
        const role = readRole(req);
        const typed = { email, name, role };
        const errors = checkInvitation(typed);
        if (role === null || errors.length > 0) {
          sendInviteForm(req, res, typed, errors);
          return;
        }
        try {
          const invited = await createRunOnce(registry.usedForms)(req, memberId, () =>
            commands(res).invite({ practiceId, email, role, name }),
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
          sendInviteForm(req, res, typed, [toRefusalError('email', error)]);
        }
      })
      .get(`${HOME}/:member/name`, admins, async (req, res) => {
        const member = await memberIn(req, res);
        sendNameForm(req, res, member, member.name ?? '', []);
      })
      .post(`${HOME}/:member/name`, admins, async (req, res) => {
        const member = await memberIn(req, res);
        const name = readFormText(req, 'name');
        const errors = checkNewName(name);
        if (errors.length > 0) {
          sendNameForm(req, res, member, name, errors);
          return;
        }
        await commands(res).rename(getSeat(res).practiceId, member.memberId, name);
        flash(req, 'success', describeRenamed(member));
        res.redirect(303, buildMemberPath(member));
      })
      .get(`${HOME}/:member/seat`, admins, async (req, res) =>
        sendRoleForm(req, res, await memberIn(req, res), []),
      )
      .post(`${HOME}/:member/seat`, admins, fresh, async (req, res) => {
        const seat = getSeat(res);
        const member = await memberIn(req, res);
        const { memberId } = member;
        const role = readRole(req);
        const refusal =
          role === null
            ? null
            : await catchRefusal(commands(res).changeSeat(seat.practiceId, memberId, role));
        if (role === null || refusal !== null) {
          sendRoleForm(req, res, member, [
            refusal === null ? NO_SEAT : toRefusalError('seat', refusal),
          ]);
          return;
        }
        const isSelf = memberId === seat.memberId;
        flash(req, 'success', describeRole(isSelf ? null : member, role));
        res.redirect(303, isSelf && role !== 'Admin' ? getHomePath(seat) : buildMemberPath(member));
      })
      .get(`${HOME}/:member/auditor`, admins, async (req, res) => {
        sendPage(req, res, auditorQuestion(await memberIn(req, res)));
      })
      .post(`${HOME}/:member/auditor`, admins, fresh, async (req, res) => {
        const member = await memberIn(req, res);
        const granted = readFormText(req, 'to') === 'auditor';
        const refusal = await catchRefusal(
          commands(res).setAuditorPermission(getSeat(res).practiceId, member.memberId, granted),
        );
        if (refusal === null) flash(req, 'success', describeAuditor(member, granted));
        else flash(req, 'error', refusal.message);
        res.redirect(303, buildMemberPath(member));
      })
      .get(`${HOME}/:member/password`, admins, async (req, res) => {
        const member = await memberIn(req, res);
        if (member.memberId === getSeat(res).memberId) throw refuseOwnPassword();
        sendPage(req, res, buildPasswordConfirmation(buildQuestion(member)));
      })
      .post(`${HOME}/:member/password`, admins, fresh, async (req, res) => {
        const member = await memberIn(req, res);
        const { memberId, email } = member;
        const { practiceId, memberId: self } = getSeat(res);
        if (memberId === self) throw refuseOwnPassword();
        const given = await createRunOnce(registry.usedForms)(req, self, () =>
          commands(res).givePassword(practiceId, memberId),
        );
        sendOneTimePassword(req, res, given, {
          title: 'New password given',
          email,
          seat: null,
          signInAt: registry.signInAt,
          back: buildMemberPath(member),
        });
      })
      .get(`${HOME}/:member/sign-out`, admins, async (req, res) => {
        sendPage(req, res, buildSignOutConfirmation(buildQuestion(await memberIn(req, res))));
      })
      .post(`${HOME}/:member/sign-out`, admins, async (req, res) => {
        const member = await memberIn(req, res);
        const { accounts } = createCommands(registry, toPerson(getSeat(res)));
        const ended = await accounts.endSessions(member.email);
        flash(req, 'success', describeEndedSessions(member, ended));
        res.redirect(303, buildMemberPath(member));
      })
      .get(`${HOME}/:member/withdraw`, admins, async (req, res) => {
        const invited = await invitedIn(req, res);
        const { role } = invited;
        sendPage(req, res, {
          title: `Withdraw the invitation for ${displayName(invited)}?`,
          tabTitle: 'Withdraw the invitation?',
          children: (
            <Confirm
              action={`${buildMemberPath(invited)}/withdraw`}
              submit="Withdraw invitation"
              cancel={buildMemberPath(invited)}
              destructive
            >
              <p>
                <strong>{displayNameWithEmail(invited)}</strong> was invited as {role} and has not
                accepted yet. The one-time password stops working. You can invite them again.
              </p>
            </Confirm>
          ),
        });
      })
      .post(`${HOME}/:member/withdraw`, admins, async (req, res) => {
        const invited = await invitedIn(req, res);
        await commands(res).withdraw(getSeat(res).practiceId, invited.memberId);
        flash(req, 'success', describeWithdrawal(invited));
        res.redirect(303, HOME);
      })
      .get(`${HOME}/:member/remove`, admins, async (req, res) => {
        const member = await memberIn(req, res);
        if (member.memberId === getSeat(res).memberId) throw refuseOwnAccount();
        sendPage(
          req,
          res,
          buildRemovalConfirmation({
            ...buildQuestion(member),
            submit: 'Remove member',
            children: (
              <>
                <strong>{displayNameWithEmail(member)}</strong> {describeLostAccess(member.role)}{' '}
                What they entered and changed stays, with their name on it. You can invite them
                again.
              </>
            ),
          }),
        );
      })
      .post(`${HOME}/:member/remove`, admins, fresh, async (req, res) => {
        const member = await memberIn(req, res);
        const { memberId } = member;
        const { practiceId, memberId: self } = getSeat(res);
        if (memberId === self) throw refuseOwnAccount();
        const refusal = await catchRefusal(commands(res).remove(practiceId, memberId));
        if (refusal === null) flash(req, 'success', describeRemoval(member));
        else flash(req, 'error', refusal.message);
        res.redirect(303, HOME);
      })
  );
};

/** Address of a member's page. */
const buildMemberPath = ({ memberId }: ListedMember): string => `${HOME}/${memberId}`;

const buildQuestion = (member: ListedMember) => ({ person: member, at: buildMemberPath(member) });

/** Asks for confirmation before the auditor permission of a member changes. */
const auditorQuestion = (member: ListedMember) => {
  const { isAuditor } = member;
  const called = displayName(member);
  return {
    title: isAuditor ? `Stop ${called} from auditing?` : `Make ${called} an auditor?`,
    tabTitle: isAuditor ? 'Stop auditing?' : 'Make an auditor?',
    children: (
      <Confirm
        action={`${buildMemberPath(member)}/auditor`}
        submit={isAuditor ? 'Stop auditing' : 'Make an auditor'}
        cancel={buildMemberPath(member)}
        fields={{ to: isAuditor ? 'none' : 'auditor' }}
      >
        {isAuditor ? (
          <p>
            <strong>{displayNameWithEmail(member)}</strong> will no longer see the access log, the
            audit trail, or who saw a record. They keep their seat as {member.role}.
          </p>
        ) : (
          <p>
            <strong>{displayNameWithEmail(member)}</strong> will see who signed in, who saw and
            downloaded which records, and who changed the practice’s settings, members, and keys.
            They cannot change any of it, and what they look at is in the access log too. They keep
            their seat as {member.role}.
          </p>
        )}
      </Confirm>
    ),
  };
};

const readRole = (req: Request): Role | null =>
  ROLES.find((role) => role === readFormText(req, 'seat')) ?? null;

/** Form values of an invitation. */
type TypedInvitation = Pick<InviteFormProps, 'email' | 'name' | 'role'>;

const NOTHING_TYPED: TypedInvitation = { email: '', name: '', role: null };

const NO_SEAT: FieldError = { field: 'seat', id: 'no-seat', message: 'Choose a seat.' };

const checkInvitation = ({ email, name, role }: TypedInvitation): readonly FieldError[] => [
  ...(email === ''
    ? [{ field: 'email', id: 'no-email', message: 'Enter the email of the new member.' }]
    : []),
  ...checkName(name),
  ...(role === null ? [NO_SEAT] : []),
];

const refuseOwnPassword = (): PageProblem =>
  new PageProblem(
    409,
    'Change your own password yourself',
    'You know it: the link to change it is at the foot of every page.',
  );

const refuseOwnAccount = (): PageProblem =>
  new PageProblem(
    409,
    'You cannot remove yourself',
    'Ask another Admin of your practice to do it; if there is none, invite one first.',
  );

const sendInviteForm = (
  req: Request,
  res: Response,
  typed: TypedInvitation,
  errors: readonly FieldError[],
): void =>
  sendPage(req, res, {
    title: 'Invite a member',
    hasErrors: errors.length > 0,
    children: <InviteForm {...typed} errors={errors} formId={newFormId()} />,
  });

const sendNameForm = (
  req: Request,
  res: Response,
  member: ListedMember,
  name: string,
  errors: readonly FieldError[],
): void =>
  sendPage(req, res, {
    title: `Name of ${displayName(member)}`,
    tabTitle: 'Name of a member',
    hasErrors: errors.length > 0,
    children: (
      <NameForm
        action={`${buildMemberPath(member)}/name`}
        cancel={buildMemberPath(member)}
        name={name}
        errors={errors}
        isOwn={member.memberId === getSeat(res).memberId}
      >
        The practice sees this name wherever {member.email} has done something, including in the
        past. The change is in the audit trail. They can also change it themselves.
      </NameForm>
    ),
  });

const sendRoleForm = (
  req: Request,
  res: Response,
  member: ListedMember,
  errors: readonly FieldError[],
): void => {
  sendPage(req, res, {
    title: `Seat of ${displayName(member)}`,
    tabTitle: 'Seat of a member',
    hasErrors: errors.length > 0,
    children: (
      <RoleForm
        member={member}
        errors={errors}
        isSelf={member.memberId === getSeat(res).memberId}
      />
    ),
  });
};
