import { randomUUID } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { listMergeChoices, toMergeableCourse } from '../../../domain/birth-record/merge-records.ts';
import type { Actor } from '../../../domain/event-log.ts';
import type { PairIds, PairRecord, SuspectedPair } from '../../../projections/lists/duplicates.ts';
import type { Seat } from '../../access/signed-in.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import type { App } from '../../ports/app-ports.ts';
import {
  dismissDuplicate,
  restoreDuplicateFlag,
  voidRecord,
} from '../../record-commands/change-record.ts';
import { mergeRecords } from '../../record-commands/merge-records.ts';
import { readFormText, readQueryText } from '../../web/form-body.ts';
import { getSeat, requireRole } from '../../web/guards/seats.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { redirectGet } from '../../web/redirect-get.ts';
import { flash } from '../../web/session/flash.ts';
import { nullIfLeaseUnavailable } from '../../writes/null-if-lease-unavailable.ts';
import { EmptyState } from '../layout/empty-state.tsx';
import { type FieldError, toFieldError } from '../layout/field-errors.ts';
import { BUSY } from '../layout/flash-messages.tsx';
import { sendPage } from '../layout/send-page.tsx';
import { VoidPage } from '../records/change/void-page.tsx';
import { loadRecordToChange } from '../records/record-params.ts';
import { buildComparedRows } from './compared-rows.ts';
import { DismissedPairs } from './dismissed-pairs.tsx';
import { buildLabel, getChoiceField, MergePage, type MergePageProps } from './merge-page.tsx';
import { buildPairPath, formatRecordName, formatShortName, PairPage } from './pair-page.tsx';

const DECIDERS = requireRole('Admin', 'Provider');
const PLACE = '/registry/duplicates';
const DAY_MS = 24 * 60 * 60_000;
const UNDONE_WITHIN_DAYS = 90;
const MAX_DISMISSED = 100;

/** Shown to the second of two people who decide on a pair. */
export const DECIDED =
  'This pair is decided already, or one of its records was voided. Nothing was changed now.';
/** Shown if the pair in the address is already decided. */
export const NOT_OPEN = 'That pair is no longer open.';
/** Shown if there are no pairs. */
export const NO_DUPLICATES =
  'No suspected duplicates. New ones appear here when two records have the same mother’s name and time of birth.';

export const describeDismissal = (older: string, newer: string): string =>
  `${older} and ${newer} are marked as different births. You can undo it below.`;

/** Describes a record that was changed before it could be voided. */
export const describeChange = (record: string): string =>
  `${record} was changed by someone else meanwhile, so it was not voided. Look at the pair again.`;

export const describeVoid = (record: string): string => `${record} was voided.`;

export const describeMerge = (other: string, kept: string): string =>
  `${other} was merged into ${kept} and voided.`;

/** Match candidates, one pair at a time, and dismissed matches. */
export const duplicatesRouter = (registry: App): Router =>
  Router()
    .get(PLACE, DECIDERS, (req, res) => sendNextPair(registry, req, res))
    .get(`${PLACE}/different`, DECIDERS, redirectGet(PLACE))
    .post(`${PLACE}/different`, DECIDERS, (req, res) => markAsDifferent(registry, req, res))
    .get(`${PLACE}/undo`, DECIDERS, redirectGet(PLACE))
    .post(`${PLACE}/undo`, DECIDERS, (req, res) => undo(registry, req, res))
    .get(`${PLACE}/void`, DECIDERS, async (req, res) => {
      const ids = { newer: readQueryText(req, 'newer'), older: readQueryText(req, 'older') };
      const pair = await registry.reads.loadSuspectedPair(getSeat(res).practiceId, ids);
      if (pair === null) throw pageNotFound();
      const { meant: voided, rest: kept } = findSides(pair, readQueryText(req, 'void'));
      const reason = kept.chartNumber === null ? '' : `Duplicate of ${kept.chartNumber}`;
      await sendVoid(registry, req, res, { pair, voided, kept, reason, errors: [] });
    })
    .post(`${PLACE}/void`, DECIDERS, (req, res) => voidDuplicate(registry, req, res))
    .get(`${PLACE}/merge`, DECIDERS, async (req, res) => {
      const ids = { newer: readQueryText(req, 'newer'), older: readQueryText(req, 'older') };
      const pair = await registry.reads.loadSuspectedPair(getSeat(res).practiceId, ids);
      if (pair === null) throw pageNotFound();
      const { meant: kept, rest: other } = findSides(pair, readQueryText(req, 'keep'));
      await sendMerge(registry, req, res, {
        pair,
        kept,
        other,
        submissionId: randomUUID(),
        answers: null,
        errors: [],
      });
    })
    .post(`${PLACE}/merge`, DECIDERS, (req, res) => merge(registry, req, res));

const sendNextPair = async (registry: App, req: Request, res: Response): Promise<void> => {
  const seat = getSeat(res);
  const { practiceId } = seat;
  const since = new Date(registry.now().getTime() - UNDONE_WITHIN_DAYS * DAY_MS);
  const [suspected, dismissed] = await Promise.all([
    registry.reads.listSuspected(practiceId),
    registry.reads.listDismissed(practiceId, since, MAX_DISMISSED),
  ]);
  const record = readQueryText(req, 'record');
  const like = readQueryText(req, 'like');
  const asked = suspected.findIndex(
    ({ newer, older }) => newer === record && (like === '' || older === like),
  );
  // Unlisted pairs are found by both record ids.
  const unlisted =
    asked === -1
      ? await registry.reads.loadSuspectedPair(practiceId, { newer: record, older: like })
      : null;
  if (record !== '' && asked === -1 && unlisted === null) {
    const [next] = suspected;
    flash(req, 'info', next === undefined ? NOT_OPEN : `${NOT_OPEN} This is the next one.`);
    // Puts the substituted pair in the address, so that people only decide on a pair that they have
    // seen.
    res.redirect(303, next === undefined ? PLACE : buildPairPath(next));
    return;
  }
  const at = Math.max(0, asked);
  const listed = unlisted === null ? suspected[at] : undefined;
  const pair =
    listed === undefined ? unlisted : await registry.reads.loadSuspectedPair(practiceId, listed);
  const names = await registry.reads.findActorNames(practiceId, [
    ...dismissed.map(({ actor }) => actor),
    ...(pair === null ? [] : [pair.older.actor, pair.newer.actor]),
  ]);
  const nameOf = ({ kind, id }: Actor) => {
    const known = names.get(`${kind}:${id}`);
    return known?.partner ?? known?.name ?? null;
  };
  await noteRecordsShown(registry, res, {
    place: 'duplicates',
    recordIds: [...(pair === null ? [] : [pair]), ...dismissed].flatMap(({ older, newer }) => [
      older.submissionUuid,
      newer.submissionUuid,
    ]),
  });
  const next = suspected.length > 1 ? (suspected[(at + 1) % suspected.length] ?? null) : null;
  const words = pair === null ? null : await buildValueContext(registry, seat, pair);
  sendPage(req, res, {
    title: 'Duplicates',
    children: (
      <>
        {pair === null || words === null ? (
          <EmptyState links={[{ href: '/registry/records', text: 'Show all records' }]}>
            {NO_DUPLICATES}
          </EmptyState>
        ) : (
          <PairPage
            pair={{
              ...pair,
              older: { ...pair.older, writtenBy: nameOf(pair.older.actor) },
              newer: { ...pair.newer, writtenBy: nameOf(pair.newer.actor) },
            }}
            groups={buildComparedRows(pair, words.listed, words)}
            place={listed === undefined ? null : at + 1}
            left={suspected.length}
            next={next}
          />
        )}
        <DismissedPairs
          pairs={dismissed.map((one) => ({ ...one, by: nameOf(one.actor) }))}
          days={UNDONE_WITHIN_DAYS}
        />
      </>
    ),
  });
};

/** Pair in a form. */
const readIds = (req: Request): PairIds => ({
  newer: readFormText(req, 'newer'),
  older: readFormText(req, 'older'),
});

/** Labels and names for both records of a pair. */
const buildValueContext = async (
  registry: App,
  { practiceId, practice: { timeZone, clock } }: Seat,
  { older, newer }: SuspectedPair,
) => {
  const providerIds = [older, newer].flatMap(({ course: { attendant, certifier } }) =>
    [attendant, certifier].filter((id) => id !== null),
  );
  const [providers, customFields] = await Promise.all([
    registry.reads.findProviderNames(practiceId, providerIds),
    registry.reads.customFields(practiceId),
  ]);
  return {
    timeZone,
    clock,
    providerName: (id: string) => providers.get(id)?.name ?? null,
    customFields: new Map(customFields.map((field) => [field.fieldId, field])),
    listed: customFields,
  };
};

const markAsDifferent = async (registry: App, req: Request, res: Response): Promise<void> => {
  const ids = readIds(req);
  const pair = await registry.reads.loadSuspectedPair(getSeat(res).practiceId, ids);
  if (pair === null) {
    flash(req, 'info', DECIDED);
    res.redirect(303, PLACE);
    return;
  }
  const changed = await nullIfLeaseUnavailable(
    dismissDuplicate(registry, loadRecordToChange(res, ids.newer), ids.older),
  );
  if (changed === null) {
    flash(req, 'warning', BUSY);
    res.redirect(303, buildPairPath(ids));
    return;
  }
  if (changed.kind === 'done')
    flash(
      req,
      'success',
      describeDismissal(formatShortName(pair.older), formatShortName(pair.newer)),
    );
  else flash(req, 'info', DECIDED);
  res.redirect(303, PLACE);
};

const undo = async (registry: App, req: Request, res: Response): Promise<void> => {
  const ids = readIds(req);
  const changed = await nullIfLeaseUnavailable(
    restoreDuplicateFlag(registry, loadRecordToChange(res, ids.newer), ids.older),
  );
  if (changed === null) flash(req, 'warning', BUSY);
  else if (changed.kind === 'done')
    flash(req, 'success', 'The two records are suspected duplicates again.');
  else if (changed.kind === 'no-such-record') throw pageNotFound();
  else flash(req, 'info', 'This cannot be undone any more: a record of the pair was voided.');
  res.redirect(303, changed?.kind === 'done' ? buildPairPath(ids) : PLACE);
};

/**
 * Requested record of a pair, and the other one.
 * @throws PageProblem 404
 */
const findSides = ({ older, newer }: SuspectedPair, id: string) => {
  if (id === older.submissionUuid) return { meant: older, rest: newer };
  if (id === newer.submissionUuid) return { meant: newer, rest: older };
  throw pageNotFound();
};

interface VoidView {
  readonly pair: SuspectedPair;
  readonly voided: PairRecord;
  readonly kept: PairRecord;
  readonly reason: string;
  readonly errors: readonly FieldError[];
}

const sendVoid = async (
  registry: App,
  req: Request,
  res: Response,
  view: VoidView,
): Promise<void> => {
  const { pair, voided, kept } = view;
  const ids = { newer: pair.newer.submissionUuid, older: pair.older.submissionUuid };
  await noteRecordsShown(registry, res, {
    place: 'void-form',
    recordIds: [voided.submissionUuid, kept.submissionUuid],
  });
  sendPage(req, res, {
    title: `Void ${view.voided.chartNumber ?? 'the record'}`,
    tabTitle: 'Void a record',
    hasErrors: view.errors.length > 0,
    children: (
      <VoidPage
        course={voided.course}
        version={voided.version}
        practice={getSeat(res).practice.name}
        href={buildPairPath(ids)}
        action={`${PLACE}/void`}
        fields={{ newer: ids.newer, older: ids.older, void: voided.submissionUuid }}
        kept={formatRecordName(kept)}
        reason={view.reason}
        errors={view.errors}
      />
    ),
  });
};

const voidDuplicate = async (registry: App, req: Request, res: Response): Promise<void> => {
  const ids = readIds(req);
  const pair = await registry.reads.loadSuspectedPair(getSeat(res).practiceId, ids);
  if (pair === null) {
    flash(req, 'info', DECIDED);
    res.redirect(303, PLACE);
    return;
  }
  const { meant: voided, rest: kept } = findSides(pair, readFormText(req, 'void'));
  const reason = readFormText(req, 'reason');
  const changed = await nullIfLeaseUnavailable(
    voidRecord(registry, loadRecordToChange(res, voided.submissionUuid), {
      reason,
      version: Number(readFormText(req, 'version')),
    }),
  );
  switch (changed?.kind) {
    case undefined:
      return sendVoid(registry, req, res, {
        pair,
        voided,
        kept,
        reason,
        errors: [{ field: 'reason', id: 'busy', message: BUSY }],
      });
    case 'refused':
      return sendVoid(registry, req, res, {
        pair,
        voided,
        kept,
        reason,
        errors: [toFieldError('reason', changed)],
      });
    case 'no-such-record':
      throw pageNotFound();
    case 'changed-concurrently':
      flash(req, 'warning', describeChange(formatRecordName(voided)));
      return res.redirect(303, buildPairPath(ids));
    case 'done':
      flash(req, 'success', describeVoid(formatRecordName(voided)));
      return res.redirect(303, PLACE);
  }
};

type MergeView = Pick<
  MergePageProps,
  'pair' | 'kept' | 'other' | 'submissionId' | 'answers' | 'errors'
>;

const sendMerge = async (
  registry: App,
  req: Request,
  res: Response,
  view: MergeView,
): Promise<void> => {
  const seat = getSeat(res);
  const words = await buildValueContext(registry, seat, view.pair);
  await noteRecordsShown(registry, res, {
    place: 'duplicates',
    recordIds: [view.kept.submissionUuid, view.other.submissionUuid],
  });
  sendPage(req, res, {
    title: 'Merge two records',
    hasErrors: view.errors.length > 0,
    children: (
      <MergePage
        {...view}
        other={{ ...view.other, course: toMergeableCourse(view.kept, view.other) }}
        choices={listMergeChoices(view.kept, view.other)}
        words={words}
        practice={seat.practice.name}
      />
    ),
  });
};

const merge = async (registry: App, req: Request, res: Response): Promise<void> => {
  const ids = readIds(req);
  const { practiceId } = getSeat(res);
  const pair = await registry.reads.loadSuspectedPair(practiceId, ids);
  if (pair === null) {
    flash(req, 'info', DECIDED);
    res.redirect(303, PLACE);
    return;
  }
  const { meant: kept, rest: other } = findSides(pair, readFormText(req, 'keep'));
  const choices = listMergeChoices(kept, other);
  const answers = Object.fromEntries(
    choices.map((choice) => [getChoiceField(choice), readFormText(req, getChoiceField(choice))]),
  );
  const submissionId = readFormText(req, 'submission');
  const sendBack = (errors: readonly FieldError[]) =>
    sendMerge(registry, req, res, { pair, kept, other, submissionId, answers, errors });
  const words = await buildValueContext(registry, getSeat(res), pair);
  const undecided = choices.filter(
    (choice) =>
      choice.isConflict && !['kept', 'other'].includes(answers[getChoiceField(choice)] ?? ''),
  );
  if (undecided.length > 0) {
    await sendBack(
      undecided.map((choice) => ({
        field: getChoiceField(choice),
        id: 'undecided',
        message: `${buildLabel(choice, { kept, other, words })}: choose which value is right.`,
      })),
    );
    return;
  }
  const { actor, correlationId } = loadRecordToChange(res, kept.submissionUuid);
  const merged = await nullIfLeaseUnavailable(
    mergeRecords(registry, {
      practiceId,
      actor,
      correlationId,
      submissionId,
      kept: { ...kept, version: Number(readFormText(req, 'kept_version')) },
      other: { ...other, version: Number(readFormText(req, 'other_version')) },
      taken: choices
        .filter((choice) => answers[getChoiceField(choice)] === 'other')
        .map(({ path }) => path),
      reason: `Same birth as ${kept.chartNumber ?? 'a record without chart number'}, and merged into it`,
    }),
  );
  switch (merged?.kind) {
    case undefined:
      return sendBack([{ field: 'keep', id: 'busy', message: BUSY }]);
    case 'refused':
      return sendBack([toFieldError('keep', merged)]);
    case 'no-such-record':
      throw pageNotFound();
    case 'changed-concurrently':
      flash(
        req,
        'warning',
        'One of the two records was changed by someone else meanwhile, so they were not merged. Look at the pair again.',
      );
      return res.redirect(303, buildPairPath(ids));
    case 'done':
      flash(req, 'success', describeMerge(formatRecordName(other), formatRecordName(kept)));
      return res.redirect(303, PLACE);
  }
};
