import type { UnusualMark } from '../../domain/access-log/unusual.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import type { AccessEntry, AccessQuery } from '../../projections/lists/access.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { type AccessSummary, summarizeAccess } from './access-summary.ts';
import { type AccessAction, findAccessAction, findPurpose, isByBreakGlass } from './purpose.ts';

/** Ids of accounts and records, but no chart numbers. */
type ListedEntry = Pick<
  AccessEntry,
  'type' | 'accountId' | 'keyName' | 'place' | 'detail' | 'exported' | 'rows' | 'filters'
> & {
  readonly kind: AccessAction;
  readonly at: string;
  readonly actor: AccessEntry['by'];
  readonly letInByStaff: boolean;
  /** `null` if unknown. */
  readonly purpose: string | null;
  readonly unusual: readonly UnusualMark[];
  readonly recordIds: readonly string[];
};

export interface ListedAccess {
  readonly entries: readonly ListedEntry[];
  readonly isMore: boolean;
}

export interface ListedRecordAccess extends ListedAccess {
  readonly record: string;
  readonly practiceId: string;
  readonly summary: readonly ListedSummary[];
}

type ListedSummary = Pick<AccessSummary, 'keyName' | 'ways'> & {
  readonly actor: AccessSummary['by'];
  readonly first: string;
  readonly last: string;
};

export type AccessReads = Pick<AppPorts['reads'], 'findAccess' | 'countAccess'>;

/** Latest entry first. @param practiceId `null` for entries of no practice */
export const listAccess = async (
  { findAccess }: Pick<AccessReads, 'findAccess'>,
  practiceId: string | null,
  lastBreakGlass: PracticeEvent<'BreakGlassUsed'>['data'] | null,
  query: AccessQuery,
  most: number,
): Promise<ListedAccess> => {
  const { entries } = await findAccess(practiceId, query, { skip: 0, most: most + 1 });
  return {
    entries: entries.slice(0, most).map((entry) => listed(entry, lastBreakGlass)),
    isMore: entries.length > most,
  };
};

export const listRecordAccess = async (
  reads: AccessReads,
  practiceId: string,
  lastBreakGlass: PracticeEvent<'BreakGlassUsed'>['data'] | null,
  query: AccessQuery & { readonly record: string },
  most: number,
): Promise<ListedRecordAccess> => {
  const { record } = query;
  const [list, counts] = await Promise.all([
    listAccess(reads, practiceId, lastBreakGlass, query, most),
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

const listed = (
  entry: AccessEntry,
  lastBreakGlass: PracticeEvent<'BreakGlassUsed'>['data'] | null,
): ListedEntry => {
  const { type, at, by, accountId, place, detail, exported, rows, filters, records } = entry;
  return {
    type,
    at: at.toISOString(),
    actor: by,
    keyName: entry.keyName,
    kind: findAccessAction(entry),
    letInByStaff: isByBreakGlass(entry, lastBreakGlass),
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
