import type { Request } from 'express';
import { readQueryText } from './form-body.ts';

/** One-based; 1 if missing or invalid. */
export const readPageNumber = (req: Request, parameter = 'page'): number => {
  const page = Number(readQueryText(req, parameter));
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
};

export const ROWS_PER_PAGE = 100;

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** One-based. */
  readonly page: number;
  readonly pages: number;
}

/** Falls back to the last page. */
export const slicePage = <Row>(
  all: readonly Row[],
  requested: number,
  perPage = ROWS_PER_PAGE,
): ListPage<Row> => {
  const pages = Math.max(1, Math.ceil(all.length / perPage));
  const page = Math.min(requested, pages);
  return { rows: all.slice((page - 1) * perPage, page * perPage), page, pages };
};
