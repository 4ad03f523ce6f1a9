import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { AccessedRecord, AccessQuery } from '../../../projections/access-entries.ts';
import { personInWords } from '../../../projections/people-names.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { Registry } from '../../registry/registry.ts';
import { pageNumber } from '../../web/page-number.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { seatOf, seats, staffOnly } from '../../web/seats.ts';
import { type Audience, doerFirst } from '../audit/doer-words.ts';
import type { Choice } from '../frame/select-field.tsx';
import { sendPage } from '../frame/send-page.tsx';
import { accessAddress, accessQueryOf, PRACTICE_ACCESS, STAFF_ACCESS } from './access-address.ts';
import { AccessLogPage, type AccessLogPageProps, namedIn } from './access-log-page.tsx';

const TITLE = 'Access log';
const PAGE_LINES = 50;

/** The access log of a practice, for its Admins, and that of no practice, for the service staff. */
export const accessLogRouter = (registry: Registry): Router =>
  Router()
    .get(PRACTICE_ACCESS, seats('Admin'), practiceLogOf(registry))
    .get(STAFF_ACCESS, staffOnly, async (req, res) => {
      const listed = await listedOf(registry, req, res, STAFF_ACCESS, null);
      if (listed === null) return;
      sendPage(req, res, {
        title: TITLE,
        children: (
          <AccessLogPage
            {...listed}
            path={STAFF_ACCESS}
            audience="staff"
            people={peopleIn(listed, [], 'staff')}
            record={null}
          />
        ),
      });
    });

const practiceLogOf =
  (registry: Registry): RequestHandler =>
  async (req, res) => {
    const { practiceId } = seatOf(res);
    const record = await recordAsked(registry, practiceId, accessQueryOf(req));
    const [listed, members] = await Promise.all([
      listedOf(registry, req, res, PRACTICE_ACCESS, practiceId),
      registry.reads.listMembers(practiceId),
    ]);
    if (listed === null) return;
    // Chart numbers are data of people: the log of who saw them knows of itself.
    await noteRecordsShown(registry, res, {
      place: 'access-log',
      recordIds: [...listed.entries.flatMap(namedIn), ...(record === null ? [] : [record])].map(
        ({ submissionUuid }) => submissionUuid,
      ),
    });
    const known = members.map((member) => ({
      value: member.memberId,
      text: personInWords(member),
    }));
    sendPage(req, res, {
      title: TITLE,
      children: (
        <AccessLogPage
          {...listed}
          record={record}
          path={PRACTICE_ACCESS}
          audience="practice"
          people={peopleIn(listed, known, 'practice')}
        />
      ),
    });
  };

type Listed = Pick<AccessLogPageProps, 'query' | 'entries' | 'found' | 'isMore' | 'page' | 'pages'>;

/** The page of a log that an address asks for; null: there are fewer, and the last is led to. */
const listedOf = async (
  { reads }: Registry,
  req: Request,
  res: Response,
  path: string,
  practiceId: string | null,
): Promise<Listed | null> => {
  const query = accessQueryOf(req);
  const page = pageNumber(req);
  const slice = { skip: (page - 1) * PAGE_LINES, most: PAGE_LINES };
  const { entries, found, isMore } = await reads.findAccess(practiceId, query, slice);
  const pages = Math.max(1, Math.ceil(found / PAGE_LINES));
  if (page > pages) {
    res.redirect(303, accessAddress(path, query, pages));
    return null;
  }
  return { query, entries, found, isMore, page, pages };
};

/** The record of the practice that a log is narrowed down to. @throws PageProblem 404 */
const recordAsked = async (
  { reads }: Registry,
  practiceId: string,
  { record }: AccessQuery,
): Promise<AccessedRecord | null> => {
  if (record === null) return null;
  const [named] = await reads.nameRecords(practiceId, [record]);
  if (named === undefined) throw pageNotFound();
  return named;
};

/** Who can be asked for: those who are known, and the one that was asked for. */
const peopleIn = (
  { query: { person }, entries }: Listed,
  known: readonly Choice[],
  audience: Audience,
): readonly Choice[] => {
  if (person === null || known.some(({ value }) => value === person)) return known;
  const theirs = entries.find(({ by }) => by.id === person);
  return [
    ...known,
    {
      value: person,
      text: theirs === undefined ? 'A former member' : doerFirst(theirs.by, audience),
    },
  ];
};
