import { WORK_KINDS, type WorkKind } from '../../domain/work-items/items.ts';
import type { PairIds } from '../../projections/lists/duplicates.ts';
import type { WorkFilter } from '../../projections/lists/work-items.ts';

export const TO_DO = '/registry/to-do';

export interface WorkQuery extends WorkFilter {
  /** One-based. */
  readonly page: number;
}

export const ALL_WORK: WorkQuery = {
  kind: null,
  isMine: false,
  isLate: false,
  isDismissed: false,
  page: 1,
};

export const parseWorkKind = (text: string): WorkKind | null =>
  WORK_KINDS.find((kind) => kind === text) ?? null;

/** Parses the query of an address, and ignores invalid parameters. */
export const parseWorkQuery = (query: URLSearchParams): WorkQuery => {
  const page = Number(query.get('page'));
  const only = query.get('only');
  return {
    kind: parseWorkKind(query.get('kind') ?? ''),
    isMine: only === 'mine',
    isLate: only === 'late',
    isDismissed: only === 'dismissed',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
};

export const buildWorkPath = ({ kind, isMine, isLate, isDismissed, page }: WorkQuery): string => {
  const query = new URLSearchParams();
  if (kind !== null) query.set('kind', kind);
  const only = (isMine && 'mine') || (isLate && 'late') || (isDismissed && 'dismissed');
  if (only !== false) query.set('only', only);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? TO_DO : `${TO_DO}?${query}`;
};

export const buildPairPath = ({ newer, older }: PairIds): string =>
  `/registry/duplicates?${new URLSearchParams({ record: newer, like: older })}`;

export const buildRecordAccessPath = (submissionUuid: string): string =>
  `/registry/records/${submissionUuid}/access`;
