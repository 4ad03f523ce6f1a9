import type { ResultLine } from '../../../domain/submission/import-result.ts';

export interface ImportOutcome {
  readonly recorded: number;
  readonly amended: number;
  /** Included in recorded or amended. */
  readonly flagged: number;
  readonly refused: number;
  readonly notImported: number;
  /** The first refused rows, in file order. */
  readonly firstRefused: readonly ResultLine[];
}

/** Keeps one page of lines in memory. @param most maximum number of refused lines to keep */
export const toImportOutcome = async (
  lines: AsyncIterable<ResultLine>,
  most: number,
): Promise<ImportOutcome> => {
  const counts = { recorded: 0, amended: 0, refused: 0, 'not imported': 0 };
  let flagged = 0;
  const firstRefused: ResultLine[] = [];
  for await (const line of lines) {
    counts[line.outcome] += 1;
    if (line.isSuspectedDuplicate) flagged += 1;
    if (line.outcome === 'refused' && firstRefused.length < most) firstRefused.push(line);
  }
  const { recorded, amended, refused, 'not imported': notImported } = counts;
  return { recorded, amended, flagged, refused, notImported, firstRefused };
};
