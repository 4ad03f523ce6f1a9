import { WORK_KINDS, type WorkKind } from '../../../domain/work-items/items.ts';
import type { WorkFilter } from '../../../projections/lists/work-items.ts';

/** Address of the list of things to do. */
export const TO_DO = '/registry/to-do';

/** What the list shows, and which page of it. */
export interface WorkQuery extends WorkFilter {
  /** One-based. */
  readonly page: number;
}

/** What is shown unless something else is asked for. */
export const EVERYTHING: WorkQuery = {
  kind: null,
  isMine: false,
  isLate: false,
  isDismissed: false,
  page: 1,
};

/** The kind that a text names; null: none. */
export const workKindOf = (text: string): WorkKind | null =>
  WORK_KINDS.find((kind) => kind === text) ?? null;

/** What the query of an address asks for; anything strange asks for nothing. */
export const workQueryOf = (query: URLSearchParams): WorkQuery => {
  const page = Number(query.get('page'));
  const only = query.get('only');
  return {
    kind: workKindOf(query.get('kind') ?? ''),
    isMine: only === 'mine',
    isLate: only === 'late',
    isDismissed: only === 'dismissed',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
};

/** The address that asks for it. */
export const workAddress = ({ kind, isMine, isLate, isDismissed, page }: WorkQuery): string => {
  const query = new URLSearchParams();
  if (kind !== null) query.set('kind', kind);
  const only = (isMine && 'mine') || (isLate && 'late') || (isDismissed && 'dismissed');
  if (only !== false) query.set('only', only);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? TO_DO : `${TO_DO}?${query}`;
};
