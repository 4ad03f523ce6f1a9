/** Processor seconds of test files. */
type Seconds = Readonly<Record<string, number>>;

/** What a run took, compared with the record. */
export interface Budget {
  /** Seconds here for one second of the record: of a slow machine, or of a busy one. */
  readonly pace: number;
  /** Files by which the pace was found. */
  readonly compared: number;
  readonly allowed: number;
  readonly used: number;
  /** Files that took more than their part, the largest growth first. */
  readonly grown: readonly {
    readonly file: string;
    readonly seconds: number;
    readonly was: number;
  }[];
}

/**
 * What the total may exceed. Versions of Node and busy machines move files that start services by up to a tenth
 * against the median.
 */
const SLACK = 1.25;
/** Shorter ones say little about a pace. */
const MIN_COMPARED_SECONDS = 5;

/**
 * Compares the files of a whole run with the record. The pace is the median of their ratios, which a few grown
 * files do not move. A change that slows down half of the files alike passes for a slow machine.
 * @returns null where nothing can be compared
 */
export const checkBudget = (took: Seconds, recorded: Seconds): Budget | null => {
  const ratios = Object.entries(took)
    .map(([file, seconds]) => ({ seconds, was: recorded[file] ?? 0 }))
    .filter(({ was }) => was >= MIN_COMPARED_SECONDS)
    .map(({ seconds, was }) => seconds / was)
    .toSorted((a, b) => a - b);
  const pace = ratios[Math.floor((ratios.length - 1) / 2)] ?? 0;
  if (pace === 0) return null;
  const grown = Object.entries(took)
    .map(([file, seconds]) => ({ file, seconds, was: (recorded[file] ?? 0) * pace }))
    .filter(({ seconds, was }) => seconds > Math.max(was * SLACK, was + 1))
    .toSorted((a, b) => b.seconds - b.was - (a.seconds - a.was));
  const sum = (of: readonly number[]): number => of.reduce((all, one) => all + one, 0);
  return {
    pace,
    compared: ratios.length,
    // Of the files that are there: what was removed does not pay for what has grown.
    allowed: sum(Object.keys(took).map((file) => recorded[file] ?? 0)) * pace * SLACK,
    used: sum(Object.values(took)),
    grown,
  };
};

/** The comparison in words, and whether the run is over its budget. */
export const describeBudget = (
  budget: Budget,
): { readonly text: string; readonly isOver: boolean } => {
  const { pace, compared, allowed, used, grown } = budget;
  const isOver = used > allowed;
  const lines = [
    `Budget: ${used.toFixed(0)} of ${allowed.toFixed(0)} s of processors, at ${pace.toFixed(2)} of the recorded pace, the median of ${compared} files.`,
  ];
  if (isOver)
    lines.push(
      'Over the budget. Make these files cheaper, or move rows to `*.long.test.ts`; `npm test -- --save-times` records what has to be:',
      ...grown
        .slice(0, MAX_LISTED)
        .map(
          ({ file, seconds, was }) =>
            `  ${seconds.toFixed(1)} s, ${was.toFixed(1)} s before: ${file}`,
        ),
    );
  return { text: lines.map((line) => `${line}\n`).join(''), isOver };
};

const MAX_LISTED = 10;
