import type { StoredEvent } from '../domain/event-log.ts';
import { apiKeys } from './api-keys.ts';
import { birthRecords } from './birth-records.ts';
import { careerEntries } from './career-entries.ts';
import { ingestionReceipts } from './ingestion-receipts.ts';
import { members } from './members.ts';
import { partners } from './partners.ts';
import { practices } from './practices.ts';
import type { Change, Projection, ReadTable } from './projection.ts';
import { providers } from './providers.ts';
import { staff } from './staff.ts';

// Each handler takes the data of its own event type; the log hands over any.
const PROJECTIONS = [
  ingestionReceipts,
  birthRecords,
  practices,
  apiKeys,
  partners,
  members,
  staff,
  providers,
  careerEntries,
] as unknown as readonly Projection[];

/** Every table of the schema `read` but the checkpoint's own. */
export const READ_TABLES: readonly ReadTable[] = PROJECTIONS.flatMap(({ tables }) => tables);

/** Names and versions of the projections: tables made by another set are built anew. */
export const READ_MODEL_VERSION = PROJECTIONS.map(({ name, version }) => `${name}:${version}`).join(
  ' ',
);

/** What an event changes in the read tables; nothing if no projection knows its type. */
export const changesOf = (stored: StoredEvent): readonly Change[] => {
  const { type, data } = stored.event;
  return PROJECTIONS.flatMap(({ on }) =>
    Object.hasOwn(on, type) ? (on[type]?.(data as never, stored) ?? []) : [],
  );
};
