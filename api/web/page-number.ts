import type { Request } from 'express';
import { queryText } from './form-body.ts';

/** The page of a list that the query asks for, one-based; the first one for anything strange. */
export const pageNumber = (req: Request): number => {
  const asked = Number(queryText(req, 'page'));
  return Number.isSafeInteger(asked) && asked > 0 ? asked : 1;
};
