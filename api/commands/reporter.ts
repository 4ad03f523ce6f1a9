import type { ReportProgress } from '../../domain/progress.ts';

export interface Reporter {
  readonly report: (line: string) => void;
  /** For a step without countable progress. */
  readonly step: (line: string) => void;
  readonly progress: ReportProgress;
}

/** For programs and tests. */
export const NO_REPORTER: Reporter = {
  report: () => undefined,
  step: () => undefined,
  progress: () => undefined,
};
