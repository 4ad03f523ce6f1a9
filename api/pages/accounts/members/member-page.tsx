import { AUDITOR_ROLES } from '../../../../domain/roles.ts';
import type { ListedMember } from '../../../../projections/lists/accounts.ts';
import { OTHER_ACCOUNT_ACTIONS, type PersonAction, PersonPage } from '../people/person-page.tsx';
import { InvitationStatus, RoleDetails } from './member-list.tsx';

export const MemberPage = ({
  member,
  isSelf,
  isDormant,
}: {
  readonly member: ListedMember;
  readonly isSelf: boolean;
  readonly isDormant: boolean;
}) => (
  <PersonPage
    person={member}
    isSelf={isSelf}
    isDormant={isDormant}
    status={{
      term: 'Role',
      value: (
        <>
          <RoleDetails {...member} />
          <InvitationStatus status={member.status} />
        </>
      ),
      ...(member.status === 'seated' ? {} : { sinceTerm: 'Invited' }),
    }}
    path={`/registry/members/${member.memberId}`}
    actions={listActions(member, isSelf)}
  />
);

const listActions = (
  { status, role, isAuditor }: ListedMember,
  isSelf: boolean,
): readonly PersonAction[] => {
  if (status !== 'seated') return [WITHDRAW];
  if (isSelf) return OWN;
  return AUDITOR_ROLES.includes(role)
    ? [...OWN, isAuditor ? STOP_AUDITING : AUDIT, ...OTHERS]
    : [...OWN, ...OTHERS];
};

const WITHDRAW: PersonAction = {
  name: 'withdraw',
  text: 'Withdraw',
  effect:
    'Cancels the invitation: its one-time password stops working. To correct an invitation, withdraw it and invite the person again.',
};

const OWN: readonly PersonAction[] = [
  {
    name: 'name',
    text: 'Change name',
    effect: 'The name that your practice sees next to everything this person does.',
  },
  { name: 'seat', text: 'Change role', effect: 'Changes what this person can see and do.' },
];

const AUDIT: PersonAction = {
  name: 'auditor',
  text: 'Make an auditor',
  effect:
    'Lets this person view the access log, the audit trail, and who saw each record. Their role stays the same.',
};

const STOP_AUDITING: PersonAction = {
  name: 'auditor',
  text: 'Stop auditing',
  effect:
    'This person can no longer view the access log, the audit trail, and who saw each record. Their role stays the same.',
};

const OTHERS: readonly PersonAction[] = [
  ...OTHER_ACCOUNT_ACTIONS,
  {
    name: 'remove',
    text: 'Remove',
    effect:
      'Ends this person’s access immediately. What they entered and changed stays, under their name.',
  },
];
