import type { Request, Response, Router } from 'express';
import type { WorkItemName } from '../../../domain/work-items/items.ts';
import type { Seat } from '../../access/signed-in.ts';
import { noteRecordsShown, noteRefusalsShown } from '../../access-log/access-notes.ts';
import { catchRefusal } from '../../commands/refusal-of.ts';
import type { App } from '../../ports/app-ports.ts';
import { readFormText } from '../../web/form-body.ts';
import { getSeat, requireAdminOrProvider, requireWriter } from '../../web/guards/seats.ts';
import { createPageCommands } from '../layout/page-commands.ts';
import {
  createRouter,
  page,
  post,
  type Redirect,
  type Reply,
  redirect,
} from '../layout/routes.tsx';
import { toWorkSeat } from '../layout/work-seat.ts';
import { ALL_WORK, buildWorkPath, parseWorkKind, parseWorkQuery, TO_DO } from '../paths.ts';
import { buildCourseContext } from '../text/course-values.ts';
import { formatActor } from '../text/record-event-text.ts';
import { hasDrafts, loadOwnDrafts, OwnDrafts } from './own-drafts.tsx';
import { listActors, ToDoPage } from './to-do-page.tsx';

const PAGE_LINES = 25;

export const toDoRouter = (app: App): Router =>
  createRouter(
    page(TO_DO, requireWriter, (req, res) => showList(app, req, res)),
    post(TO_DO, requireAdminOrProvider, (req, res) => decide(app, req, res)),
  );

const showList = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const seat = getSeat(res);
  const drafts = await loadOwnDrafts(app, seat);
  if (seat.role === 'Scribe')
    return {
      title: 'To do',
      children: hasDrafts(drafts) ? (
        <OwnDrafts {...drafts} />
      ) : (
        <p>You have no unfinished entries.</p>
      ),
    };
  const query = parseWorkQuery(new URL(req.originalUrl, app.baseUrl).searchParams);
  const work = toWorkSeat(seat, app.now());
  const { counts, found, items } = await app.reads.work.find(work, query, {
    skip: (query.page - 1) * PAGE_LINES,
    most: PAGE_LINES,
  });
  const pages = Math.max(1, Math.ceil(found / PAGE_LINES));
  if (query.page > pages) return redirect(buildWorkPath({ ...query, page: pages }));
  const details = await app.reads.work.details(seat.practiceId, items);
  await noteRecordsShown(app, res, {
    place: 'to-do',
    recordIds: [
      ...new Set([...details.records.keys(), ...drafts.corrections.map(({ draftId }) => draftId)]),
    ],
  });
  await noteRefusalsShown(
    app,
    res,
    [...details.refused.values()].map(({ ingestionId }) => ingestionId),
  );
  const [actors, customFields] = await Promise.all([
    app.reads.findActorNames(seat.practiceId, listActors(items, details)),
    app.reads.listCustomFields(seat.practiceId),
  ]);
  return {
    title: 'To do',
    children: (
      <>
        <OwnDrafts {...drafts} />
        <ToDoPage
          seat={work}
          query={query}
          counts={counts}
          items={items}
          details={details}
          actors={actors}
          words={buildCourseContext({
            ...seat.practice,
            // No unusual value names a provider.
            providers: new Map(),
            customFields,
          })}
          pages={pages}
        />
      </>
    ),
  };
};

export const WORK_DONE = {
  take: 'Assigned to you.',
  release: 'Unassigned.',
  dismiss: 'Dismissed.',
  reopen: 'Back on the list.',
} as const;

const decide = async (app: App, req: Request, res: Response): Promise<Redirect> => {
  const seat = getSeat(res);
  const query = parseWorkQuery(new URLSearchParams(readFormText(req, 'shown')));
  const kind = parseWorkKind(readFormText(req, 'kind'));
  const step = readFormText(req, 'do');
  const done = Object.entries(WORK_DONE).find(([name]) => name === step)?.[1];
  const back = buildWorkPath(query);
  if (kind === null || done === undefined) return redirect(back);
  const name: WorkItemName = { kind, key: readFormText(req, 'key') };
  const work = toWorkSeat(seat, app.now());
  const commands = createPageCommands(app, res);
  const from = readFormText(req, 'from');
  const refusal = await catchRefusal(
    step === 'take'
      ? commands.work.take(work, name, from === '' ? null : from)
      : commands.work[step as 'release' | 'dismiss' | 'reopen'](work, name),
  );
  return refusal === null
    ? redirect(back, done, 'success', step === 'dismiss' ? DISMISSED : undefined)
    : redirect(back, await describeAssignee(app, seat, name, refusal.message), 'warning');
};

const DISMISSED = {
  href: buildWorkPath({ ...ALL_WORK, isDismissed: true }),
  text: 'Show dismissed items',
};

export const describeTaker = (who: string): string => `This is already assigned to ${who}.`;

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
