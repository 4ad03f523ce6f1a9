import type { ReportProgress } from '../../domain/progress.ts';

/** Output of a command to a person while it runs. */
export interface Reporter {
  /** Prints a noteworthy line that is not part of the result. */
  readonly report: (line: string) => void;
  /** Prints the beginning of a step that has no countable progress. */
  readonly step: (line: string) => void;
  readonly progress: ReportProgress;
}

/** For programs and tests. */
export const NO_REPORTER: Reporter = {
  report: () => undefined,
  step: () => undefined,
  progress: () => undefined,
};
