import { randomUUID } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import { listMergeChoices, toMergeableCourse } from '../../../domain/birth-record/merge-records.ts';
import type { Actor } from '../../../domain/event-log.ts';
import type { PairIds, SuspectedPair } from '../../../projections/lists/duplicates.ts';
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
import { getSeat, requireAdminOrProvider } from '../../web/guards/seats.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { nullIfLeaseUnavailable } from '../../writes/null-if-lease-unavailable.ts';
import { EmptyState } from '../layout/empty-state.tsx';
import { type FieldError, toFieldError } from '../layout/field-errors.ts';
import { BUSY, buildBusyError } from '../layout/flash-messages.tsx';
import { buildRecordToChange } from '../layout/record-params.ts';
import { action, createRouter, page, post, type Reply, redirect } from '../layout/routes.tsx';
import { VoidPage } from '../parts/void-page.tsx';
import { buildPairPath } from '../paths.ts';
import { buildCourseContext } from '../text/course-values.ts';
import { uncapitalize } from '../text/text-case.ts';
import { buildComparedRows } from './compared-rows.ts';
import { DismissedPairs } from './dismissed-pairs.tsx';
import { buildLabel, getChoiceField, MergePage, type MergePageProps } from './merge-page.tsx';
import { formatRecordName, formatShortName, PairPage } from './pair-page.tsx';

const PLACE = '/registry/duplicates';
const DAY_MS = 24 * 60 * 60_000;
const UNDONE_WITHIN_DAYS = 90;
const MAX_DISMISSED = 100;

export const DECIDED =
  'Someone has already decided on this pair, or one of its records was voided. Nothing was changed.';
export const NOT_OPEN = 'That pair is no longer open.';
export const NO_DUPLICATES =
  'No possible duplicates. A pair appears here when two records have the same mother’s name and time of birth.';

export const describeDismissal = (older: string, newer: string): string =>
  `${older} and ${newer} were marked as not a duplicate. You can undo this below.`;

export const describeChange = (record: string): string =>
  `Someone else changed ${uncapitalize(record)}, so it was not voided. Review the pair again.`;

export const describeVoid = (record: string): string => `${record} was voided.`;

export const describeMerge = (other: string, survivor: string): string =>
  `${other} was merged into ${survivor} and voided.`;

/** Match candidates, one pair at a time, and dismissed matches. */
export const duplicatesRouter = (app: App): Router =>
  createRouter(
    page(PLACE, requireAdminOrProvider, (req, res) => showNextPair(app, req, res)),
    action(`${PLACE}/different`, requireAdminOrProvider, PLACE, (req, res) =>
      markAsDifferent(app, req, res),
    ),
    action(`${PLACE}/undo`, requireAdminOrProvider, PLACE, (req, res) => undo(app, req, res)),
    page(`${PLACE}/void`, requireAdminOrProvider, async (req, res) => {
      const pair = await loadPair(app, res, readIds(req, readQueryText));
      if (pair === null) throw pageNotFound();
      const sides = findSides(pair, readQueryText(req, 'void'));
      const { chartNumber } = sides.other;
      const reason = chartNumber === null ? '' : `Duplicate of ${chartNumber}`;
      return showVoid(app, res, pair, sides, reason);
    }),
    post(`${PLACE}/void`, requireAdminOrProvider, (req, res) => voidDuplicate(app, req, res)),
    page(`${PLACE}/merge`, requireAdminOrProvider, async (req, res) => {
      const pair = await loadPair(app, res, readIds(req, readQueryText));
      if (pair === null) throw pageNotFound();
      const { selected: survivor, other } = findSides(pair, readQueryText(req, 'keep'));
      const submissionId = randomUUID();
      return showMerge(app, res, { pair, survivor, other, submissionId, answers: null });
    }),
    post(`${PLACE}/merge`, requireAdminOrProvider, (req, res) => merge(app, req, res)),
  );

const loadPair = ({ reads }: App, res: Response, ids: PairIds): Promise<SuspectedPair | null> =>
  reads.loadSuspectedPair(getSeat(res).practiceId, ids);

const showNextPair = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const seat = getSeat(res);
  const { practiceId } = seat;
  const since = new Date(app.now().getTime() - UNDONE_WITHIN_DAYS * DAY_MS);
  const [suspected, dismissed] = await Promise.all([
    app.reads.listSuspected(practiceId),
    app.reads.listDismissed(practiceId, since, MAX_DISMISSED),
  ]);
  const record = readQueryText(req, 'record');
  const like = readQueryText(req, 'like');
  const requested = suspected.findIndex(
    ({ newer, older }) => newer === record && (like === '' || older === like),
  );
  // Unlisted pairs are found by both record ids.
  const unlisted =
    requested === -1 ? await loadPair(app, res, { newer: record, older: like }) : null;
  if (record !== '' && requested === -1 && unlisted === null) {
    const [next] = suspected;
    // Puts the substituted pair in the address, so that people only decide on a pair that they have
    // seen.
    return next === undefined
      ? redirect(PLACE, NOT_OPEN, 'info')
      : redirect(buildPairPath(next), `${NOT_OPEN} Here is the next one.`, 'info');
  }
  const at = Math.max(0, requested);
  const listed = unlisted === null ? suspected[at] : undefined;
  const pair = listed === undefined ? unlisted : await loadPair(app, res, listed);
  const names = await app.reads.findActorNames(practiceId, [
    ...dismissed.map(({ actor }) => actor),
    ...(pair === null ? [] : [pair.older.actor, pair.newer.actor]),
  ]);
  const findName = ({ kind, id }: Actor) => {
    const known = names.get(`${kind}:${id}`);
    return known?.partner ?? known?.name ?? null;
  };
  await noteRecordsShown(app, res, {
    place: 'duplicates',
    recordIds: [...(pair === null ? [] : [pair]), ...dismissed].flatMap(({ older, newer }) => [
      older.submissionUuid,
      newer.submissionUuid,
    ]),
  });
  const next = suspected.length > 1 ? (suspected[(at + 1) % suspected.length] ?? null) : null;
  const words = pair === null ? null : await loadContext(app, seat, pair);
  return {
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
              older: { ...pair.older, writtenBy: findName(pair.older.actor) },
              newer: { ...pair.newer, writtenBy: findName(pair.newer.actor) },
            }}
            groups={buildComparedRows(pair, words.listed, words)}
            place={listed === undefined ? null : at + 1}
            left={suspected.length}
            next={next}
            recordsAlike={listed?.recordsAlike ?? 1}
            nextGroup={
              suspected.find(({ older }, index) => index > at && older !== listed?.older) ?? null
            }
          />
        )}
        <DismissedPairs
          pairs={dismissed.map((one) => ({ ...one, by: findName(one.actor) }))}
          days={UNDONE_WITHIN_DAYS}
        />
      </>
    ),
  };
};

const readIds = (req: Request, readText: (req: Request, name: string) => string): PairIds => ({
  newer: readText(req, 'newer'),
  older: readText(req, 'older'),
});

const loadContext = async (
  app: App,
  { practiceId, practice: { timeZone, clock } }: Seat,
  { older, newer }: SuspectedPair,
) => {
  const providerIds = [older, newer].flatMap(({ course: { attendant, certifier } }) =>
    [attendant, certifier].filter((id) => id !== null),
  );
  const [providers, customFields] = await Promise.all([
    app.reads.findProviderNames(practiceId, providerIds),
    app.reads.listCustomFields(practiceId),
  ]);
  return {
    ...buildCourseContext({ timeZone, clock, customFields, providers }),
    listed: customFields,
  };
};

const markAsDifferent = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const ids = readIds(req, readFormText);
  const pair = await loadPair(app, res, ids);
  if (pair === null) return redirect(PLACE, DECIDED, 'info');
  const changed = await nullIfLeaseUnavailable(
    dismissDuplicate(app, buildRecordToChange(res, ids.newer), ids.older),
  );
  if (changed === null) return redirect(buildPairPath(ids), BUSY, 'warning');
  return changed.kind === 'done'
    ? redirect(PLACE, describeDismissal(formatShortName(pair.older), formatShortName(pair.newer)))
    : redirect(PLACE, DECIDED, 'info');
};

const undo = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const ids = readIds(req, readFormText);
  const changed = await nullIfLeaseUnavailable(
    restoreDuplicateFlag(app, buildRecordToChange(res, ids.newer), ids.older),
  );
  if (changed === null) return redirect(PLACE, BUSY, 'warning');
  if (changed.kind === 'no-such-record') throw pageNotFound();
  return changed.kind === 'done'
    ? redirect(buildPairPath(ids), 'The two records are possible duplicates again.')
    : redirect(
        PLACE,
        'You can no longer undo this, because one of the records was voided.',
        'info',
      );
};

/** @throws PageProblem 404 */
const findSides = ({ older, newer }: SuspectedPair, id: string) => {
  if (id === older.submissionUuid) return { selected: older, other: newer };
  if (id === newer.submissionUuid) return { selected: newer, other: older };
  throw pageNotFound();
};

const showVoid = async (
  app: App,
  res: Response,
  { newer, older }: SuspectedPair,
  { selected, other }: ReturnType<typeof findSides>,
  reason: string,
  errors: readonly FieldError[] = [],
): Promise<Reply> => {
  const ids = { newer: newer.submissionUuid, older: older.submissionUuid };
  await noteRecordsShown(app, res, {
    place: 'void-form',
    recordIds: [selected.submissionUuid, other.submissionUuid],
  });
  return {
    title: `Void ${selected.chartNumber ?? 'the record'}`,
    tabTitle: 'Void a record',
    errors,
    children: (
      <VoidPage
        course={selected.course}
        version={selected.version}
        practice={getSeat(res).practice.name}
        href={buildPairPath(ids)}
        action={`${PLACE}/void`}
        fields={{ ...ids, void: selected.submissionUuid }}
        survivorName={formatRecordName(other)}
        reason={reason}
      />
    ),
  };
};

const voidDuplicate = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const ids = readIds(req, readFormText);
  const pair = await loadPair(app, res, ids);
  if (pair === null) return redirect(PLACE, DECIDED, 'info');
  const sides = findSides(pair, readFormText(req, 'void'));
  const { selected } = sides;
  const reason = readFormText(req, 'reason');
  const changed = await nullIfLeaseUnavailable(
    voidRecord(app, buildRecordToChange(res, selected.submissionUuid), {
      reason,
      version: Number(readFormText(req, 'version')),
    }),
  );
  switch (changed?.kind) {
    case undefined:
      return showVoid(app, res, pair, sides, reason, [buildBusyError('reason')]);
    case 'refused':
      return showVoid(app, res, pair, sides, reason, [toFieldError('reason', changed)]);
    case 'no-such-record':
      throw pageNotFound();
    case 'changed-concurrently':
      return redirect(buildPairPath(ids), describeChange(formatRecordName(selected)), 'warning');
    case 'done':
      return redirect(PLACE, describeVoid(formatRecordName(selected)));
  }
};

const showMerge = async (
  app: App,
  res: Response,
  view: Pick<MergePageProps, 'pair' | 'survivor' | 'other' | 'submissionId' | 'answers'>,
  errors: readonly FieldError[] = [],
): Promise<Reply> => {
  const seat = getSeat(res);
  const { pair, survivor, other } = view;
  const words = await loadContext(app, seat, pair);
  await noteRecordsShown(app, res, {
    place: 'duplicates',
    recordIds: [survivor.submissionUuid, other.submissionUuid],
  });
  return {
    title: 'Merge two records',
    errors,
    children: (
      <MergePage
        {...view}
        other={{ ...other, course: toMergeableCourse(survivor, other) }}
        choices={listMergeChoices(survivor, other)}
        words={words}
        practice={seat.practice.name}
      />
    ),
  };
};

const merge = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const ids = readIds(req, readFormText);
  const pair = await loadPair(app, res, ids);
  if (pair === null) return redirect(PLACE, DECIDED, 'info');
  const { selected: survivor, other } = findSides(pair, readFormText(req, 'keep'));
  const choices = listMergeChoices(survivor, other);
  const answers = Object.fromEntries(
    choices.map((choice) => [getChoiceField(choice), readFormText(req, getChoiceField(choice))]),
  );
  const submissionId = readFormText(req, 'submission');
  const showAgain = (errors: readonly FieldError[]) =>
    showMerge(app, res, { pair, survivor, other, submissionId, answers }, errors);
  const undecided = choices.filter(
    (choice) =>
      choice.isConflict && !['kept', 'other'].includes(answers[getChoiceField(choice)] ?? ''),
  );
  if (undecided.length > 0) {
    const words = await loadContext(app, getSeat(res), pair);
    return showAgain(
      undecided.map((choice) => ({
        field: getChoiceField(choice),
        id: 'undecided',
        message: `${buildLabel(choice, { survivor, other, words })}: choose which value is right.`,
      })),
    );
  }
  const { submissionUuid: _survivorId, ...changer } = buildRecordToChange(
    res,
    survivor.submissionUuid,
  );
  const merged = await nullIfLeaseUnavailable(
    mergeRecords(app, {
      ...changer,
      submissionId,
      survivor: { ...survivor, version: Number(readFormText(req, 'kept_version')) },
      other: { ...other, version: Number(readFormText(req, 'other_version')) },
      taken: choices
        .filter((choice) => answers[getChoiceField(choice)] === 'other')
        .map(({ path }) => path),
      reason: `Same birth as ${survivor.chartNumber ?? 'a record with no chart number'}, and merged into it`,
    }),
  );
  switch (merged?.kind) {
    case undefined:
      return showAgain([buildBusyError('keep')]);
    case 'refused':
      return showAgain([toFieldError('keep', merged)]);
    case 'no-such-record':
      throw pageNotFound();
    case 'changed-concurrently':
      return redirect(
        buildPairPath(ids),
        'Someone else changed one of the two records, so they were not merged. Review the pair again.',
        'warning',
      );
    case 'done':
      return redirect(PLACE, describeMerge(formatRecordName(other), formatRecordName(survivor)));
  }
};
