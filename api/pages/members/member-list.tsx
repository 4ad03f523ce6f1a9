import type { ListedMember } from '../../../projections/members.ts';
import { DataTable } from '../frame/data-table.tsx';
import { Time } from '../frame/time.tsx';
import { Ask } from '../people/ask.tsx';
import { SEAT_WORDS } from './seat-words.ts';

/** What the list of members shows. */
export interface MemberListProps {
  readonly members: readonly ListedMember[];
  /** Id of the reader. */
  readonly self: string;
}

/** Who has a seat in the practice, and what it lets them do. */
export const MemberList = ({ members, self }: MemberListProps) => (
  <DataTable
    caption="Members of the practice"
    captionHidden
    rows={members}
    keyOf={({ memberId }) => memberId}
    columns={[
      {
        heading: 'Email',
        namesRow: true,
        cell: ({ memberId, email }) => (
          <span id={`member-${memberId}`}>
            {email}
            {memberId === self && <strong> (you)</strong>}
          </span>
        ),
      },
      {
        heading: 'Seat',
        cell: ({ role }) => (
          <>
            {role} <span class="beneath">{SEAT_WORDS[role]}</span>
          </>
        ),
      },
      {
        heading: 'Since',
        cell: ({ since, status }) => (
          <>
            <Time at={since} />
            {status !== 'seated' && <span class="beneath">{STATUS_WORDS[status]}</span>}
          </>
        ),
      },
      {
        heading: 'Last sign-in',
        cell: ({ lastSignInAt, secondFactor }) => (
          <>
            {lastSignInAt === null ? 'Never' : <Time at={lastSignInAt} />}
            {secondFactor.length > 0 && <span class="beneath">with a second factor</span>}
          </>
        ),
      },
      {
        heading: 'Change',
        cell: ({ memberId, status }) => (
          <div class="row-action">
            {actionsFor(status, memberId === self).map(([action, text]) => (
              <Ask
                key={action}
                action={`/registry/members/${memberId}/${action}`}
                about={`member-${memberId}`}
              >
                {text}
              </Ask>
            ))}
          </div>
        ),
      },
    ]}
  />
);

const STATUS_WORDS = {
  invited: 'Invited, has not accepted yet',
  lapsed: 'Invited, did not accept in time',
} as const;

const actionsFor = (
  status: ListedMember['status'],
  isSelf: boolean,
): readonly (readonly [string, string])[] => {
  if (status !== 'seated') return [['withdraw', 'Withdraw']];
  if (isSelf) return [['seat', 'Change seat']];
  return [
    ['seat', 'Change seat'],
    ['password', 'New password'],
    ['sign-out', 'Sign out'],
    ['remove', 'Remove'],
  ];
};
