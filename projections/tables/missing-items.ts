import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import { findFirstBirthDate } from '../../domain/course/birth-times.ts';
import { CERTIFICATE_ITEMS } from '../../domain/course/certificate-items.ts';
import { findMissingItems } from '../../domain/course/missing-items.ts';
import { upcastUnknownCounts } from '../../domain/course/unknown-counts.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import {
  type Change,
  column,
  defineTable,
  type Handlers,
  isFirst,
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
  },
  key: ['submission_uuid'],
  indexes: ['(practice_id, day)'],
  withoutStatistics: ['item_bits'],
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

/** Items that records lack. Increment the version after a change to the list of items or to a rule. */
export const missingItems = {
  name: 'record_gaps',
  version: 5,
  tables: [missingItemsTable],
  on: {
    BirthRecorded: (data, stored) => [replaceGaps(data, stored)],
    BirthAmended: (data, stored) => [replaceGaps(data, stored)],
    BirthRetracted: ({ submissionUuid }) => [
      replaceAll('record_gap', { submission_uuid: submissionUuid }, []),
    ],
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

const replaceGaps = (
  { submissionUuid, practiceId, course, keyKind }: RecordVersion,
  stored: StoredEvent,
): Change => {
  const items = findMissingItems(upcastUnknownCounts(course), null, keyKind === 'partner').map(
    ({ item }) => item.id,
  );
  const row = {
    submission_uuid: submissionUuid,
    practice_id: practiceId,
    day: findFirstBirthDate(course.children) ?? stored.metadata.recordedAt.slice(0, 10),
    item_bits: encodeBits(items),
  };
  return replaceAll(
    'record_gap',
    { submission_uuid: submissionUuid },
    items.length === 0 ? [] : [row],
    isFirst(stored),
  );
};
