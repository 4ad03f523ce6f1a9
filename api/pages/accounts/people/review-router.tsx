import type { RequestHandler, Response, Router } from 'express';
import { isDormant, type ReviewedSeat } from '../../../../domain/account/access-review.ts';
import { countInWords } from '../../../../domain/format-measures.ts';
import { ROLES } from '../../../../domain/roles.ts';
import type { LastReview } from '../../../../projections/lists/audit.ts';
import type { CommandRefused } from '../../../commands/command-refused.ts';
import { catchRefusal } from '../../../commands/refusal-of.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, getStaff, requireAdmin, requireStaff } from '../../../web/guards/seats.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { LinkButton } from '../../layout/link-button.tsx';
import type { PageView } from '../../layout/page.tsx';
import { createPageCommands } from '../../layout/page-commands.ts';
import { createRouter, page, post, redirect } from '../../layout/routes.tsx';
import { Time } from '../../layout/time.tsx';
import { type Audience, formatActorName } from '../../text/actor-name.ts';
import { type Account, AccountTable } from './account-table.tsx';

interface ReviewedList {
  readonly list: string;
  readonly guard: RequestHandler;
  readonly audience: Audience;
  readonly load: (res: Response) => Promise<{
    /** Their role is that in the practice; `null` for service staff. */
    readonly accounts: readonly (Account & { readonly id: string; readonly role: string | null })[];
    /** Id of the reader. */
    readonly self: string;
    readonly last: LastReview | null;
    /** Accounts as shown, for the form to submit. */
    readonly seen: string;
  }>;
  readonly record: (seen: readonly string[], res: Response) => Promise<unknown>;
}

export const accessReviewRouter = (app: App): Router => {
  const { reads, now } = app;

  const members: ReviewedList = {
    list: '/registry/members',
    guard: requireAdmin,
    audience: 'practice',
    load: async (res) => {
      const { practiceId, memberId: self } = getSeat(res);
      const listed = await reads.listMembers(practiceId);
      const seated = listed.filter(({ status }) => status === 'seated');
      return {
        accounts: seated.map((member) => ({ ...member, id: member.memberId })),
        self,
        last: await reads.findLastReview(practiceId),
        seen: seated.map(({ memberId, role }) => `${memberId}:${role}`).join(' '),
      };
    },
    record: (seen, res) => {
      const seat = getSeat(res);
      const commands = createPageCommands(app, res).members;
      return commands.review(seat.practiceId, seen.flatMap(parseSeat));
    },
  };

  const staff: ReviewedList = {
    list: '/staff/people',
    guard: requireStaff,
    audience: 'staff',
    load: async (res) => {
      const people = (await reads.listStaff()).filter(({ status }) => status === 'active');
      return {
        accounts: people.map((person) => ({ ...person, id: person.staffId, role: null })),
        self: getStaff(res).staffId,
        last: await reads.findLastReview(null),
        seen: people.map(({ staffId }) => staffId).join(' '),
      };
    },
    record: (seen, res) => {
      const person = getStaff(res);
      return createPageCommands(app, res).staff.review(person.staffId, seen);
    },
  };

  return createRouter(
    ...[members, staff].flatMap(({ list, guard, audience, load, record }) => {
      const show = async (res: Response, refusal: CommandRefused | null): Promise<PageView> => ({
        title: 'Access review',
        hasErrors: refusal !== null,
        children: (
          <>
            {refusal !== null && (
              <Notice kind="error" id={refusal.id}>
                {refusal.message}
              </Notice>
            )}
            <ReviewPage {...(await load(res))} list={list} audience={audience} now={now()} />
          </>
        ),
      });
      return [
        page(`${list}/review`, guard, (_req, res) => show(res, null)),
        post(`${list}/review`, guard, async (req, res) => {
          const seen = readFormText(req, 'seen')
            .split(' ')
            .filter((word) => word !== '');
          const refusal = await catchRefusal(record(seen, res));
          return refusal === null
            ? redirect(list, { id: 'review-recorded', text: 'The access review was recorded.' })
            : show(res, refusal);
        }),
      ];
    }),
  );
};

/** Member and role as one word of the form. */
const parseSeat = (word: string): readonly ReviewedSeat[] => {
  const [memberId = '', name] = word.split(':');
  const role = ROLES.find((one) => one === name);
  return role === undefined ? [] : [{ memberId, role }];
};

const ReviewPage = ({
  accounts,
  self,
  last,
  seen,
  list,
  audience,
  now,
}: Awaited<ReturnType<ReviewedList['load']>> &
  Pick<ReviewedList, 'list' | 'audience'> & { readonly now: Date }) => {
  const dormant = accounts.filter((account) => isDormant(account, now)).length;
  return (
    <>
      <p>
        {last === null ? (
          <span data-message="no-review">There has been no access review yet.</span>
        ) : (
          <span data-message="last-review">
            Last reviewed on <Time at={last.at} /> by {formatActorName(last.by, audience)}.
          </span>
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
