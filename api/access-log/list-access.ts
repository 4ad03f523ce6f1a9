import type { AccessEntry, AccessQuery, FindAccess } from '../../projections/access-entries.ts';

/** An entry as an auditor sees it: ids of accounts and records, no chart numbers. */
type ListedEntry = Pick<
  AccessEntry,
  'type' | 'accountId' | 'place' | 'detail' | 'exported' | 'rows' | 'filters'
> & {
  /** ISO 8601 instant. */
  readonly at: string;
  readonly actor: AccessEntry['by'];
  /** Submission uuids. */
  readonly recordIds: readonly string[];
};

/** What an auditor sees of the access log. */
export interface ListedAccess {
  readonly entries: readonly ListedEntry[];
  /** There are older entries than these. */
  readonly isMore: boolean;
}

/** Lists the access log of a practice, or of none, the latest first. @param most entries */
export const listAccess = async (
  findAccess: FindAccess,
  practiceId: string | null,
  query: AccessQuery,
  most: number,
): Promise<ListedAccess> => {
  // One more than is shown says whether there are more.
  const { entries } = await findAccess(practiceId, query, { skip: 0, most: most + 1 });
  return { entries: entries.slice(0, most).map(listed), isMore: entries.length > most };
};

const listed = (entry: AccessEntry): ListedEntry => {
  const { type, at, by, accountId, place, detail, exported, rows, filters, records } = entry;
  return {
    type,
    at: at.toISOString(),
    actor: by,
    accountId,
    place,
    detail,
    exported,
    rows,
    filters,
    recordIds: records.map(({ submissionUuid }) => submissionUuid),
  };
};
