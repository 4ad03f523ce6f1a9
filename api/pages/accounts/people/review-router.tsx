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
  readonly listPath: string;
  readonly guard: RequestHandler;
  readonly audience: Audience;
  readonly load: (res: Response) => Promise<{
    /** Their role is that in the practice; `null` for service staff. */
    readonly accounts: readonly (Account & { readonly id: string; readonly role: string | null })[];
    /** Id of the person who views the page. */
    readonly self: string;
    readonly last: LastReview | null;
    /** Accounts as shown, for the form to submit. */
    readonly displayedField: string;
  }>;
  readonly record: (displayed: readonly string[], res: Response) => Promise<unknown>;
}

export const accessReviewRouter = (app: App): Router => {
  const { reads, now } = app;

  const members: ReviewedList = {
    listPath: '/registry/members',
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
        displayedField: seated.map(({ memberId, role }) => `${memberId}:${role}`).join(' '),
      };
    },
    record: (displayed, res) => {
      const seat = getSeat(res);
      const commands = createPageCommands(app, res).members;
      return commands.review(seat.practiceId, displayed.flatMap(parseSeat));
    },
  };

  const staff: ReviewedList = {
    listPath: '/staff/people',
    guard: requireStaff,
    audience: 'staff',
    load: async (res) => {
      const people = (await reads.listStaff()).filter(({ status }) => status === 'active');
      return {
        accounts: people.map((person) => ({ ...person, id: person.staffId, role: null })),
        self: getStaff(res).staffId,
        last: await reads.findLastReview(null),
        displayedField: people.map(({ staffId }) => staffId).join(' '),
      };
    },
    record: (displayed, res) => {
      const person = getStaff(res);
      return createPageCommands(app, res).staff.review(person.staffId, displayed);
    },
  };

  return createRouter(
    ...[members, staff].flatMap(({ listPath, guard, audience, load, record }) => {
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
            <ReviewPage
              {...(await load(res))}
              listPath={listPath}
              audience={audience}
              now={now()}
            />
          </>
        ),
      });
      return [
        page(`${listPath}/review`, guard, (_req, res) => show(res, null)),
        post(`${listPath}/review`, guard, async (req, res) => {
          const displayed = readFormText(req, 'seen')
            .split(' ')
            .filter((word) => word !== '');
          const refusal = await catchRefusal(record(displayed, res));
          return refusal === null
            ? redirect(listPath, { id: 'review-recorded', text: 'The access review was recorded.' })
            : show(res, refusal);
        }),
      ];
    }),
  );
};

/** Parses `memberId:role`; empty if the role is unknown. */
const parseSeat = (word: string): readonly ReviewedSeat[] => {
  const [memberId = '', name] = word.split(':');
  const role = ROLES.find((one) => one === name);
  return role === undefined ? [] : [{ memberId, role }];
};

const ReviewPage = ({
  accounts,
  self,
  last,
  displayedField,
  listPath,
  audience,
  now,
}: Awaited<ReturnType<ReviewedList['load']>> &
  Pick<ReviewedList, 'listPath' | 'audience'> & { readonly now: Date }) => {
  const dormantCount = accounts.filter((account) => isDormant(account, now)).length;
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
        {dormantCount > 0 &&
          `${countInWords(dormantCount, 'account has', 'accounts have')} not been used for 90 days.`}
      </p>
      <AccountTable
        caption="Who has access"
        rows={accounts}
        listPath={listPath}
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
                <LinkButton action={`${listPath}/${id}/remove`} about={`person-${id}`}>
                  Remove
                </LinkButton>
              </div>
            ),
        }}
      />
      <Form action={`${listPath}/review`} class="confirm margin-top-3">
        <input type="hidden" name="seen" value={displayedField} />
        <p>
          Remove people who have left or don’t need access. Then confirm that every account listed
          here is still needed. Your review stays on record.
        </p>
        <FormButtons submit="Confirm all accounts" cancel={listPath} />
      </Form>
    </>
  );
};
