import type { RequestHandler } from 'express';
import { pageNotFound } from './page-problem.ts';

const CONTROL_CHARACTER = /\p{Cc}/u;

/** Nothing of ours has a control character in its address, and Postgres takes no NUL in a text. */
export const readablePathsOnly: RequestHandler = (req, _res, next) => {
  if (CONTROL_CHARACTER.test(decoded(req.path))) throw pageNotFound();
  next();
};

/** As it is where it cannot be decoded: the router answers that itself. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
