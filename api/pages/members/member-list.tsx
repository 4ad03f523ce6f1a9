import type { ListedMember } from '../../../projections/members.ts';
import { DataTable } from '../frame/data-table.tsx';
import { Time } from '../frame/time.tsx';
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
      { heading: 'Since', cell: ({ since }) => <Time at={since} /> },
      {
        heading: 'Change',
        cell: ({ memberId }) => (
          <div class="row-action">
            <Ask action={`/registry/members/${memberId}/seat`} about={memberId}>
              Change seat
            </Ask>
            {memberId !== self && (
              <>
                <Ask action={`/registry/members/${memberId}/password`} about={memberId}>
                  New password
                </Ask>
                <Ask action={`/registry/members/${memberId}/remove`} about={memberId}>
                  Remove
                </Ask>
              </>
            )}
          </div>
        ),
      },
    ]}
  />
);

const Ask = ({
  action,
  about,
  children,
}: {
  readonly action: string;
  readonly about: string;
  readonly children: string;
}) => (
  <form method="get" action={action}>
    <button
      type="submit"
      class="usa-button usa-button--outline"
      aria-describedby={`member-${about}`}
    >
      {children}
    </button>
  </form>
);
