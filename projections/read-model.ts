import type { StoredEvent } from '../domain/event-log.ts';
import { accessEntries } from './access-entries.ts';
import { apiKeys } from './api-keys.ts';
import { auditEntries } from './audit-entries.ts';
import { birthRecords } from './birth-records.ts';
import { careerEntries } from './career-entries.ts';
import { customFields } from './custom-fields.ts';
import { duplicatePairs } from './duplicate-pairs.ts';
import { ingestionReceipts } from './ingestion-receipts.ts';
import { logTree } from './log-tree.ts';
import { LOOK_ALIKES } from './look-alikes.ts';
import { members } from './members.ts';
import { OPEN_DUPLICATE_PAIRS } from './open-duplicate-pairs.ts';
import { OVERRULED_VOIDS, overruledVoids } from './overruled-voids.ts';
import { partners } from './partners.ts';
import { practices } from './practices.ts';
import type { Change, Projection, ReadTable, ReadView } from './projection.ts';
import { providers } from './providers.ts';
import { recordExports } from './record-exports.ts';
import { recordGaps } from './record-gaps.ts';
import { RECORD_LISTING } from './record-listing.ts';
import { OPEN_QUESTIONS, recordQuestions } from './record-questions.ts';
import { refusedRecords } from './refused-records.ts';
import { REPLACED_ATTRIBUTIONS } from './replaced-attributions.ts';
import { staff } from './staff.ts';
import { STATISTICS_EXCLUSIONS } from './statistics-exclusions.ts';
import { statisticsFacts } from './statistics-facts.ts';
import { workAnswers } from './work-answers.ts';

// Each handler takes the data of its own event type; the log hands over any.
const PROJECTIONS = [
  ingestionReceipts,
  birthRecords,
  duplicatePairs,
  overruledVoids,
  recordQuestions,
  recordGaps,
  refusedRecords,
  workAnswers,
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
  logTree,
] as unknown as readonly Projection[];

/** Every table of the schema `read` but the checkpoint's own. */
export const READ_TABLES: readonly ReadTable[] = PROJECTIONS.flatMap(({ tables }) => tables);

/** Every view over them, those first that others stand on. */
export const READ_VIEWS = [
  RECORD_LISTING,
  STATISTICS_EXCLUSIONS,
  LOOK_ALIKES,
  OPEN_DUPLICATE_PAIRS,
  OVERRULED_VOIDS,
  OPEN_QUESTIONS,
  REPLACED_ATTRIBUTIONS,
] as const satisfies readonly ReadView[];

/** What the checkpoint's own table tells. */
const CHECKPOINT = { name: 'checkpoint', version: 2 };

/** Names and versions of the projections: tables made by another set are built anew. */
export const READ_MODEL_VERSION = [CHECKPOINT, ...PROJECTIONS, ...READ_VIEWS]
  .map(({ name, version }) => `${name}:${version}`)
  .join(' ');

type Handler = (data: never, stored: StoredEvent) => readonly Change[];

const HANDLERS = new Map<string, Handler[]>();
for (const { on } of PROJECTIONS)
  for (const [type, handler] of Object.entries(on)) {
    const known = HANDLERS.get(type);
    if (known === undefined) HANDLERS.set(type, [handler as Handler]);
    else known.push(handler as Handler);
  }

/** What an event changes in the read tables; nothing if no projection knows its type. */
export const collectChanges = (stored: StoredEvent): readonly Change[] => {
  const { type, data } = stored.event;
  const changes: Change[] = [];
  for (const handler of HANDLERS.get(type) ?? []) changes.push(...handler(data as never, stored));
  return changes;
};
