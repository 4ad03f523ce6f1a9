import { CERTIFICATE_ITEMS } from '../course/certificate-items.ts';
import type { CourseOfCare } from '../course/course.ts';
import { findMissingItems, type MissingItem } from '../course/missing-items.ts';
import { accept, type Decision, refuse } from '../decision.ts';
import { isDate, toDayNumber } from '../fhir/dates.ts';
import type { BirthRecordEvent } from './events.ts';
import { evolve, type KnownBirthRecord, noRecord } from './state.ts';

/** Certificate item of the course, or of the child at a position. */
export interface ItemPlace {
  readonly item: string;
  /** Zero-based; null for an item of the course. */
  readonly child: number | null;
}

/** Why an item is missing: it will never be known, or it is expected on a day. */
export type ItemReason =
  | { readonly kind: 'unobtainable' }
  | { readonly kind: 'awaited'; readonly until: string };

export interface GivenReason extends ItemPlace {
  /** Number of children that the record had. */
  readonly children: number;
  readonly reason: ItemReason;
}

interface RecordEntry {
  readonly event: BirthRecordEvent;
}

const COURSE_PART = 'course';

/** Part of a record, as events and tables name it. */
export const formatPart = (child: number | null): string =>
  child === null ? COURSE_PART : `children.${child}`;

export const parsePart = (part: string): number | null =>
  part === COURSE_PART ? null : Number(part.slice('children.'.length));

/** Text of a place, such as `children.0 birth-weight`. */
export const formatPlace = ({ item, child }: ItemPlace): string => `${formatPart(child)} ${item}`;

const PLACE = /^(course|children\.\d{1,4}) (\S+)$/;

/** Of no item if the text has another form. */
export const parsePlace = (text: string): ItemPlace => {
  const [, part = COURSE_PART, item = ''] = PLACE.exec(text) ?? [];
  return { item, child: parsePart(part) };
};

type ItemEvent = BirthRecordEvent<'ItemUnobtainable' | 'ItemAwaited' | 'ItemReasonTakenBack'>;

const ABOUT_ITEMS: ReadonlySet<string> = new Set<ItemEvent['type']>([
  'ItemUnobtainable',
  'ItemAwaited',
  'ItemReasonTakenBack',
]);

const isAboutItem = (event: BirthRecordEvent): event is ItemEvent => ABOUT_ITEMS.has(event.type);

const readReason = (event: ItemEvent): ItemReason | null => {
  switch (event.type) {
    case 'ItemUnobtainable':
      return { kind: 'unobtainable' };
    case 'ItemAwaited':
      return { kind: 'awaited', until: event.data.until };
    case 'ItemReasonTakenBack':
      return null;
  }
};

/** The newest reason of each item, with the event that gave it. */
export const listItemReasons = <Entry extends RecordEntry>(
  history: readonly Entry[],
): readonly (GivenReason & { readonly givenBy: Entry })[] => {
  const newest = new Map<string, GivenReason & { readonly givenBy: Entry }>();
  for (const givenBy of history) {
    const { event } = givenBy;
    if (!isAboutItem(event)) continue;
    const { item, part, children } = event.data;
    const place = { item, child: parsePart(part) };
    const reason = readReason(event);
    if (reason === null) newest.delete(formatPlace(place));
    else newest.set(formatPlace(place), { ...place, children, reason, givenBy });
  }
  return [...newest.values()];
};

/**
 * A reason outlives a value: it holds again if the value goes away. One about a child holds while the record has
 * as many children, because otherwise the same position may be another child.
 */
export const findReason = <Given extends GivenReason>(
  reasons: readonly Given[],
  { item, child }: ItemPlace,
  { children }: Pick<CourseOfCare, 'children'>,
): Given | null =>
  reasons.find(
    (one) =>
      one.item === item &&
      one.child === child &&
      (child === null || one.children === children.length),
  ) ?? null;

export interface ExplainedItem<Reason> {
  readonly missing: MissingItem;
  readonly reason: Reason;
}

export interface ExplainedItems<Given extends GivenReason> {
  /** Missing items that count, some with a reason whose day has come. */
  readonly open: readonly ExplainedItem<Given | null>[];
  /** Missing items that do not count, at least not yet. */
  readonly excused: readonly ExplainedItem<Given>[];
}

/** The to-do list applies the same rule in SQL. @param today in the practice's time zone */
export const explainMissingItems = <Given extends GivenReason>(
  missing: readonly MissingItem[],
  reasons: readonly Given[],
  course: Pick<CourseOfCare, 'children'>,
  today: string,
): ExplainedItems<Given> => {
  const open: ExplainedItem<Given | null>[] = [];
  const excused: ExplainedItem<Given>[] = [];
  for (const one of missing) {
    const reason = findReason(reasons, { item: one.item.id, child: one.child }, course);
    if (reason === null || isDue(reason, today)) open.push({ missing: one, reason });
    else excused.push({ missing: one, reason });
  }
  return { open, excused };
};

const isDue = ({ reason }: GivenReason, today: string): boolean =>
  reason.kind === 'awaited' && reason.until <= today;

export interface GiveReason {
  readonly items: readonly ItemPlace[];
  readonly reason: ItemReason;
  /** In the practice's time zone. */
  readonly today: string;
}

export const MAX_DAYS_AWAITED = 366;

export const giveReason = (
  { items, reason, today }: GiveReason,
  history: readonly RecordEntry[],
  state = history.reduce((record, { event }) => evolve(record, event), noRecord),
): Decision<BirthRecordEvent<'ItemUnobtainable' | 'ItemAwaited'>> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return VOIDED;
  if (items.length === 0) return refuse({ code: 'no-item-chosen' });
  if (!items.every(isKnownItem)) return refuse({ code: 'no-such-item' });
  if (reason.kind === 'awaited' && !isExpectable(reason.until, today))
    return refuse({ code: 'expected-day-out-of-range' });
  const { course } = state;
  const chosen = new Set(items.map(formatPlace));
  const meant = findMissingItems(course, null, state.keyKind === 'partner')
    .map(({ item, child }): ItemPlace => ({ item: item.id, child }))
    .filter((place) => chosen.has(formatPlace(place)));
  if (meant.length < chosen.size) return refuse({ code: 'item-not-missing' });
  const reasons = listItemReasons(history);
  const changed = meant.filter(
    (place) => !isSame(findReason(reasons, place, course)?.reason, reason),
  );
  return accept(
    ...changed.map((place) => {
      const data = buildData(place, state);
      return reason.kind === 'awaited'
        ? { type: 'ItemAwaited' as const, data: { ...data, until: reason.until } }
        : { type: 'ItemUnobtainable' as const, data };
    }),
  );
};

/** Also of items that have a value by now, because their reason would hold again without it. */
export const takeBackReason = (
  place: ItemPlace,
  history: readonly RecordEntry[],
  state = history.reduce((record, { event }) => evolve(record, event), noRecord),
): Decision<BirthRecordEvent<'ItemReasonTakenBack'>> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return VOIDED;
  if (!isKnownItem(place)) return refuse({ code: 'no-such-item' });
  return listItemReasons(history).some((one) => formatPlace(one) === formatPlace(place))
    ? accept({ type: 'ItemReasonTakenBack', data: buildData(place, state) })
    : accept();
};

const VOIDED = refuse({ code: 'voided-needs-nothing' });

const isKnownItem = ({ item }: ItemPlace): boolean =>
  CERTIFICATE_ITEMS.some(({ id }) => id === item);

const isExpectable = (until: string, today: string): boolean => {
  if (!isDate(until)) return false;
  const days = toDayNumber(until) - toDayNumber(today);
  return days >= 1 && days <= MAX_DAYS_AWAITED;
};

const isSame = (one: ItemReason | undefined, other: ItemReason): boolean =>
  one?.kind === 'awaited' && other.kind === 'awaited'
    ? one.until === other.until
    : one?.kind === other.kind;

const buildData = (
  { item, child }: ItemPlace,
  { submissionUuid, practiceId, version, course }: KnownBirthRecord,
): BirthRecordEvent<'ItemUnobtainable'>['data'] => ({
  submissionUuid,
  practiceId,
  version,
  part: formatPart(child),
  item,
  children: course.children.length,
  mark: null,
});
