import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { RowCounts, RowStatus } from '../../../domain/submission/staged-import.ts';
import type { PastImport } from '../../../projections/lists/practice-imports.ts';

export const STOPPED = 'Stopped early';

/** Row statuses, those that need attention first. */
export const STATUSES: readonly RowStatus[] = ['refused', 'flagged', 'amends', 'new'];

export const STATUS_WORDS: Readonly<Record<RowStatus, string>> = {
  refused: 'Rejected',
  flagged: 'Possible duplicate',
  amends: 'Amends',
  new: 'New',
};

export const countRows = (counts: RowCounts): number =>
  STATUSES.reduce((sum, status) => sum + counts[status], 0);

export const countImportable = (counts: RowCounts): number => countRows(counts) - counts.refused;

/** "312 rows: 280 new, 20 amend a record, 4 possible duplicates, 8 rejected". */
export const formatCounts = (counts: RowCounts): string => {
  const parts = [
    [counts.new, 'new'],
    [counts.amends, counts.amends === 1 ? 'amends a record' : 'amend a record'],
    [counts.flagged, counts.flagged === 1 ? 'possible duplicate' : 'possible duplicates'],
    [counts.refused, 'rejected'],
  ] as const;
  const phrases = parts.flatMap(([count, words]) =>
    count === 0 ? [] : [`${numberInWords(count)} ${words}`],
  );
  return `${countInWords(countRows(counts), 'row')}: ${phrases.join(', ')}`;
};

/** "Finished: 304 rows recorded, 8 rejected". */
export const formatOutcome = ({ status, accepted, rejected, undo }: PastImport): string => {
  if (undo === 'over') return 'Undone';
  if (undo === 'begun') return 'Undo in progress';
  switch (status) {
    case 'queued':
      return 'Waiting to start';
    case 'processing':
      return 'In progress';
    case 'failed':
      return STOPPED;
    case 'completed': {
      const imported = `${numberInWords(accepted ?? 0)} imported`;
      return rejected === null || rejected === 0
        ? imported
        : `${imported}, ${numberInWords(rejected)} rejected`;
    }
  }
};

/** "1,500 of 9,900 rows checked". */
export const formatChecked = (done: number, total: number): string =>
  total === 0
    ? 'Reading the file'
    : `${numberInWords(done)} of ${countInWords(total, 'row')} checked`;

/** "120 of 312 rows done". */
export const formatProgress = (processed: number, total: number): string =>
  `${numberInWords(processed)} of ${countInWords(total, 'row')} done`;
