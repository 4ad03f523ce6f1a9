import type { ListedMember } from '../../../../projections/lists/accounts.ts';
import { Time } from '../../layout/time.tsx';
import { AccountTable } from '../people/account-table.tsx';
import { AUDITOR_TEXT, ROLE_TEXT } from './role-text.ts';

export const INVITED = 'Invited, has not accepted yet';

const STATUS_TEXT = { invited: INVITED, lapsed: 'Invited, did not accept in time' } as const;

export const InvitationStatus = ({ status }: Pick<ListedMember, 'status'>) =>
  status === 'seated' ? null : <span class="beneath">{STATUS_TEXT[status]}</span>;

export const RoleDetails = ({ role, isAuditor }: Pick<ListedMember, 'role' | 'isAuditor'>) => (
  <>
    {role} <span class="beneath">{ROLE_TEXT[role]}</span>
    {isAuditor && <span class="beneath">{AUDITOR_TEXT}</span>}
  </>
);

/** Members and invited people; each links to their page. */
export const MemberList = ({
  members,
  self,
}: {
  readonly members: readonly ListedMember[];
  /** Member id of the reader. */
  readonly self: string;
}) => (
  <AccountTable
    caption="Members of the practice"
    rows={members}
    listPath="/registry/members"
    getId={({ memberId }) => memberId}
    self={self}
    hasAccount={({ status }) => status === 'seated'}
    columns={[
      { heading: 'Role', cell: RoleDetails },
      {
        heading: 'Since',
        cell: ({ since, status }) => (
          <>
            <span class="text-no-wrap">
              <Time at={since} />
            </span>
            <InvitationStatus status={status} />
          </>
        ),
      },
    ]}
  />
);
