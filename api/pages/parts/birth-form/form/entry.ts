import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { CourseOfCare } from '../../../../../domain/course/course.ts';
import type { CustomField } from '../../../../../domain/custom-field/state.ts';
import type { TextSettings } from '../../../../../domain/mapping/form/convert-texts.ts';
import type {
  Draft,
  DraftEdition,
  DraftName,
  DraftOwner,
  SavedDraft,
} from '../../../../../domain/mapping/form/drafts.ts';
import type { FormValues } from '../../../../../domain/mapping/form/form-fields.ts';
import {
  type ParseContext,
  type ParsedCourse,
  parseCourse,
} from '../../../../../domain/mapping/form/parse-course.ts';
import type { DateReading } from '../../../../../domain/mapping/form/parse-dates.ts';
import { isUuid } from '../../../../../domain/text-input.ts';
import type { Seat } from '../../../../access/signed-in.ts';
import type { App } from '../../../../ports/app-ports.ts';
import { createOffsetAt, createPracticeClock } from '../../../../practice-time/practice-clock.ts';
import { readFormText } from '../../../../web/form-body.ts';
import { getSeat } from '../../../../web/guards/seats.ts';
import type { FormList } from './form-layout.ts';
import {
  addFirstChild,
  addListItem,
  formatFormValues,
  readPostedValues,
  removeListItem,
} from './form-values.ts';
import { addSibling, addSiblingsOfPlurality } from './siblings.ts';
import { convertForm, readSettings, toTextSettings } from './text-settings.ts';

export interface Entry {
  readonly seat: Seat;
  readonly owner: DraftOwner;
  readonly name: DraftName;
  /** Edition of its draft; `null` for a page of 0.2. */
  readonly edition: DraftEdition | null;
  readonly customFields: readonly CustomField[];
  readonly values: FormValues;
  /** Time zone and date order of the practice, in which the values are typed. */
  readonly typedUnder: TextSettings;
  /** Course on which a correction is based; `null` for a new birth. */
  readonly base: CourseOfCare | null;
  readonly version: number | null;
  /** True if a partner last sent the record being corrected. */
  readonly isPartners: boolean;
}

export type DraftSaveResult =
  | Exclude<SavedDraft, { readonly kind: 'changed' }>
  | {
      readonly kind: 'changed';
      readonly draft: Pick<Draft, 'isFinished' | 'revision' | 'values'>;
    };

export interface DraftStart {
  readonly course: CourseOfCare;
  readonly version: number;
  readonly keyKind: 'native' | 'partner' | null;
}

export const EDITION_FIELD = 'edition';

/** Edition of a form that is opened now. @param draft that it shows, or that was discarded before */
export const openEdition = (draft: Pick<Draft, 'revision'> | null): string =>
  formatEdition({ revision: draft?.revision ?? 0, editor: randomUUID() });

const formatEdition = ({ revision, editor, sequence }: DraftEdition): string =>
  [revision, editor, ...(sequence === undefined ? [] : [sequence])].join('.');

const EDITION = /^(\d{1,9})\.([0-9a-f-]{36})(?:\.(\d{1,15}))?$/;

/** `null` for a page of 0.2. */
export const readEdition = (req: Request): DraftEdition | null => {
  const [, revision, editor, sequence] = EDITION.exec(readFormText(req, EDITION_FIELD)) ?? [];
  if (revision === undefined || editor === undefined) return null;
  const edition = { revision: Number(revision), editor };
  return sequence === undefined ? edition : { ...edition, sequence: Number(sequence) };
};

export const carryEdition = ({
  edition,
}: Pick<Entry, 'edition'>): Readonly<Record<string, string>> =>
  edition === null ? {} : { [EDITION_FIELD]: formatEdition(edition) };

/** A seat only sees its own drafts. */
export const toDraftOwner = ({ memberId, practiceId }: Seat): DraftOwner => ({
  accountId: memberId,
  practiceId,
});

/** @param start base of the correction */
export const readEntry = async (
  app: App,
  req: Request,
  res: Response,
  name: DraftName,
  start: DraftStart | null,
): Promise<Entry> => {
  const seat = getSeat(res);
  const customFields = await app.reads.listCustomFields(seat.practiceId);
  const to = toTextSettings(seat.practice);
  const from = readSettings(req) ?? to;
  const now = app.now();
  const listInitialValues = ({ timeZone }: TextSettings): FormValues =>
    start === null ? {} : formatFormValues(start.course, createOffsetAt(timeZone));
  const clock = createPracticeClock(from.timeZone, now, from.dateOrder);
  const typed = readPostedValues(req, customFields, listInitialValues(from), clock);
  const posted = convertForm(typed, { from, to, now, customFields, listInitialValues });
  // The chart number of a record is fixed and not part of its form.
  const { chart_number: chartNumber = '', ...others } = posted;
  return {
    seat,
    name,
    edition: readEdition(req),
    customFields,
    owner: toDraftOwner(seat),
    values: start === null ? { chart_number: chartNumber, ...others } : others,
    typedUnder: to,
    base: start?.course ?? null,
    version: start?.version ?? null,
    isPartners: start?.keyKind === 'partner',
  };
};

/** Values of a draft, converted if the practice has changed its time zone or date order since. */
export const readDraftValues = async (
  app: App,
  { practiceId, practice }: Seat,
  { values, typedUnder }: Draft,
  base: CourseOfCare | null = null,
): Promise<FormValues> =>
  convertForm(values, {
    from: typedUnder,
    to: toTextSettings(practice),
    now: app.now(),
    customFields: await app.reads.listCustomFields(practiceId),
    listInitialValues: ({ timeZone }) =>
      base === null ? {} : formatFormValues(base, createOffsetAt(timeZone)),
  });

export const parseEntry = (
  { seat, customFields, base, values, isPartners }: Entry,
  now: Date,
): ParsedCourse => {
  const context: ParseContext = {
    ...createPracticeClock(seat.practice.timeZone, now, seat.practice.dateOrder),
    customFields,
    existing: base,
    unitIsNamed: false,
    isPartnerRecord: isPartners,
    asksConsent: true,
  };
  return parseCourse(values, context);
};

export const toDateReading = ({ practice }: Seat, now: Date): DateReading =>
  createPracticeClock(practice.timeZone, now, practice.dateOrder);

/** Changed form after a button other than saving. */
export type Rearrangement = { readonly values: FormValues; readonly anchor: string };

const REMOVE = /^(children|transfers):(\d{1,3})$/;
const ANCHORS: Readonly<Record<FormList, string>> = { children: 'child', transfers: 'transfer' };

/** Adds or removes a child or transfer; `null` if the form's button does neither. */
export const applyListButton = (req: Request, values: FormValues): Rearrangement | null => {
  const add = readFormText(req, 'add');
  if (add === 'plurality')
    return { values: addFirstChild(addSiblingsOfPlurality(values)), anchor: 'children-heading' };
  if (add === 'children' || add === 'transfers') {
    const more = addListItem(add, values);
    const next = add === 'children' ? addSibling(more) : more;
    const index = Math.max(...listAddedIndexes(add, next));
    return { values: next, anchor: `${ANCHORS[add]}-${index}` };
  }
  const [, list, index] = REMOVE.exec(readFormText(req, 'remove')) ?? [];
  if (list !== 'children' && list !== 'transfers') return null;
  const next = addFirstChild(removeListItem(list, Number(index), values));
  return { values: next, anchor: list === 'children' ? 'children-heading' : 'people-heading' };
};

const listAddedIndexes = (list: FormList, values: FormValues): readonly number[] =>
  Object.keys(values).flatMap((key) =>
    key.startsWith(`${list}.`) ? [Number(key.split('.')[1])] : [],
  );

export const parseUuid = (text: string): string | null => (isUuid(text) ? text : null);
