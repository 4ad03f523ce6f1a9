import type { Request } from 'express';
import { readQueryText } from './form-body.ts';

/** One-based page of a list in the query; 1 if missing or invalid. */
export const readPageNumber = (req: Request, parameter = 'page'): number => {
  const asked = Number(readQueryText(req, parameter));
  return Number.isSafeInteger(asked) && asked > 0 ? asked : 1;
};

/** Rows on a page of a list that has no limit of its own. */
export const ROWS_PER_PAGE = 100;

/** Page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** One-based. */
  readonly page: number;
  readonly pages: number;
}

/** The requested page of a list, or its last one. */
export const slicePage = <Row>(
  all: readonly Row[],
  requested: number,
  perPage = ROWS_PER_PAGE,
): ListPage<Row> => {
  const pages = Math.max(1, Math.ceil(all.length / perPage));
  const page = Math.min(requested, pages);
  return { rows: all.slice((page - 1) * perPage, page * perPage), page, pages };
};
