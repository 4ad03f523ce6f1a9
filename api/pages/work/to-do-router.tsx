import { type RequestHandler, Router } from 'express';
import type { WorkItemName } from '../../../domain/work-items/items.ts';
import { toPerson } from '../../access/person.ts';
import type { Seat } from '../../access/signed-in.ts';
import { noteRecordsShown, noteRefusalsShown } from '../../access-log/access-notes.ts';
import { createCommands } from '../../commands/command-sets.ts';
import { catchRefusal } from '../../commands/refusal-of.ts';
import type { App } from '../../ports/app-ports.ts';
import { readFormText } from '../../web/form-body.ts';
import { getSeat, requireRole } from '../../web/guards/seats.ts';
import { flash } from '../../web/session/flash.ts';
import { buildWorkPath, parseWorkKind, parseWorkQuery, TO_DO } from '../addresses.ts';
import { sendPage } from '../layout/send-page.tsx';
import { buildValueContext } from '../records/record/record-view.ts';
import { formatActor } from '../text/record-event-text.ts';
import { listActors, OwnDrafts, ToDoPage } from './to-do-page.tsx';
import { toWorkSeat } from './work-seat.ts';

const PAGE_LINES = 25;
const WORKERS = requireRole('Admin', 'Provider');

/** To-do list of a practice, and the decisions of members on its items. */
export const toDoRouter = (registry: App): Router =>
  Router()
    .get(TO_DO, requireRole('Admin', 'Provider', 'Scribe'), loadList(registry))
    .post(TO_DO, WORKERS, describeAssignment(registry));

/** Unfinished forms of a member. */
export const loadOwnDrafts = async ({ drafts }: App, { memberId, practiceId, role }: Seat) => {
  const owner = { accountId: memberId, practiceId };
  const [births, corrections] = await Promise.all([
    drafts.begun(owner, 'new'),
    role === 'Scribe' ? [] : drafts.begun(owner, 'correct'),
  ]);
  return { births, corrections };
};

const loadList =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const seat = getSeat(res);
    const drafts = await loadOwnDrafts(registry, seat);
    const hasDrafts = drafts.births.length + drafts.corrections.length > 0;
    if (seat.role === 'Scribe') {
      sendPage(req, res, {
        title: 'To do',
        children: hasDrafts ? <OwnDrafts {...drafts} /> : <p>You have no births in progress.</p>,
      });
      return;
    }
    const query = parseWorkQuery(new URL(req.originalUrl, registry.baseUrl).searchParams);
    const work = toWorkSeat(seat, registry.now());
    const { counts, found, items } = await registry.reads.work.find(work, query, {
      skip: (query.page - 1) * PAGE_LINES,
      most: PAGE_LINES,
    });
    const pages = Math.max(1, Math.ceil(found / PAGE_LINES));
    if (query.page > pages) {
      res.redirect(303, buildWorkPath({ ...query, page: pages }));
      return;
    }
    const details = await registry.reads.work.details(seat.practiceId, items);
    await noteRecordsShown(registry, res, {
      place: 'to-do',
      recordIds: [
        ...new Set([
          ...details.records.keys(),
          ...drafts.corrections.map(({ draftId }) => draftId),
        ]),
      ],
    });
    await noteRefusalsShown(
      registry,
      res,
      [...details.refused.values()].map(({ ingestionId }) => ingestionId),
    );
    const [actors, customFields] = await Promise.all([
      registry.reads.findActorNames(seat.practiceId, listActors(items, details)),
      registry.reads.customFields(seat.practiceId),
    ]);
    sendPage(req, res, {
      title: 'To do',
      children: (
        <>
          {hasDrafts && <OwnDrafts {...drafts} />}
          <ToDoPage
            seat={work}
            query={query}
            counts={counts}
            items={items}
            details={details}
            actors={actors}
            words={buildValueContext({
              timeZone: seat.practice.timeZone,
              clock: seat.practice.clock,
              // Unusual values are never providers.
              providers: new Map(),
              customFields,
            })}
            pages={pages}
          />
        </>
      ),
    });
  };

/** Messages after a decision on an item. */
export const WORK_DONE = {
  take: 'You have taken it.',
  release: 'It is free for others.',
  dismiss: 'It is dismissed.',
  reopen: 'It is on the list again.',
} as const;

const describeAssignment =
  (registry: App): RequestHandler =>
  async (req, res) => {
    const seat = getSeat(res);
    const query = parseWorkQuery(new URLSearchParams(readFormText(req, 'shown')));
    const kind = parseWorkKind(readFormText(req, 'kind'));
    const said = readFormText(req, 'do');
    const done = Object.entries(WORK_DONE).find(([name]) => name === said)?.[1];
    if (kind !== null && done !== undefined) {
      const name: WorkItemName = { kind, key: readFormText(req, 'key') };
      const work = toWorkSeat(seat, registry.now());
      const commands = createCommands(
        registry,
        toPerson(seat),
        String(res.locals['correlationId']),
      );
      const from = readFormText(req, 'from');
      const refusal = await catchRefusal(
        said === 'take'
          ? commands.work.take(work, name, from === '' ? null : from)
          : commands.work[said as 'release' | 'dismiss' | 'reopen'](work, name),
      );
      if (refusal === null) flash(req, 'success', done, said === 'dismiss' ? DISMISSED : undefined);
      else flash(req, 'warning', await describeAssignee(registry, seat, name, refusal.message));
    }
    res.redirect(303, buildWorkPath(query));
  };

const DISMISSED = {
  href: buildWorkPath({ kind: null, isMine: false, isLate: false, isDismissed: true, page: 1 }),
  text: 'Show what was dismissed',
};

/** Message to a person who was too late. */
export const describeTaker = (who: string): string => `${who} has taken this in the meantime.`;

/** If two members want the same item, the second sees who has it. */
const describeAssignee = async (
  { reads, now }: App,
  seat: Seat,
  { kind, key }: WorkItemName,
  refusal: string,
): Promise<string> => {
  const item = await reads.work.findOne(toWorkSeat(seat, now()), kind, key);
  if (item === null || item.takenBy === null || item.takenBy === seat.memberId) return refusal;
  const actor = { kind: 'member', id: item.takenBy } as const;
  const names = await reads.findActorNames(seat.practiceId, [actor]);
  return describeTaker(formatActor(actor, names));
};
