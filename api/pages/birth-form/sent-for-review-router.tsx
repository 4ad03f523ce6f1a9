import { randomUUID } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import type { KnownBirthRecord } from '../../../domain/birth-record/state.ts';
import { readChartNumber } from '../../../domain/course/chart-number.ts';
import type { HandoffDraft } from '../../../domain/mapping/form/drafts.ts';
import { parseCourse } from '../../../domain/mapping/form/parse-course.ts';
import { recordStream } from '../../../domain/stream-names.ts';
import type { Seat } from '../../access/signed-in.ts';
import { noteHandedOverDiscarded, noteHandedOverShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import { createPracticeClock } from '../../practice-time/practice-clock.ts';
import { loadRecent } from '../../record-commands/record-under-lease.ts';
import { getSeat, requireAdminOrProvider } from '../../web/guards/seats.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Form } from '../layout/form.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { createRouter, page, post, question, redirect } from '../layout/routes.tsx';
import { Time } from '../layout/time.tsx';
import {
  compareBirths,
  formatMotherAndBirth,
  formatTypedMother,
} from '../parts/birth-form/confirm/compare-births.ts';
import { NEW_BIRTH_PATH } from '../parts/birth-form/confirm/duplicate-checks.tsx';
import { SideBySide } from '../parts/birth-form/confirm/side-by-side.tsx';
import { SENT_FOR_REVIEW_PATH as PATH } from '../parts/birth-form/drafts/send-for-review.ts';
import { toDraftOwner } from '../parts/birth-form/form/entry.ts';
import { loadRecordNames } from '../parts/birth-form/form/record-names.ts';
import { buildCourseContext } from '../text/course-values.ts';
import { type ActorNames, formatActor } from '../text/record-event-text.ts';

/** Births that Scribes could not save because their chart number belongs to another woman. */
export const sentForReviewRouter = (app: App): Router => {
  const loadBirth = (req: Request, res: Response) => findBirth(app, req, res);
  return createRouter(
    page(PATH, requireAdminOrProvider, async (_req, res) => {
      const { practiceId } = getSeat(res);
      const births = await app.handoffs.births(practiceId);
      const names = await listNames(app, practiceId, births);
      await noteHandedOverShown(
        app,
        res,
        births.map(({ id }) => id),
      );
      return {
        title: 'Sent for review',
        children: (
          <>
            <p>
              A Scribe entered each of these births under a chart number that belongs to another
              woman. Scribes can’t view records, so an Admin or Provider decides. None of these
              births is recorded yet.
            </p>
            {births.length === 0 ? (
              <EmptyState id="no-births-waiting">No births to review.</EmptyState>
            ) : (
              <DataTable
                caption="Births sent for review, oldest first"
                captionHidden
                rows={births}
                keyOf={({ id }) => id}
                columns={[
                  {
                    heading: 'Mother',
                    namesRow: true,
                    cell: (birth) => (
                      <a href={`${PATH}/${birth.id}`}>
                        {formatTypedMother(birth.values) ?? 'Name not entered'}
                      </a>
                    ),
                  },
                  {
                    heading: 'Chart number',
                    cell: ({ values }) =>
                      values['chart_number'] ?? <span class="quiet">Not entered</span>,
                  },
                  {
                    heading: 'Sent',
                    cell: ({ handedAt }) => <Time at={handedAt} />,
                  },
                  { heading: 'Sent by', cell: ({ memberId }) => describeSender(memberId, names) },
                  {
                    heading: 'Source',
                    cell: ({ isFromFile }) => (isFromFile ? 'File import' : 'Form'),
                  },
                ]}
              />
            )}
          </>
        ),
      };
    }),
    page(`${PATH}/:id`, requireAdminOrProvider, async (req, res) => {
      const birth = await loadBirth(req, res);
      const [names, compared] = await Promise.all([
        listNames(app, getSeat(res).practiceId, [birth]),
        compare(app, res, birth),
      ]);
      return {
        title: 'Birth sent for review',
        children: <DecisionPage birth={birth} names={names} compared={compared} />,
      };
    }),
    post(`${PATH}/:id`, requireAdminOrProvider, async (req, res) => {
      const { id, values } = await loadBirth(req, res);
      const owner = toDraftOwner(getSeat(res));
      const name = { form: 'new', draftId: id } as const;
      const draft = await app.drafts.find(owner, name);
      if (draft?.savedAs !== undefined) {
        // The process died after this person saved it, before it was removed from the list.
        await app.handoffs.drop(owner.practiceId, id);
        return redirect(
          `/registry/records/${draft.savedAs}`,
          'You already recorded this birth.',
          'info',
        );
      }
      // Becomes a draft of the person who decides; listed until that form is saved.
      if (draft === null || draft.isFinished) {
        const edition = { revision: draft?.revision ?? 0, editor: randomUUID() };
        await app.drafts.save(owner, name, { values, version: null }, edition);
      }
      return redirect(`${NEW_BIRTH_PATH}?draft=${id}`);
    }),
    question(`${PATH}/:id/discard`, requireAdminOrProvider, {
      load: loadBirth,
      back: ({ id }) => `${PATH}/${id}`,
      ask: ({ values }) => ({
        title: 'Discard this entry?',
        submit: 'Discard entry',
        destructive: true,
        children: (
          <p>
            This deletes the entry for {formatTypedMother(values) ?? 'a mother without a name'}
            {values['chart_number'] ? `, chart number ${values['chart_number']}` : ''}. It will not
            be recorded, and no other record changes.
          </p>
        ),
      }),
      run: async ({ id }, _req, res) => {
        await noteHandedOverDiscarded(app, res, id);
        await app.handoffs.drop(getSeat(res).practiceId, id);
        return redirect(PATH, {
          id: 'birth-discarded',
          text: 'The entry was discarded. No records changed.',
        });
      },
    }),
  );
};

const findBirth = async (app: App, req: Request, res: Response): Promise<HandoffDraft> => {
  const birth = await app.handoffs.find(getSeat(res).practiceId, String(req.params['id']));
  if (birth === null) throw pageNotFound();
  await noteHandedOverShown(app, res, [birth.id]);
  return birth;
};

const listNames = (
  app: App,
  practiceId: string,
  births: readonly HandoffDraft[],
): Promise<ActorNames> =>
  app.reads.findActorNames(
    practiceId,
    births.map(({ memberId }) => ({ kind: 'member', id: memberId })),
  );

/** Record with the chart number, compared with the input if that can be parsed. */
const compare = async (app: App, res: Response, birth: HandoffDraft) => {
  const seat = getSeat(res);
  const existing = await findRecordWithNumber(app, seat, birth.values['chart_number'] ?? '');
  if (existing === null) return null;
  const [record] = (await loadRecordNames(app, res, 'entry', [existing.submissionUuid])) ?? [];
  if (record === undefined) return null;
  const customFields = await app.reads.listCustomFields(seat.practiceId);
  const { timeZone, clock } = seat.practice;
  const typed = parseCourse(birth.values, {
    ...createPracticeClock(timeZone, app.now(), seat.practice.dateOrder),
    customFields,
    existing: null,
    unitIsNamed: false,
  });
  return {
    record,
    isVoided: existing.status === 'voided',
    beside:
      typed.kind === 'course'
        ? compareBirths(
            existing.course,
            typed.course,
            buildCourseContext({ timeZone, clock, customFields }),
          )
        : null,
  };
};

const findRecordWithNumber = async (
  app: App,
  { practiceId }: Seat,
  typedNumber: string,
): Promise<KnownBirthRecord | null> => {
  const chart = readChartNumber(typedNumber.trim());
  if (chart.kind !== 'chart number') return null;
  const stream = recordStream(app.identity.recordHash(practiceId, chart.value));
  const { state } = await loadRecent(app, stream);
  return state.status === 'none' ? null : state;
};

const describeSender = (memberId: string, names: ActorNames) =>
  formatActor({ kind: 'member', id: memberId }, names);

const DecisionPage = ({
  birth,
  names,
  compared,
}: {
  readonly birth: HandoffDraft;
  readonly names: ActorNames;
  readonly compared: Awaited<ReturnType<typeof compare>>;
}) => {
  const chartNumber = birth.values['chart_number'] ?? '';
  return (
    <>
      <p>
        {describeSender(birth.memberId, names)} entered the birth of{' '}
        <strong>{formatTypedMother(birth.values) ?? 'a mother without a name'}</strong> on{' '}
        <Time at={birth.handedAt} />
        {birth.isFromFile ? ', in an imported file' : ''}. It is not recorded yet, and is kept until{' '}
        <Time at={birth.expiresAt} />.
      </p>
      {compared === null ? (
        <p>
          No record at your practice has chart number <strong>{chartNumber}</strong> now.
        </p>
      ) : (
        <>
          <p>
            Chart number <strong>{chartNumber}</strong> is on the{' '}
            {compared.isVoided ? 'voided ' : ''}record of{' '}
            <RecordLink id={compared.record.submissionUuid}>
              {formatMotherAndBirth(compared.record)}
            </RecordLink>
            .
          </p>
          {compared.beside !== null && <SideBySide beside={compared.beside} sent="Entered" />}
        </>
      )}
      <Form action={`${PATH}/${birth.id}`} class="buttons margin-top-3">
        <button type="submit" class="usa-button">
          Open in the birth form
        </button>
        <a class="usa-button usa-button--outline" href={`${PATH}/${birth.id}/discard`}>
          Discard
        </a>
      </Form>
      <p class="quiet">
        In the form, you can change the chart number, or confirm that this birth replaces the other
        record.
      </p>
    </>
  );
};
