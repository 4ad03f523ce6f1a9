import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import { findFirstBirthDate } from '../../domain/course/birth-times.ts';
import { CERTIFICATE_ITEMS } from '../../domain/course/certificate-items.ts';
import { findMissingItems } from '../../domain/course/missing-items.ts';
import { upcastUnknownCounts } from '../../domain/course/unknown-counts.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import { type Change, type Handlers, isFirst, type ReadTable, replaceAll } from '../projection.ts';

/** Row of `read.record_gap`: what a live record lacks of all that a certificate asks for. */
export interface MissingItemsRow {
  readonly submission_uuid: string;
  readonly practice_id: string;
  /** Of the birth, as the record has it; else `YYYY-MM-DD` of when the version was recorded. */
  readonly day: string;
  /** Ids of items of the certificate; which of them a practice needs, it chooses. */
  readonly items: readonly string[];
  /** The same as bits: Postgres compares these with what a practice needs a hundred times faster. */
  readonly item_bits: string;
}

const missingItemsTable: ReadTable = {
  name: 'record_gap',
  columns: {
    submission_uuid: 'uuid not null',
    practice_id: 'text not null',
    day: 'text not null',
    items: 'text[] not null',
    item_bits: 'bigint not null',
  },
  key: ['submission_uuid'],
  indexes: ['(practice_id, day)'],
  unasked: ['items', 'item_bits'],
};

const EVERY_ITEM = CERTIFICATE_ITEMS.map(({ id }) => id);

/**
 * Items of the certificate as bits, each at its place in the list of all of them.
 * @returns a decimal number
 */
export const encodeBits = (items: readonly string[]): string =>
  EVERY_ITEM.reduce(
    (bits, item, place) => (items.includes(item) ? bits | (1n << BigInt(place)) : bits),
    0n,
  ).toString();

/** Items that records lack. Another list of items, or another rule of one, needs a new version. */
export const missingItems = {
  name: 'record_gaps',
  version: 3,
  tables: [missingItemsTable],
  on: {
    BirthRecorded: (data, stored) => [gapsOf(data, stored)],
    BirthAmended: (data, stored) => [gapsOf(data, stored)],
    BirthRetracted: ({ submissionUuid }) => [
      replaceAll('record_gap', { submission_uuid: submissionUuid }, []),
    ],
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

const gapsOf = (
  { submissionUuid, practiceId, course, keyKind }: RecordVersion,
  stored: StoredEvent,
): Change => {
  const items = new Set(
    findMissingItems(upcastUnknownCounts(course), EVERY_ITEM, keyKind === 'partner').map(
      ({ item }) => item.id,
    ),
  );
  const row = {
    submission_uuid: submissionUuid,
    practice_id: practiceId,
    day: findFirstBirthDate(course.children) ?? stored.metadata.recordedAt.slice(0, 10),
    items: [...items],
    item_bits: encodeBits([...items]),
  };
  return replaceAll(
    'record_gap',
    { submission_uuid: submissionUuid },
    items.size === 0 ? [] : [row],
    isFirst(stored),
  );
};
