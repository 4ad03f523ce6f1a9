import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ReviewedSeat } from '../../../../domain/account/access-review.ts';
import { ROLES } from '../../../../domain/roles.ts';
import { catchRefusal } from '../../../commands/refusal-of.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, getStaff, requireRole, requireStaff } from '../../../web/guards/seats.ts';
import { flash } from '../../../web/session/flash.ts';
import { createPageCommands } from '../../layout/page-commands.ts';
import { sendPage } from '../../layout/send-page.tsx';
import type { Audience } from '../../text/actor-name.ts';
import { type AccessReview, ReviewPage } from './review-page.tsx';

export const REVIEW_RECORDED = 'The access review was recorded.';

interface ReviewedList {
  readonly list: string;
  readonly guard: RequestHandler;
  readonly audience: Audience;
  readonly load: (res: Response) => Promise<AccessReview>;
  readonly record: (seen: readonly string[], res: Response) => Promise<unknown>;
}

export const accessReviewRouter = (app: App): Router => {
  const { reads, now } = app;

  const members: ReviewedList = {
    list: '/registry/members',
    guard: requireRole('Admin'),
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

  const router = Router();
  for (const { list, guard, audience, load, record } of [members, staff]) {
    const send = async (req: Request, res: Response, refusal: string | null) => {
      const review = await load(res);
      sendPage(req, res, {
        title: 'Access review',
        hasErrors: refusal !== null,
        children: (
          <ReviewPage
            review={review}
            list={list}
            audience={audience}
            now={now()}
            refusal={refusal}
          />
        ),
      });
    };
    router
      .get(`${list}/review`, guard, (req, res) => send(req, res, null))
      .post(`${list}/review`, guard, async (req, res) => {
        const seen = readFormText(req, 'seen')
          .split(' ')
          .filter((word) => word !== '');
        const refusal = await catchRefusal(record(seen, res));
        if (refusal !== null) return send(req, res, refusal.message);
        flash(req, 'success', REVIEW_RECORDED);
        res.redirect(303, list);
      });
  }
  return router;
};

/** Member and role as one word of the form. */
const parseSeat = (word: string): readonly ReviewedSeat[] => {
  const [memberId = '', name] = word.split(':');
  const role = ROLES.find((one) => one === name);
  return role === undefined ? [] : [{ memberId, role }];
};
