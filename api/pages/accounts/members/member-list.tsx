import type { ListedMember } from '../../../../projections/lists/accounts.ts';
import { DataTable } from '../../layout/data-table.tsx';
import { Time } from '../../layout/time.tsx';
import { formatFactors } from '../people/factor-text.ts';
import { PersonLink } from '../people/person-link.tsx';
import { AUDITOR_TEXT, ROLE_TEXT } from './role-text.ts';

/** Status of a pending invitation. */
export const INVITED = 'Invited, has not accepted yet';

export interface MemberListProps {
  readonly members: readonly ListedMember[];
  /** Member id of the reader. */
  readonly self: string;
}

/** Members with their seats; each links to their page. */
export const MemberList = ({ members, self }: MemberListProps) => (
  <DataTable
    caption="Members of the practice"
    captionHidden
    rows={members}
    keyOf={({ memberId }) => memberId}
    columns={[
      {
        heading: 'Person',
        namesRow: true,
        cell: (member) => (
          <PersonLink
            person={member}
            href={`/registry/members/${member.memberId}`}
            isSelf={member.memberId === self}
          />
        ),
      },
      {
        heading: 'Seat',
        cell: ({ role, isAuditor }) => (
          <>
            {role} <span class="beneath">{ROLE_TEXT[role]}</span>
            {isAuditor && <span class="beneath">{AUDITOR_TEXT}</span>}
          </>
        ),
      },
      {
        heading: 'Since',
        cell: ({ since, status }) => (
          <>
            <span class="text-no-wrap">
              <Time at={since} />
            </span>
            {status !== 'seated' && <span class="beneath">{STATUS_WORDS[status]}</span>}
          </>
        ),
      },
      {
        heading: 'Last sign-in',
        cell: ({ lastSignInAt }) => (
          <span class="text-no-wrap">
            {lastSignInAt === null ? 'Never' : <Time at={lastSignInAt} />}
          </span>
        ),
      },
      {
        heading: 'Second factor',
        cell: ({ secondFactor, status }) =>
          status === 'seated' ? formatFactors(secondFactor) : '–',
      },
    ]}
  />
);

/** Status of an invitation. */
export const STATUS_WORDS = {
  invited: INVITED,
  lapsed: 'Invited, did not accept in time',
} as const;
