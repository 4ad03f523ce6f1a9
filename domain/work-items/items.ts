import { type InferProperties, literal, text } from '../schema.ts';

/** Kinds of work items, most urgent first. Stored in the log: add kinds, never rename them. */
export const WORK_KINDS = [
  'revived',
  'question',
  'missing',
  'refused',
  'duplicate',
  'import-rows',
  'handed-over',
  'key-ending',
  'access-review',
] as const;

export type WorkKind = (typeof WORK_KINDS)[number];

export type WorkItemName = InferProperties<typeof workItemName>;

export const workItemName = {
  kind: literal(...WORK_KINDS),
  /** Submission uuid, import id, or key id; for a refused record, its chart number or position. */
  key: text,
};

/** Kinds that a user closes. The others close when their cause is resolved. */
const DISMISSIBLE: ReadonlySet<WorkKind> = new Set(['missing', 'refused', 'import-rows']);

export const isDismissible = (kind: WorkKind): boolean => DISMISSIBLE.has(kind);

/** Key of a refused record. If it has a chart number, later refusals of the same record share the item. */
export const getRefusedItemKey = (
  ingestionId: string,
  position: number,
  chartNumber: string | null,
): string => (chartNumber === null ? `at:${ingestionId}.${position}` : `chart:${chartNumber}`);
