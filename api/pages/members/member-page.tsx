import type { ListedMember } from '../../../projections/members.ts';
import { type PersonAction, PersonPage } from '../people/person-page.tsx';
import { STATUS_WORDS } from './member-list.tsx';
import { SEAT_WORDS } from './seat-words.ts';

/** What the page of a member shows. */
export interface MemberPageProps {
  readonly member: ListedMember;
  readonly isSelf: boolean;
  readonly isDormant: boolean;
}

/** A member of the practice, or somebody who was invited. */
export const MemberPage = ({ member, isSelf, isDormant }: MemberPageProps) => {
  const { memberId, role, status } = member;
  return (
    <PersonPage
      person={member}
      isSelf={isSelf}
      isDormant={isDormant}
      standing={{
        term: 'Seat',
        is: (
          <>
            {role} <span class="beneath">{SEAT_WORDS[role]}</span>
            {status !== 'seated' && <span class="beneath">{STATUS_WORDS[status]}</span>}
          </>
        ),
        ...(status === 'seated' ? {} : { since: 'Invited' }),
      }}
      at={`/registry/members/${memberId}`}
      actions={actionsFor(status, isSelf)}
    />
  );
};

const actionsFor = (status: ListedMember['status'], isSelf: boolean): readonly PersonAction[] => {
  if (status !== 'seated') return [WITHDRAW];
  return isSelf ? OWN : [...OWN, ...OTHERS];
};

const WITHDRAW: PersonAction = {
  name: 'withdraw',
  text: 'Withdraw',
  says: 'Takes the invitation back: its one-time password opens nothing any more. To correct it, invite the person again.',
};

const OWN: readonly PersonAction[] = [
  {
    name: 'name',
    text: 'Change name',
    says: 'What the practice reads wherever this person has done something.',
  },
  { name: 'seat', text: 'Change seat', says: 'What this person may see and do, from now on.' },
];

const OTHERS: readonly PersonAction[] = [
  {
    name: 'password',
    text: 'New password',
    says: 'For someone who has forgotten theirs. They are signed out everywhere, and you get a one-time password to hand over.',
  },
  {
    name: 'sign-out',
    text: 'Sign out everywhere',
    says: 'For a lost phone or laptop. The account and its password stay.',
  },
  {
    name: 'remove',
    text: 'Remove',
    says: 'Takes the seat at once. What this person has entered and changed stays, with their name on it.',
  },
];
