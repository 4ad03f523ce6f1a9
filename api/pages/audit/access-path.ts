import type { Request } from 'express';
import { ACCESS_KINDS, type AccessQuery } from '../../../projections/lists/access.ts';
import { readQueryText } from '../../web/form-body.ts';

export const PRACTICE_ACCESS = '/registry/access-log';

/** Access log of events outside any practice, for service staff. */
export const STAFF_ACCESS = '/staff/access-log';

const ACCOUNT_ID = /^[\w-]{1,64}$/;

/** Filters in the address of an access log. */
export type AccessFilter = Pick<AccessQuery, 'person' | 'kind'> & {
  readonly onlyUnusual: boolean;
};

/** Reads the filters from the address and ignores invalid ids and kinds. */
export const parseAccessFilter = (req: Request): AccessFilter => {
  const person = readQueryText(req, 'person');
  const kind = readQueryText(req, 'kind');
  return {
    person: ACCOUNT_ID.test(person) ? person : null,
    kind: ACCESS_KINDS.find((one) => one === kind) ?? null,
    onlyUnusual: readQueryText(req, 'unusual') === 'yes',
  };
};

/** @param page one-based */
export const buildAccessPath = (
  path: string,
  { person, kind, onlyUnusual }: Partial<AccessFilter>,
  page = 1,
): string => {
  const parameters = new URLSearchParams({
    ...(typeof person === 'string' ? { person } : {}),
    ...(typeof kind === 'string' ? { kind } : {}),
    ...(onlyUnusual === true ? { unusual: 'yes' } : {}),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return parameters === '' ? path : `${path}?${parameters}`;
};
