import { countInWords } from '../../../../domain/format-measures.ts';
import type { ListedMember } from '../../../../projections/lists/accounts.ts';
import type { LastReview } from '../../../../projections/lists/audit.ts';
import type { NamedPerson } from '../../../../projections/lists/people-names.ts';
import { DataTable } from '../../layout/data-table.tsx';
import { Notice } from '../../layout/flash-messages.tsx';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { LinkButton } from '../../layout/link-button.tsx';
import { Tag } from '../../layout/tag.tsx';
import { Time } from '../../layout/time.tsx';
import type { Audience } from '../../text/actor-name.ts';
import { formatActorName } from '../../text/actor-name.ts';
import { formatFactors } from './factor-text.ts';
import { PersonLink } from './person-link.tsx';
import { DORMANT } from './person-page.tsx';

export const NO_REVIEW_MESSAGE = 'No review is on record yet.';

/** Precedes the date and the reviewer. */
export const LAST_REVIEWED = 'Last reviewed on';

export interface ReviewedAccount extends NamedPerson {
  readonly id: string;
  /** Seat in the practice; `null` for service staff. */
  readonly seat: string | null;
  readonly since: Date;
  readonly lastSignInAt: Date | null;
  readonly secondFactor: ListedMember['secondFactor'];
  readonly isDormant: boolean;
  readonly isSelf: boolean;
}

export interface ReviewPageProps {
  readonly accounts: readonly ReviewedAccount[];
  readonly last: LastReview | null;
  /** Address of the list of accounts. */
  readonly list: string;
  readonly audience: Audience;
  /** Accounts as shown, for the form to submit. */
  readonly seen: string;
  /** Reason that the last confirmation was refused; `null` if it was not. */
  readonly refusal: string | null;
}

/** Accounts with access, since when, and their use. */
export const ReviewPage = (props: ReviewPageProps) => {
  const { accounts, last, list, audience, seen, refusal } = props;
  const dormant = accounts.filter(({ isDormant }) => isDormant).length;
  return (
    <>
      {refusal !== null && <Notice kind="error">{refusal}</Notice>}
      <p>
        {last === null ? (
          NO_REVIEW_MESSAGE
        ) : (
          <>
            {LAST_REVIEWED} <Time at={last.at} /> by {formatActorName(last.by, audience)}.
          </>
        )}{' '}
        {dormant > 0 &&
          `${countInWords(dormant, 'account has', 'accounts have')} not been used for 90 days.`}
      </p>
      <DataTable
        caption="Who has access"
        captionHidden
        rows={accounts}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: 'Person',
            namesRow: true,
            cell: (account) => (
              <PersonLink
                id={`person-${account.id}`}
                person={account}
                href={`${list}/${account.id}`}
                isSelf={account.isSelf}
              />
            ),
          },
          {
            heading: audience === 'practice' ? 'Seat' : 'Since',
            cell: ({ seat, since }) =>
              seat === null ? (
                <Time at={since} />
              ) : (
                <>
                  {seat}{' '}
                  <span class="beneath text-no-wrap">
                    since <Time at={since} />
                  </span>
                </>
              ),
          },
          {
            heading: 'Last sign-in',
            cell: ({ lastSignInAt, isDormant }) => (
              <>
                {lastSignInAt === null ? 'Never' : <Time at={lastSignInAt} />}{' '}
                {isDormant && <Tag kind="warning" text={DORMANT} />}
              </>
            ),
          },
          {
            heading: 'Second factor',
            cell: ({ secondFactor }) => formatFactors(secondFactor),
          },
          {
            heading: 'Change',
            cell: ({ id, isSelf }) =>
              isSelf ? (
                '–'
              ) : (
                <div class="row-action">
                  <LinkButton action={`${list}/${id}/remove`} about={`person-${id}`}>
                    Remove
                  </LinkButton>
                </div>
              ),
          },
        ]}
      />
      <Form action={`${list}/review`} class="confirm margin-top-3">
        <input type="hidden" name="seen" value={seen} />
        <p>
          Remove people who have left or need no access. Then confirm that every account listed here
          is still needed. Your review stays on record.
        </p>
        <FormButtons submit="Confirm all accounts" cancel={list} />
      </Form>
    </>
  );
};
