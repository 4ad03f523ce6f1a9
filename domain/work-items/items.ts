/** Kinds of work at a practice, most pressing first. Stored in the log: add, never rename. */
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

/** @see WORK_KINDS */
export type WorkKind = (typeof WORK_KINDS)[number];

/** Identifies a work item within its practice. */
export interface WorkItemName {
  readonly kind: WorkKind;
  /**
   * A submission uuid; of a refused record its chart number or its place in the submission; an id of an
   * import or key.
   */
  readonly key: string;
}

/** Nothing but a person's word closes these; the others close when their cause is gone. */
const DISMISSIBLE: ReadonlySet<WorkKind> = new Set(['missing', 'refused', 'import-rows']);

/** True if a member can dismiss items of this kind. */
export const isDismissible = (kind: WorkKind): boolean => DISMISSIBLE.has(kind);

/** The name of a refused record: by its chart number every later refusal is about the same item. */
export const refusedItemKey = (
  ingestionId: string,
  position: number,
  chartNumber: string | null,
): string => (chartNumber === null ? `at:${ingestionId}.${position}` : `chart:${chartNumber}`);
