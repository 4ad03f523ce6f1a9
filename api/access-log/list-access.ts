import type { UnusualMark } from '../../domain/access-log/unusual.ts';
import type { BreakGlassUsed } from '../../domain/practice/events.ts';
import type { AccessEntry, AccessQuery } from '../../projections/lists/access.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { type AccessSummary, summarizeAccess } from './access-summary.ts';
import { type AccessWay, findAccessWay, findPurpose, usedBreakGlass } from './purpose.ts';

/** An entry as an auditor sees it: ids of accounts and records, no chart numbers. */
type ListedEntry = Pick<
  AccessEntry,
  'type' | 'accountId' | 'keyName' | 'place' | 'detail' | 'exported' | 'rows' | 'filters'
> & {
  /** How somebody accessed data of people. */
  readonly kind: AccessWay;
  /** ISO 8601 instant. */
  readonly at: string;
  readonly actor: AccessEntry['by'];
  /** The service staff had let the person in, when the practice had no Admin. */
  readonly letInByStaff: boolean;
  /** The purpose that the page or command implies; null: not known. */
  readonly purpose: string | null;
  /** Why the entry deserves a look; empty for nearly all. */
  readonly unusual: readonly UnusualMark[];
  /** Submission uuids. */
  readonly recordIds: readonly string[];
};

/** What an auditor sees of the access log. */
export interface ListedAccess {
  readonly entries: readonly ListedEntry[];
  /** There are older entries than these. */
  readonly isMore: boolean;
}

/** The same of one record. */
export interface ListedRecordAccess extends ListedAccess {
  /** Its submission uuid. */
  readonly record: string;
  readonly practiceId: string;
  /** Who got at it in which ways, all in all. */
  readonly summary: readonly ListedSummary[];
}

type ListedSummary = Pick<AccessSummary, 'keyName' | 'ways'> & {
  readonly actor: AccessSummary['by'];
  /** ISO 8601 instants. */
  readonly first: string;
  readonly last: string;
};

/** What the access log is read from. */
export type AccessReads = Pick<AppPorts['reads'], 'findAccess' | 'countAccess'>;

/** Lists the access log of a practice, or of none, the latest first. @param most entries */
export const listAccess = async (
  { findAccess }: Pick<AccessReads, 'findAccess'>,
  practiceId: string | null,
  brokenGlass: BreakGlassUsed['data'] | null,
  query: AccessQuery,
  most: number,
): Promise<ListedAccess> => {
  // One more than is shown says whether there are more.
  const { entries } = await findAccess(practiceId, query, { skip: 0, most: most + 1 });
  return {
    entries: entries.slice(0, most).map((entry) => listed(entry, brokenGlass)),
    isMore: entries.length > most,
  };
};

/** The same of one record, with who got at it in all. */
export const listRecordAccess = async (
  reads: AccessReads,
  practiceId: string,
  brokenGlass: BreakGlassUsed['data'] | null,
  query: AccessQuery & { readonly record: string },
  most: number,
): Promise<ListedRecordAccess> => {
  const { record } = query;
  const [list, counts] = await Promise.all([
    listAccess(reads, practiceId, brokenGlass, query, most),
    reads.countAccess(practiceId, record),
  ]);
  const summary = summarizeAccess(counts).map(({ by, keyName, ways, first, last }) => ({
    actor: by,
    keyName,
    ways,
    first: first.toISOString(),
    last: last.toISOString(),
  }));
  return { record, practiceId, summary, ...list };
};

const listed = (entry: AccessEntry, brokenGlass: BreakGlassUsed['data'] | null): ListedEntry => {
  const { type, at, by, accountId, place, detail, exported, rows, filters, records } = entry;
  return {
    type,
    at: at.toISOString(),
    actor: by,
    keyName: entry.keyName,
    kind: findAccessWay(entry),
    letInByStaff: usedBreakGlass(entry, brokenGlass),
    accountId,
    purpose: findPurpose(entry),
    unusual: entry.unusual,
    place,
    detail,
    exported,
    rows,
    filters,
    recordIds: records.map(({ submissionUuid }) => submissionUuid),
  };
};
