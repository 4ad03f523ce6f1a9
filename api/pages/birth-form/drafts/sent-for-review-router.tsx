import { type Request, type Response, Router } from 'express';
import { type KnownBirthRecord, recordFold } from '../../../../domain/birth-record/state.ts';
import { readChartNumber } from '../../../../domain/course/chart-number.ts';
import { stateAfter } from '../../../../domain/fold.ts';
import type { HandoffDraft } from '../../../../domain/intake/form/drafts.ts';
import { parseCourse } from '../../../../domain/intake/form/parse-course.ts';
import { recordStream } from '../../../../domain/stream-names.ts';
import type { NamedRecord } from '../../../../projections/lists/records.ts';
import type { Seat } from '../../../access/signed-in.ts';
import { noteHandedOverDiscarded, noteHandedOverShown } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { createPracticeClock } from '../../../practice-time/practice-clock.ts';
import { getSeat, requireRole } from '../../../web/guards/seats.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { flash } from '../../../web/session/flash.ts';
import { Confirm } from '../../layout/confirm.tsx';
import { DataTable } from '../../layout/data-table.tsx';
import { EmptyState } from '../../layout/empty-state.tsx';
import { Form } from '../../layout/form.tsx';
import { RecordLink } from '../../layout/record-link.tsx';
import { sendPage } from '../../layout/send-page.tsx';
import { Time } from '../../layout/time.tsx';
import { type ActorNames, formatActor } from '../../text/record-event-text.ts';
import { type ComparedBirths, compareBirths, formatMother } from '../confirm/compare-births.ts';
import { SideBySide } from '../confirm/confirmation-pages.tsx';
import { NEW_BIRTH_PATH } from '../confirm/duplicate-checks.tsx';
import { toDraftOwner } from '../form/entry.ts';
import { loadShownName } from '../form/name-shown.ts';
import { SENT_FOR_REVIEW_PATH as PATH } from './send-for-review.ts';

const DECIDING = requireRole('Admin', 'Provider');
const TITLE = 'Handed over';
/** Heading of one birth's page. */
export const BIRTH_TO_REVIEW = 'A birth that was handed over';
export const BIRTH_DISCARDED = 'The birth was discarded. No record has changed.';
/** Shown for an empty list. */
export const NO_BIRTHS_WAITING = 'No births are waiting.';
/** Source of a birth from an import. */
export const FROM_FILE = 'Row of a file';

/** Births that Scribes could not save because their chart number belongs to another woman. */
export const sentForReviewRouter = (registry: App): Router =>
  Router()
    .get(PATH, DECIDING, async (req, res) => {
      const { practiceId } = getSeat(res);
      const births = await registry.handedOver.births(practiceId);
      const names = await listNames(registry, practiceId, births);
      await noteHandedOverShown(
        registry,
        res,
        births.map(({ id }) => id),
      );
      sendPage(req, res, { title: TITLE, children: <BirthsToReviewPage {...{ births, names }} /> });
    })
    .get(`${PATH}/:id`, DECIDING, async (req, res) => {
      const birth = await findBirth(registry, req, res);
      const { practiceId } = getSeat(res);
      const [names, compared] = await Promise.all([
        listNames(registry, practiceId, [birth]),
        compare(registry, res, birth),
      ]);
      sendPage(req, res, {
        title: BIRTH_TO_REVIEW,
        children: <DecisionPage birth={birth} names={names} compared={compared} />,
      });
    })
    .post(`${PATH}/:id`, DECIDING, async (req, res) => {
      const { id, values } = await findBirth(registry, req, res);
      const owner = toDraftOwner(getSeat(res));
      const name = { form: 'new', draftId: id } as const;
      const begun = await registry.drafts.find(owner, name);
      if (begun?.savedAs !== undefined) {
        // The process died after this person saved it, before it was removed from the list.
        await registry.handedOver.drop(owner.practiceId, id);
        flash(req, 'info', 'You have recorded this birth already.');
        res.redirect(303, `/registry/records/${begun.savedAs}`);
        return;
      }
      // Becomes a draft of the person who decides, and is listed until that form is saved.
      // Reopening keeps their changes.
      if (begun === null) await registry.drafts.save(owner, name, { values, version: null });
      res.redirect(303, `${NEW_BIRTH_PATH}?draft=${id}`);
    })
    .get(`${PATH}/:id/discard`, DECIDING, async (req, res) => {
      const birth = await findBirth(registry, req, res);
      const { chart_number: chartNumber = '' } = birth.values;
      sendPage(req, res, {
        title: 'Discard this birth?',
        children: (
          <Confirm
            action={`${PATH}/${birth.id}/discard`}
            submit="Discard birth"
            cancel={`${PATH}/${birth.id}`}
            destructive
          >
            <p>
              What was entered for {formatTypedMother(birth) ?? 'a mother without a name'}
              {chartNumber === '' ? '' : `, chart number ${chartNumber}`}, is deleted, and nothing
              of it is recorded. No record changes.
            </p>
          </Confirm>
        ),
      });
    })
    .post(`${PATH}/:id/discard`, DECIDING, async (req, res) => {
      const { id } = await findBirth(registry, req, res);
      await noteHandedOverDiscarded(registry, res, id);
      await registry.handedOver.drop(getSeat(res).practiceId, id);
      flash(req, 'success', BIRTH_DISCARDED);
      res.redirect(303, PATH);
    });

const findBirth = async (registry: App, req: Request, res: Response): Promise<HandoffDraft> => {
  const birth = await registry.handedOver.find(getSeat(res).practiceId, String(req.params['id']));
  if (birth === null) throw pageNotFound();
  await noteHandedOverShown(registry, res, [birth.id]);
  return birth;
};

const listNames = (
  registry: App,
  practiceId: string,
  births: readonly HandoffDraft[],
): Promise<ActorNames> =>
  registry.reads.findActorNames(
    practiceId,
    births.map(({ memberId }) => ({ kind: 'member', id: memberId })),
  );

/** Mother's name as typed; `null` if missing. */
const formatTypedMother = ({ values }: HandoffDraft): string | null =>
  [values['mother.given_names'] ?? '', values['mother.family_name'] ?? '']
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .join(' ') || null;

/** Record with the chart number, compared with the input if that can be parsed. */
interface ReviewComparison {
  readonly record: NamedRecord;
  readonly isVoided: boolean;
  readonly beside: ComparedBirths | null;
}

const compare = async (
  registry: App,
  res: Response,
  birth: HandoffDraft,
): Promise<ReviewComparison | null> => {
  const seat = getSeat(res);
  const held = await findRecordWithNumber(registry, seat, birth.values['chart_number'] ?? '');
  if (held === null) return null;
  const [record] = (await loadShownName(registry, res, 'entry', [held.submissionUuid])) ?? [];
  if (record === undefined) return null;
  const customFields = await registry.reads.customFields(seat.practiceId);
  const { timeZone, clock } = seat.practice;
  const typed = parseCourse(birth.values, {
    ...createPracticeClock(timeZone, registry.now(), seat.practice.dateOrder),
    customFields,
    held: null,
    unitIsNamed: false,
  });
  return {
    record,
    isVoided: held.status === 'voided',
    beside:
      typed.kind === 'course'
        ? compareBirths(held.course, typed.course, {
            timeZone,
            clock,
            customFields,
          })
        : null,
  };
};

const findRecordWithNumber = async (
  { log, identity }: App,
  { practiceId }: Seat,
  typedNumber: string,
): Promise<KnownBirthRecord | null> => {
  const chart = readChartNumber(typedNumber.trim());
  if (chart.kind !== 'chart number') return null;
  // Records stored before invisible characters were removed still have them in their chart number.
  for (const number of [chart.cleaned?.asSent, chart.value]) {
    if (number === undefined) continue;
    const stream = recordStream(identity.recordHash(practiceId, number));
    const state = stateAfter(await log.readStream(stream), recordFold);
    if (state.status !== 'none') return state;
  }
  return null;
};

interface BirthsToReview {
  readonly births: readonly HandoffDraft[];
  readonly names: ActorNames;
}

const BirthsToReviewPage = ({ births, names }: BirthsToReview) => (
  <>
    <p>
      A Scribe entered these births under a chart number that belongs to another woman. Scribes do
      not see records, so someone who does decides. Nothing here is recorded yet.
    </p>
    {births.length === 0 ? (
      <EmptyState>{NO_BIRTHS_WAITING}</EmptyState>
    ) : (
      <DataTable
        caption="Births that were handed over, oldest first"
        captionHidden
        rows={births}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: 'Mother',
            namesRow: true,
            cell: (birth) => (
              <a href={`${PATH}/${birth.id}`}>{formatTypedMother(birth) ?? 'Name not entered'}</a>
            ),
          },
          {
            heading: 'Chart number',
            cell: ({ values }) => values['chart_number'] ?? <span class="quiet">Not entered</span>,
          },
          {
            heading: 'Handed over',
            cell: ({ handedAt }) => <Time at={handedAt} />,
          },
          { heading: 'By', cell: ({ memberId }) => describeSender(memberId, names) },
          {
            heading: 'Source',
            cell: ({ isFromFile }) => (isFromFile ? FROM_FILE : 'Form'),
          },
        ]}
      />
    )}
  </>
);

const describeSender = (memberId: string, names: ActorNames) =>
  formatActor({ kind: 'member', id: memberId }, names);

interface Decision {
  readonly birth: HandoffDraft;
  readonly names: ActorNames;
  readonly compared: ReviewComparison | null;
}

const DecisionPage = ({ birth, names, compared }: Decision) => {
  const chartNumber = birth.values['chart_number'] ?? '';
  return (
    <>
      <p>
        {describeSender(birth.memberId, names)} entered the birth of{' '}
        <strong>{formatTypedMother(birth) ?? 'a mother without a name'}</strong> on{' '}
        <Time at={birth.handedAt} />
        {birth.isFromFile ? ', as a row of a file' : ''}. It is kept until{' '}
        <Time at={birth.expiresAt} />, and it is not recorded.
      </p>
      {compared === null ? (
        <p>
          No record of the practice has chart number <strong>{chartNumber}</strong> now.
        </p>
      ) : (
        <>
          <p>
            Chart number <strong>{chartNumber}</strong> is on the{' '}
            {compared.isVoided ? 'voided ' : ''}record of{' '}
            <RecordLink id={compared.record.submissionUuid}>
              {formatMother(compared.record)}
            </RecordLink>
            .
          </p>
          {compared.beside !== null && <SideBySide beside={compared.beside} sent="Entered" />}
        </>
      )}
      <Form action={`${PATH}/${birth.id}`} class="buttons margin-top-3">
        <button type="submit" class="usa-button">
          Open in the form
        </button>
        <a class="usa-button usa-button--outline" href={`${PATH}/${birth.id}/discard`}>
          Discard
        </a>
      </Form>
      <p class="quiet">
        In the form you can change the chart number, or replace the other record once you have
        confirmed it.
      </p>
    </>
  );
};
