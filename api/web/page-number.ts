import type { Request } from 'express';
import { readQueryText } from './form-body.ts';

/** One-based page of a list in the query; 1 if missing or invalid. */
export const readPageNumber = (req: Request): number => {
  const asked = Number(readQueryText(req, 'page'));
  return Number.isSafeInteger(asked) && asked > 0 ? asked : 1;
};
