import type { Request, Response, Router } from 'express';
import { ROLES, type Role } from '../../../../domain/roles.ts';
import type { ListedMember } from '../../../../projections/lists/accounts.ts';
import {
  displayName,
  displayNameWithEmail,
  type NamedPerson,
} from '../../../../projections/lists/people-names.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireAdmin } from '../../../web/guards/seats.ts';
import { PageProblem, pageNotFound } from '../../../web/page-problem.ts';
import type { FieldError } from '../../layout/field-errors.ts';
import { getHomePath } from '../../layout/navigation.ts';
import { createPageCommands } from '../../layout/page-commands.ts';
import { createRouter, form, type Question, question, redirect } from '../../layout/routes.tsx';
import { checkName } from '../../parts/name-form.tsx';
import { requireStepUp } from '../../second-factor/step-up.tsx';
import { type Accounts, createAccountRoutes, type NewPerson } from '../people/accounts-router.tsx';
import { InviteForm, RoleForm, type RoleInput } from './member-forms.tsx';
import { MemberList } from './member-list.tsx';
import { MemberPage } from './member-page.tsx';

/** @param member `null` for the reader */
export const describeRole = (member: NamedPerson | null, role: Role): string =>
  `${member === null ? 'Your role is' : `The role of ${displayNameWithEmail(member)} is`} now ${role}.`;

export const describeAuditor = (member: NamedPerson, granted: boolean): string =>
  `${displayNameWithEmail(member)} can ${granted ? 'now' : 'no longer'} view the access log and the audit trail.`;

export const describeWithdrawal = (invited: NamedPerson): string =>
  `The invitation for ${displayNameWithEmail(invited)} was withdrawn.`;

export const describeLostAccess = (role: Role): string =>
  `will lose access as ${role} and be signed out everywhere immediately.`;

export const describeRemoval = (member: NamedPerson): string =>
  `${displayNameWithEmail(member)} is no longer a member.`;

const HOME = '/registry/members';

export const membersRouter = (app: App): Router => {
  const stepUp = requireStepUp(app);
  const getCommands = (res: Response) => createPageCommands(app, res).members;
  const accounts: Accounts<ListedMember> = {
    home: HOME,
    param: 'member',
    guard: requireAdmin,
    list: (res) => app.reads.listMembers(getSeat(res).practiceId),
    getId: ({ memberId }) => memberId,
    hasAccount: ({ status }) => status === 'seated',
    refuseSelf: { password: refuseOwnPassword, remove: refuseOwnAccount },
    title: 'Members',
    showList: (members, self) => <MemberList members={members} self={self} />,
    tabTitle: 'Member',
    showPerson: (member, flags) => <MemberPage member={member} {...flags} />,
    add: {
      path: 'invite',
      title: 'Invite a member',
      doneTitle: 'Member invited',
      view: (values) => <InviteForm values={values} />,
      check: checkInvitation,
      run: ({ email, name, role: input }, res) => {
        const role = findRole(input);
        if (role === null) throw new TypeError('An invitation was not checked.');
        return getCommands(res).invite({ practiceId: getSeat(res).practiceId, email, name, role });
      },
    },
    rename: ({ memberId }, name, res) =>
      getCommands(res).rename(getSeat(res).practiceId, memberId, name),
    describeNameUse: ({ email }) =>
      `Your practice sees this name next to everything ${email} does, including past entries. The change is in the audit trail. They can also change it themselves.`,
    resetPassword: ({ memberId }, res) =>
      getCommands(res).givePassword(getSeat(res).practiceId, memberId),
    remove: ({ memberId }, res) => getCommands(res).remove(getSeat(res).practiceId, memberId),
    removal: {
      submit: 'Remove member',
      describe: ({ role }) =>
        `${describeLostAccess(role)} What they entered and changed stays, under their name. You can invite them again.`,
      describeDone: describeRemoval,
    },
  };
  const { routes, load, loadOpen, getPath } = createAccountRoutes(app, accounts);
  const loadInvited = async (req: Request, res: Response): Promise<ListedMember> => {
    const listed = await load(req, res);
    if (listed.status === 'seated') throw pageNotFound();
    return listed;
  };

  return createRouter(
    ...routes,
    form(`${HOME}/:member/seat`, requireAdmin, {
      load: loadOpen,
      title: (member) => `Role of ${displayName(member)}`,
      tabTitle: 'Role of a member',
      open: ({ role }): RoleInput => ({ seat: role }),
      read: (req) => ({ seat: readFormText(req, 'seat') }),
      replaces: { seat: { label: 'Role' } },
      view: (values, member, res) => (
        <RoleForm
          path={getPath(member)}
          values={values}
          isSelf={member.memberId === getSeat(res).memberId}
        />
      ),
      stepUp,
      placeRefusal: () => 'seat',
      save: async (typed, member, _req, res) => {
        const role = findRole(typed.seat);
        if (role === null) return [NO_ROLE];
        const seat = getSeat(res);
        await getCommands(res).changeSeat(seat.practiceId, member.memberId, role);
        const isSelf = member.memberId === seat.memberId;
        return redirect(
          isSelf && role !== 'Admin' ? getHomePath(seat) : getPath(member),
          describeRole(isSelf ? null : member, role),
        );
      },
    }),
    question(`${HOME}/:member/auditor`, requireAdmin, {
      load: loadOpen,
      back: getPath,
      stepUp,
      ask: askAboutAuditor,
      run: async (member, req, res) => {
        const granted = readFormText(req, 'to') === 'auditor';
        const { practiceId } = getSeat(res);
        await getCommands(res).setAuditorPermission(practiceId, member.memberId, granted);
        return redirect(getPath(member), describeAuditor(member, granted));
      },
    }),
    question(`${HOME}/:member/withdraw`, requireAdmin, {
      load: loadInvited,
      back: getPath,
      ask: (invited) => ({
        title: `Withdraw the invitation for ${displayName(invited)}?`,
        tabTitle: 'Withdraw the invitation?',
        submit: 'Withdraw invitation',
        destructive: true,
        children: (
          <p>
            <strong>{displayNameWithEmail(invited)}</strong> was invited as {invited.role} and has
            not accepted yet. The one-time password will stop working. You can invite them again.
          </p>
        ),
      }),
      run: async (invited, _req, res) => {
        await getCommands(res).withdraw(getSeat(res).practiceId, invited.memberId);
        return redirect(HOME, describeWithdrawal(invited));
      },
    }),
  );
};

const askAboutAuditor = (member: ListedMember): Question => {
  const { isAuditor, role } = member;
  const name = displayName(member);
  const who = <strong>{displayNameWithEmail(member)}</strong>;
  return {
    title: isAuditor ? `Stop ${name} from auditing?` : `Make ${name} an auditor?`,
    tabTitle: isAuditor ? 'Stop auditing?' : 'Make an auditor?',
    submit: isAuditor ? 'Stop auditing' : 'Make an auditor',
    fields: { to: isAuditor ? 'none' : 'auditor' },
    children: isAuditor ? (
      <p>
        {who} will no longer see the access log, the audit trail, or who saw a record. Their role
        stays {role}.
      </p>
    ) : (
      <p>
        {who} will see who signed in, who saw and downloaded which records, and who changed the
        practice’s settings, members, and keys. They cannot change any of it, and what they view is
        logged, too. Their role stays {role}.
      </p>
    ),
  };
};

const findRole = (input: string): Role | null => ROLES.find((role) => role === input) ?? null;

const NO_ROLE: FieldError = { field: 'seat', id: 'no-seat', message: 'Choose a role.' };

const checkInvitation = ({ email, name, role }: NewPerson): readonly FieldError[] => [
  ...(email === ''
    ? [{ field: 'email', id: 'no-email', message: 'Enter the email of the new member.' }]
    : []),
  ...checkName(name),
  ...(findRole(role) === null ? [NO_ROLE] : []),
];

const refuseOwnPassword = (): PageProblem =>
  new PageProblem(
    409,
    'Change your own password yourself',
    'Use “Change your password” at the bottom of any page.',
  );

const refuseOwnAccount = (): PageProblem =>
  new PageProblem(
    409,
    'You cannot remove yourself',
    'Ask another Admin of your practice to do it. If there is none, invite one first.',
  );
