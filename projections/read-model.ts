import {
  isForeign,
  type LogEntry,
  type StoredEvent,
  type StreamEvent,
} from '../domain/event-log.ts';
import type { CamelKeys, Change, Projection, ReadTable, ReadView, RowOf } from './projection.ts';
import { accessEntries } from './tables/access-entries.ts';
import { apiKeys } from './tables/api-keys.ts';
import { auditEntries } from './tables/audit-entries.ts';
import { birthRecords, RECORD_LISTING } from './tables/birth-records.ts';
import { careerEntries, REPLACED_ATTRIBUTIONS } from './tables/career-entries.ts';
import { customFields } from './tables/custom-fields.ts';
import {
  duplicatePairs,
  MATCH_CANDIDATES,
  OPEN_DUPLICATE_PAIRS,
} from './tables/duplicate-pairs.ts';
import { foreignStreams, listForeignEvent } from './tables/foreign-streams.ts';
import { ingestionReceipts } from './tables/ingestion-receipts.ts';
import { logTree } from './tables/log-tree.ts';
import { members } from './tables/members.ts';
import { missingItems } from './tables/missing-items.ts';
import { partners } from './tables/partners.ts';
import { practices } from './tables/practices.ts';
import { providers } from './tables/providers.ts';
import { recordExports } from './tables/record-exports.ts';
import { refusedRecords } from './tables/refused-records.ts';
import { PENDING_REVIVALS, revivals } from './tables/revivals.ts';
import { staff } from './tables/staff.ts';
import { STATISTICS_EXCLUSIONS, statisticsFacts } from './tables/statistics-facts.ts';
import { listRetention, streamRetentions } from './tables/stream-retentions.ts';
import { OPEN_UNUSUAL_VALUES, unusualValues } from './tables/unusual-values.ts';
import { workAssignments } from './tables/work-assignments.ts';

const PROJECTIONS = [
  ingestionReceipts,
  birthRecords,
  duplicatePairs,
  revivals,
  unusualValues,
  missingItems,
  refusedRecords,
  workAssignments,
  statisticsFacts,
  practices,
  customFields,
  apiKeys,
  partners,
  members,
  staff,
  providers,
  careerEntries,
  auditEntries,
  accessEntries,
  recordExports,
  foreignStreams,
  streamRetentions,
  logTree,
];

export const READ_TABLES: readonly ReadTable[] = PROJECTIONS.flatMap(
  ({ tables }): readonly ReadTable[] => tables,
);

type Table = (typeof PROJECTIONS)[number]['tables'][number];

export type ReadRows = { [Each in Table as `read.${Each['name']}`]: RowOf<Each> };

/** Row of a table, as queries in camel case return it. */
export type CamelRow<Name extends Table['name']> = CamelKeys<ReadRows[`read.${Name}`]>;

/** Every view, ordered so that a view follows the views it selects from. */
export const READ_VIEWS = [
  RECORD_LISTING,
  STATISTICS_EXCLUSIONS,
  MATCH_CANDIDATES,
  OPEN_DUPLICATE_PAIRS,
  PENDING_REVIVALS,
  OPEN_UNUSUAL_VALUES,
  REPLACED_ATTRIBUTIONS,
] as const satisfies readonly ReadView[];

/** The checkpoint's table is not a projection but has a version too. */
const CHECKPOINT = { name: 'checkpoint', version: 2 };

/** A part that is removed or renamed stays with a higher version, so earlier builds see newer tables. */
export const READ_MODEL_PARTS: readonly Pick<Projection, 'name' | 'version'>[] = [
  CHECKPOINT,
  ...PROJECTIONS,
  ...READ_VIEWS,
];

type Handler = (data: never, stored: StoredEvent) => readonly Change[];

const HANDLERS = new Map<string, Handler[]>();
// Safe: each handler accepts only its own event type, and `HANDLERS` dispatches by type.
for (const { on } of PROJECTIONS as unknown as readonly Projection[])
  for (const [type, handler] of Object.entries(on)) {
    const known = HANDLERS.get(type);
    if (known === undefined) HANDLERS.set(type, [handler as Handler]);
    else known.push(handler as Handler);
  }

export const collectEntryChanges = (entry: ReadableEntry): readonly Change[] =>
  entry.kind === 'retention' ? [listRetention(entry)] : collectChanges(entry.stored);

type ReadableEntry = Exclude<LogEntry, { readonly kind: 'unreadable' }>;

/** Collects the changes of an event; empty if no projection handles its type, or this version does not know it. */
export const collectChanges = (stored: StreamEvent): readonly Change[] => {
  if (isForeign(stored)) return [listForeignEvent(stored)];
  if (stored.event === null) return [];
  const { type, data } = stored.event;
  const changes: Change[] = [];
  for (const handler of HANDLERS.get(type) ?? []) changes.push(...handler(data as never, stored));
  return changes;
};
