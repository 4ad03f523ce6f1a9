import type { Request, Response } from 'express';
import type { FieldMessage } from '../../../domain/course/field-messages.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { TextSettings } from '../../../domain/mapping/form/convert-texts.ts';
import type { DraftEdition } from '../../../domain/mapping/form/drafts.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import { type ParsedCourse, parseCourse } from '../../../domain/mapping/form/parse-course.ts';
import type {
  Prefill,
  PrefillReview,
  SavedPrefill,
} from '../../../domain/mapping/us-core/prefill.ts';
import { buildPrefilledCourse } from '../../../domain/mapping/us-core/prefilled-course.ts';
import type { Seat } from '../../access/signed-in.ts';
import type { App } from '../../ports/app-ports.ts';
import { createOffsetAt, createPracticeClock } from '../../practice-time/practice-clock.ts';
import { getEhrBrowser } from '../../web/ehr-browser.ts';
import { readFormText } from '../../web/form-body.ts';
import { getSignedIn } from '../../web/session/signed-in-session.ts';
import { readEdition } from '../parts/birth-form/form/entry.ts';
import { addFirstChild, readPostedValues } from '../parts/birth-form/form/form-values.ts';
import {
  convertForm,
  readSettings,
  toTextSettings,
} from '../parts/birth-form/form/text-settings.ts';
import { DEFAULT_TIME_FORMAT, type TimeFormat } from '../text/format-times.ts';
import { buildPickedName, buildPickName, NONE, TYPED } from './ehr-beside.tsx';
import {
  buildEhrCandidates,
  type EhrCandidate,
  type EhrCandidates,
  findCurrentCandidate,
  listOfferedValues,
  readChoices,
} from './ehr-candidates.ts';
import { buildPrefill, parseChartRole, type SelectedCharts } from './prefill-place.ts';

export interface PostedReview extends SelectedCharts {
  readonly prefill: Prefill;
  readonly candidates: EhrCandidates;
  /** Values in the time zone and date order of the practice, converted if the page was opened with others. */
  readonly values: FormValues;
  readonly typedUnder: TextSettings;
  /** Errors for fields where a person both chose an EHR value and typed another. */
  readonly unclear: readonly FieldMessage[];
  readonly customFields: readonly CustomField[];
  /** Stored review on which it is based; `null` for a page of 0.2. */
  readonly edition: DraftEdition | null;
}

/** Member who sent a request; `null` for a visitor or service staff. */
export const toMember = (res: Response): Seat | null => {
  const who = getSignedIn(res);
  return who?.kind === 'member' ? who : null;
};

/** Time format of the practice, or the default until the practice is known. */
export const getTimeFormat = (res: Response): TimeFormat =>
  toMember(res)?.practice ?? { ...DEFAULT_TIME_FORMAT, namesZone: getSignedIn(res) === null };

/** Time zone of the practice, or the default until the practice is known. */
export const getTimeZone = (res: Response): string => getTimeFormat(res).timeZone;

const getTextSettings = (res: Response): TextSettings =>
  toTextSettings({
    timeZone: getTimeZone(res),
    dateOrder: toMember(res)?.practice.dateOrder,
  });

/** Custom fields of the practice; empty until the practice is known. */
export const listCustomFields = async (
  app: App,
  res: Response,
): Promise<readonly CustomField[]> => {
  const seat = toMember(res);
  return seat === null ? [] : app.reads.listCustomFields(seat.practiceId);
};

export const readReview = async (
  app: App,
  req: Request,
  res: Response,
  primary: SavedPrefill,
): Promise<PostedReview> => {
  const as = parseChartRole(readFormText(req, 'as')) ?? primary.chart.launched ?? 'mother';
  const { timeZone } = getTextSettings(res);
  const ids = readFormText(req, 'with').split(' ');
  const charts = { primary, as, others: await readAddedCharts(app, req, timeZone, ids) };
  const from = readSettings(req) ?? getTextSettings(res);
  // The values and choices of a form are those of its page, which may have stated another zone.
  const current = readCharts(charts, timeZone);
  const { prefill, candidates } =
    from.timeZone === timeZone ? current : await readChartsAgain(app, req, charts, from.timeZone);
  const clock = createPracticeClock(from.timeZone, app.now(), from.dateOrder);
  const customFields = await listCustomFields(app, res);
  const initialValues = listOfferedValues(prefill, clock.offsetAt);
  const posted = addFirstChild(readPostedValues(req, customFields, initialValues, clock));
  const values: Record<string, string> = { ...posted };
  const unclear: FieldMessage[] = [];
  for (const [key, offered] of candidates) {
    if (offered.length < 2 || values[key] === undefined) continue;
    const picked = readPickedText(req, key, offered, values[key]);
    if (picked === null) unclear.push({ path: key, id: 'two-values', message: BOTH_MESSAGE });
    else values[key] = picked;
    if (picked === null || picked.trim() !== '') continue;
    if (readFormText(req, buildPickName(key)) === NONE) values[buildPickName(key)] = NONE;
    else unclear.push({ path: key, id: 'value-not-chosen', message: CONFLICT_MESSAGE });
  }
  return {
    ...charts,
    ...current,
    values: await convertReview(app, req, res, charts, { values, typedUnder: from }),
    typedUnder: getTextSettings(res),
    unclear,
    customFields,
    edition: readEdition(req),
  };
};

type ReadCharts = Pick<PostedReview, 'prefill' | 'candidates'>;

const readCharts = (charts: SelectedCharts, timeZone: string): ReadCharts => {
  const prefill = buildPrefill(charts);
  return { prefill, candidates: buildEhrCandidates(prefill, createOffsetAt(timeZone)) };
};

/** Charts of a review as they are read in another time zone. */
const readChartsAgain = async (
  ports: Pick<App, 'prefills'>,
  req: Request,
  { primary, as, others }: SelectedCharts,
  timeZone: string,
): Promise<ReadCharts> => {
  const ids = [primary, ...others].map(({ prefillId }) => prefillId);
  const [first = primary, ...rest] = await readAddedCharts(ports, req, timeZone, ids);
  return readCharts({ primary: first, as, others: rest }, timeZone);
};

/** Values of a review, converted if it was typed before the sign-in to a practice with other settings. */
export const convertReview = async (
  app: App,
  req: Request,
  res: Response,
  charts: SelectedCharts,
  { values, typedUnder: from }: Pick<PrefillReview, 'values' | 'typedUnder'>,
): Promise<FormValues> => {
  const to = getTextSettings(res);
  if (from === undefined || from.timeZone === to.timeZone)
    return convertForm(values, { from, to, now: app.now() });
  const before = await readChartsAgain(app, req, charts, from.timeZone);
  const after = readCharts(charts, to.timeZone);
  const listInitialValues = (settings: TextSettings): FormValues =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, text]) => {
        const offered = before.candidates.get(key) ?? [];
        const current = offered[findCurrentCandidate(offered, text)];
        if (current === undefined) return [];
        const next = after.candidates.get(key)?.find(({ index }) => index === current.index);
        return [[key, settings === from ? text : (next?.text ?? text)] as const];
      }),
    );
  return convertForm(values, { from, to, now: app.now(), listInitialValues });
};

/** Pre-fills that were added to another one; omits deleted ones. */
export const readAddedCharts = async (
  { prefills }: Pick<App, 'prefills'>,
  req: Request,
  timeZone: string,
  prefillIds: readonly string[],
): Promise<readonly SavedPrefill[]> => {
  const browser = getEhrBrowser(req) ?? '';
  const found = await Promise.all(
    prefillIds.map((prefillId) => prefills.find(browser, prefillId, timeZone)),
  );
  return found.filter((prefill) => prefill !== null);
};

const CONFLICT_MESSAGE =
  'The EHR has conflicting values here. Choose one, or type the right value.';

const BOTH_MESSAGE =
  'You typed one value here and chose another from the EHR. To use the EHR’s value, choose it again. To keep what you typed, save again.';

/**
 * Value of a field after the choice of an EHR value, which only a script copies into the field.
 * `null` if the field was edited at the same time.
 */
const readPickedText = (
  req: Request,
  key: string,
  offered: readonly EhrCandidate[],
  typed: string,
): string | null => {
  const pick = readFormText(req, buildPickName(key));
  const before = readFormText(req, buildPickedName(key));
  const chosen = pick === '' ? undefined : offered[Number(pick)];
  if (chosen === undefined || pick === before) return typed;
  const stood = before === TYPED ? typed : (offered[Number(before || -1)]?.text ?? '');
  const isUntouched = typed.trim() === '' || typed === stood;
  return isUntouched || typed === chosen.text ? chosen.text : null;
};

/** Parses the form, and marks values from the EHR. */
export const readPrefilledCourse = (
  { prefill, candidates, values, unclear, customFields }: PostedReview,
  res: Response,
  now: Date,
): ParsedCourse => {
  const offer = buildPrefilledCourse(prefill, readChoices(candidates, values));
  const context = {
    ...createPracticeClock(getTimeZone(res), now, toMember(res)?.practice.dateOrder),
    customFields,
    existing: offer,
    isPrefill: true,
    unitIsNamed: false,
  };
  const answers = new Set([...candidates.keys()].map(buildPickName));
  const entered = Object.entries(values).filter(([key]) => !answers.has(key));
  const read = parseCourse(Object.fromEntries(entered), context);
  if (unclear.length === 0) return read;
  const errors = read.kind === 'refused' ? read.errors : [];
  const { notices, childIndexes } = read;
  return { kind: 'refused', errors: [...unclear, ...errors], notices, childIndexes };
};
