import type { ReportProgress } from '../../domain/progress.ts';

/** How a command tells a person what goes on before its result is there. */
export interface Reporter {
  /** A line beside the result, for what is noteworthy. */
  readonly report: (line: string) => void;
  /** A line for a step that begins and cannot be counted. */
  readonly step: (line: string) => void;
  readonly progress: ReportProgress;
}

/** For programs, and tests. */
export const NO_REPORTER: Reporter = {
  report: () => undefined,
  step: () => undefined,
  progress: () => undefined,
};
