import { type Request, type Response, Router } from 'express';
import { isDormant, type ReviewedSeat } from '../../../../domain/account/access-review.ts';
import { ROLES } from '../../../../domain/roles.ts';
import { toPerson } from '../../../access/person.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import { catchRefusal } from '../../../commands/refusal-of.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, getStaff, requireRole, requireStaff } from '../../../web/guards/seats.ts';
import { flash } from '../../../web/session/flash.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { ReviewPage, type ReviewPageProps } from './review-page.tsx';

const MEMBERS = '/registry/members';
const STAFF = '/staff/people';

export const REVIEW_RECORDED = 'The access review was recorded.';

/** Access reviews of a practice, for its Admins, and of the service staff. */
export const accessReviewRouter = (registry: App): Router => {
  const { reads, now } = registry;

  const sendMembers = async (req: Request, res: Response, refusal: string | null = null) => {
    const { practiceId, memberId: self } = getSeat(res);
    const members = (await reads.listMembers(practiceId)).filter(
      ({ status }) => status === 'seated',
    );
    sendReview(req, res, {
      accounts: members.map((member) => ({
        ...member,
        id: member.memberId,
        seat: member.role,
        isDormant: isDormant(member, now()),
        isSelf: member.memberId === self,
      })),
      last: await reads.findLastReview(practiceId),
      list: MEMBERS,
      audience: 'practice',
      seen: members.map(({ memberId, role }) => `${memberId}:${role}`).join(' '),
      refusal,
    });
  };

  const sendStaff = async (req: Request, res: Response, refusal: string | null = null) => {
    const { staffId: self } = getStaff(res);
    const people = (await reads.listStaff()).filter(({ status }) => status === 'active');
    sendReview(req, res, {
      accounts: people.map((person) => ({
        ...person,
        id: person.staffId,
        seat: null,
        isDormant: isDormant(person, now()),
        isSelf: person.staffId === self,
      })),
      last: await reads.findLastReview(null),
      list: STAFF,
      audience: 'staff',
      seen: people.map(({ staffId }) => staffId).join(' '),
      refusal,
    });
  };

  return Router()
    .get(`${MEMBERS}/review`, requireRole('Admin'), (req, res) => sendMembers(req, res))
    .post(`${MEMBERS}/review`, requireRole('Admin'), async (req, res) => {
      const seat = getSeat(res);
      const { members } = createCommands(registry, toPerson(seat));
      const refusal = await catchRefusal(members.review(seat.practiceId, listAccounts(req)));
      if (refusal === null) sendReviewRecorded(req, res, MEMBERS);
      else await sendMembers(req, res, refusal.message);
    })
    .get(`${STAFF}/review`, requireStaff, (req, res) => sendStaff(req, res))
    .post(`${STAFF}/review`, requireStaff, async (req, res) => {
      const person = getStaff(res);
      const { staff } = createCommands(registry, toPerson(person));
      const refusal = await catchRefusal(staff.review(person.staffId, readReviewText(req)));
      if (refusal === null) sendReviewRecorded(req, res, STAFF);
      else await sendStaff(req, res, refusal.message);
    });
};

const sendReview = (req: Request, res: Response, props: ReviewPageProps): void =>
  sendPage(req, res, {
    title: 'Access review',
    hasErrors: props.refusal !== null,
    children: <ReviewPage {...props} />,
  });

const sendReviewRecorded = (req: Request, res: Response, list: string): void => {
  flash(req, 'success', REVIEW_RECORDED);
  res.redirect(303, list);
};

const readReviewText = (req: Request): readonly string[] =>
  readFormText(req, 'seen')
    .split(' ')
    .filter((word) => word !== '');

/** Seats that the form showed. */
const listAccounts = (req: Request): readonly ReviewedSeat[] =>
  readReviewText(req).flatMap((word) => {
    const [memberId = '', name] = word.split(':');
    const role = ROLES.find((one) => one === name);
    return role === undefined ? [] : [{ memberId, role }];
  });
