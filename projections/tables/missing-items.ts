import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import { findFirstBirthDate } from '../../domain/course/birth-times.ts';
import { CERTIFICATE_ITEMS } from '../../domain/course/certificate-items.ts';
import { findMissingItems, type MissingItem } from '../../domain/course/missing-items.ts';
import { upcastUnknownCounts } from '../../domain/course/unknown-counts.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import {
  type Change,
  column,
  defineTable,
  type Handlers,
  isFirst,
  type Row,
  replaceAll,
} from '../projection.ts';

const missingItemsTable = defineTable({
  name: 'record_gap',
  columns: {
    submission_uuid: column.uuid(),
    practice_id: column.text(),
    /** Recorded birth date, or the day on which the version was recorded if there is none. */
    day: column.text(),
    /** Certificate items, including those that the practice does not need. @see encodeBits */
    item_bits: column.bigint(),
    /** Bits for each child, in decimal; null unless there are several. */
    child_bits: column.textArrayOrNull(),
  },
  key: ['submission_uuid'],
  indexes: ['(practice_id, day)'],
  withoutStatistics: ['item_bits', 'child_bits'],
});

const itemReasonTable = defineTable({
  name: 'item_reason',
  columns: {
    submission_uuid: column.uuid(),
    /** @see formatPart */
    part: column.text(),
    item: column.text(),
    practice_id: column.text(),
    item_bit: column.bigint(),
    /** Number of children of the record when the reason was given. */
    children: column.integer(),
    /** `YYYY-MM-DD` on which the item is expected; null if it will never be known. */
    until: column.textOrNull(),
    given_at: column.timestamptz(),
    actor_kind: column.text(),
    actor_id: column.text(),
  },
  key: ['submission_uuid', 'part', 'item'],
  indexes: ['(practice_id)'],
});

const BITS = new Map(CERTIFICATE_ITEMS.map(({ id }, place) => [id, 1n << BigInt(place)]));

/** By their positions in `CERTIFICATE_ITEMS`. Returns a decimal number. */
export const encodeBits = (items: readonly string[]): string =>
  items.reduce((bits, item) => bits | (BITS.get(item) ?? 0n), 0n).toString();

/** Ids of the items, in the order of `CERTIFICATE_ITEMS`. */
export const decodeBits = (decimal: string): readonly string[] => {
  const bits = BigInt(decimal);
  return [...BITS].flatMap(([item, bit]) => ((bits & bit) === 0n ? [] : item));
};

/** Items of a child; the others are items of the course. */
export const CHILD_BITS = encodeBits(
  CERTIFICATE_ITEMS.filter(({ section }) => section === 'child').map(({ id }) => id),
);

/** Items that records lack, and their reasons. Increment the version after a change to the list of items or to a rule. */
export const missingItems = {
  name: 'record_gaps',
  version: 7,
  tables: [missingItemsTable, itemReasonTable],
  on: {
    BirthRecorded: (data, stored) => [replaceGaps(data, stored)],
    BirthAmended: (data, stored) => [replaceGaps(data, stored)],
    BirthRetracted: ({ submissionUuid }) => [
      replaceAll('record_gap', { submission_uuid: submissionUuid }, []),
    ],
    ItemUnobtainable: (data, stored) => [setReason(data, stored, null)],
    ItemAwaited: (data, stored) => [setReason(data, stored, data.until)],
    ItemReasonTakenBack: (data) => [replaceAll('item_reason', buildReasonKey(data), [])],
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

const replaceGaps = (
  { submissionUuid, practiceId, course, keyKind }: RecordVersion,
  stored: StoredEvent,
): Change => {
  const items = findMissingItems(upcastUnknownCounts(course), null, keyKind === 'partner');
  const row = {
    submission_uuid: submissionUuid,
    practice_id: practiceId,
    day: findFirstBirthDate(course.children) ?? stored.metadata.recordedAt.slice(0, 10),
    item_bits: encodeBits(items.map(({ item }) => item.id)),
    child_bits: course.children.length > 1 ? course.children.map(buildChildBits(items)) : null,
  };
  return replaceAll(
    'record_gap',
    { submission_uuid: submissionUuid },
    items.length === 0 ? [] : [row],
    isFirst(stored),
  );
};

const buildChildBits = (items: readonly MissingItem[]) => (_child: unknown, position: number) =>
  encodeBits(items.filter(({ child }) => child === position).map(({ item }) => item.id));

type ItemData = BirthRecordEvent<'ItemUnobtainable'>['data'];

const buildReasonKey = ({ submissionUuid, part, item }: ItemData): Row => ({
  submission_uuid: submissionUuid,
  part,
  item,
});

const setReason = (data: ItemData, stored: StoredEvent, until: string | null): Change => {
  const key = buildReasonKey(data);
  const row = {
    ...key,
    practice_id: data.practiceId,
    item_bit: encodeBits([data.item]),
    children: data.children,
    until,
    given_at: stored.metadata.recordedAt,
    actor_kind: stored.metadata.actor.kind,
    actor_id: stored.metadata.actor.id,
  };
  return replaceAll('item_reason', key, [row]);
};
