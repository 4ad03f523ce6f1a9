import { AUDITOR_ROLES } from '../../../../domain/roles.ts';
import type { ListedMember } from '../../../../projections/lists/accounts.ts';
import { OTHER_ACCOUNT_ACTIONS, type PersonAction, PersonPage } from '../people/person-page.tsx';
import { STATUS_WORDS } from './member-list.tsx';
import { AUDITOR_TEXT, ROLE_TEXT } from './role-text.ts';

export interface MemberPageProps {
  readonly member: ListedMember;
  readonly isSelf: boolean;
  readonly isDormant: boolean;
}

/** Page of a member or an invited person. */
export const MemberPage = ({ member, isSelf, isDormant }: MemberPageProps) => {
  const { memberId, role, isAuditor, status } = member;
  return (
    <PersonPage
      person={member}
      isSelf={isSelf}
      isDormant={isDormant}
      standing={{
        term: 'Seat',
        is: (
          <>
            {role} <span class="beneath">{ROLE_TEXT[role]}</span>
            {isAuditor && <span class="beneath">{AUDITOR_TEXT}</span>}
            {status !== 'seated' && <span class="beneath">{STATUS_WORDS[status]}</span>}
          </>
        ),
        ...(status === 'seated' ? {} : { since: 'Invited' }),
      }}
      at={`/registry/members/${memberId}`}
      actions={listActions(member, isSelf)}
    />
  );
};

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
  says: 'Cancels the invitation: its one-time password stops working. To correct an invitation, withdraw it and invite the person again.',
};

const OWN: readonly PersonAction[] = [
  {
    name: 'name',
    text: 'Change name',
    says: 'The name that the practice sees wherever this person has done something.',
  },
  { name: 'seat', text: 'Change seat', says: 'Changes what this person may see and do.' },
];

const AUDIT: PersonAction = {
  name: 'auditor',
  text: 'Make an auditor',
  says: 'Opens the access log, the audit trail, and who saw each record, to read. The seat stays the same.',
};

const STOP_AUDITING: PersonAction = {
  name: 'auditor',
  text: 'Stop auditing',
  says: 'Closes the access log, the audit trail, and who saw each record to this person. The seat stays the same.',
};

const OTHERS: readonly PersonAction[] = [
  ...OTHER_ACCOUNT_ACTIONS,
  {
    name: 'remove',
    text: 'Remove',
    says: 'Takes the seat away at once. What this person entered and changed stays, with their name on it.',
  },
];
