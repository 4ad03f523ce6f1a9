import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { RowCounts, RowStatus } from '../../../domain/submission/staged-import.ts';
import type { PastImport } from '../../../projections/lists/practice-imports.ts';

/** How an import stands that has failed. */
export const STOPPED = 'Stopped before its end';

/** Everything a file will do, in the order in which it needs a look. */
export const STATUSES: readonly RowStatus[] = ['refused', 'flagged', 'amends', 'new'];

/** What the rows of a status are called, as a mark and as a choice of rows. */
export const STATUS_WORDS: Readonly<Record<RowStatus, string>> = {
  refused: 'Rejected',
  flagged: 'Looks like another',
  amends: 'Amends',
  new: 'New',
};

/** Filled rows of a file. */
export const rowsIn = (counts: RowCounts): number =>
  STATUSES.reduce((sum, status) => sum + counts[status], 0);

/** Rows of a file that an import takes. */
export const importableIn = (counts: RowCounts): number => rowsIn(counts) - counts.refused;

/** What a file will do: "312 rows: 280 new, 20 amend a record, 4 look like another, 8 refused". */
export const countsInWords = (counts: RowCounts): string => {
  const parts = [
    [counts.new, 'new'],
    [counts.amends, counts.amends === 1 ? 'amends a record' : 'amend a record'],
    [counts.flagged, counts.flagged === 1 ? 'looks like another birth' : 'look like another birth'],
    [counts.refused, 'rejected'],
  ] as const;
  const said = parts.flatMap(([count, words]) =>
    count === 0 ? [] : [`${numberInWords(count)} ${words}`],
  );
  return `${countInWords(rowsIn(counts), 'row')}: ${said.join(', ')}`;
};

/** What became of an import: "Finished: 304 rows recorded, 8 refused". */
export const outcomeInWords = ({ status, accepted, rejected, undo }: PastImport): string => {
  if (undo === 'over') return 'Undone';
  if (undo === 'begun') return 'Undo in progress';
  switch (status) {
    case 'queued':
      return 'Waiting to begin';
    case 'processing':
      return 'Going on';
    case 'failed':
      return STOPPED;
    case 'completed': {
      const taken = `${numberInWords(accepted ?? 0)} imported`;
      return rejected === null || rejected === 0
        ? taken
        : `${taken}, ${numberInWords(rejected)} rejected`;
    }
  }
};

/** How far an import is: "120 of 312 rows done". */
export const progressInWords = (processed: number, total: number): string =>
  `${numberInWords(processed)} of ${countInWords(total, 'row')} done`;
