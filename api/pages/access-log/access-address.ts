import type { Request } from 'express';
import { isUuid } from '../../../domain/uuid.ts';
import { ACCESS_KINDS, type AccessQuery } from '../../../projections/access-entries.ts';
import { queryText } from '../../web/form-body.ts';

/** Where the Admins of a practice find its access log. */
export const PRACTICE_ACCESS = '/registry/access-log';

/** Where the service staff finds that of no practice. */
export const STAFF_ACCESS = '/staff/access-log';

const ACCOUNT = /^[\w-]{1,64}$/;

/** Reads the address of an access log; what is no id or kind asks for nothing. */
export const accessQueryOf = (req: Request): AccessQuery => {
  const person = queryText(req, 'person');
  const record = queryText(req, 'record');
  const kind = queryText(req, 'kind');
  return {
    person: ACCOUNT.test(person) ? person : null,
    record: isUuid(record) ? record : null,
    kind: ACCESS_KINDS.find((one) => one === kind) ?? null,
  };
};

/** Address of a page of an access log. @param page one-based */
export const accessAddress = (
  path: string,
  { person, record, kind }: Partial<AccessQuery>,
  page = 1,
): string => {
  const parameters = new URLSearchParams({
    ...(typeof person === 'string' ? { person } : {}),
    ...(typeof record === 'string' ? { record } : {}),
    ...(typeof kind === 'string' ? { kind } : {}),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return parameters === '' ? path : `${path}?${parameters}`;
};

/** Where it says who has looked at a record. */
export const accessOfRecord = (submissionUuid: string): string =>
  accessAddress(PRACTICE_ACCESS, { record: submissionUuid });
