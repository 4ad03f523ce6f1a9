import { isDormant } from '../../../../domain/account/access-review.ts';
import { countInWords } from '../../../../domain/format-measures.ts';
import type { LastReview } from '../../../../projections/lists/audit.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { LinkButton } from '../../layout/link-button.tsx';
import { Time } from '../../layout/time.tsx';
import { type Audience, formatActorName } from '../../text/actor-name.ts';
import { type Account, AccountTable } from './account-table.tsx';

export const NO_REVIEW_MESSAGE = 'There has been no access review yet.';

export const LAST_REVIEWED = 'Last reviewed on';

export interface ReviewedAccount extends Account {
  readonly id: string;
  /** Role in the practice; `null` for service staff. */
  readonly role: string | null;
}

export interface AccessReview {
  readonly accounts: readonly ReviewedAccount[];
  /** Id of the reader. */
  readonly self: string;
  readonly last: LastReview | null;
  /** Accounts as shown, for the form to submit. */
  readonly seen: string;
}

export const ReviewPage = ({
  review: { accounts, self, last, seen },
  list,
  audience,
  now,
  refusal,
}: {
  readonly review: AccessReview;
  readonly list: string;
  readonly audience: Audience;
  readonly now: Date;
  /** Reason that the last confirmation was refused; `null` if it was not. */
  readonly refusal: string | null;
}) => {
  const dormant = accounts.filter((account) => isDormant(account, now)).length;
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
      <AccountTable
        caption="Who has access"
        rows={accounts}
        home={list}
        getId={({ id }) => id}
        self={self}
        isDormant={(account) => isDormant(account, now)}
        columns={[
          {
            heading: audience === 'practice' ? 'Role' : 'Since',
            cell: ({ role, since }) =>
              role === null ? (
                <Time at={since} />
              ) : (
                <>
                  {role}{' '}
                  <span class="beneath text-no-wrap">
                    since <Time at={since} />
                  </span>
                </>
              ),
          },
        ]}
        action={{
          heading: 'Change',
          cell: ({ id }) =>
            id === self ? (
              '–'
            ) : (
              <div class="row-action">
                <LinkButton action={`${list}/${id}/remove`} about={`person-${id}`}>
                  Remove
                </LinkButton>
              </div>
            ),
        }}
      />
      <Form action={`${list}/review`} class="confirm margin-top-3">
        <input type="hidden" name="seen" value={seen} />
        <p>
          Remove people who have left or don’t need access. Then confirm that every account listed
          here is still needed. Your review stays on record.
        </p>
        <FormButtons submit="Confirm all accounts" cancel={list} />
      </Form>
    </>
  );
};
