/** How a torture is run. */
export interface TortureOptions {
  /** Any text: the same one does the same things in the same order. */
  readonly seed: string;
  /** With small counts: it shows that the torture runs, and finds what is plainly broken. */
  readonly isQuick: boolean;
  /** Told how far it is, in lines for a person. */
  readonly report: (line: string) => void;
}

/** What came of a torture. */
export interface TortureResult {
  /** What was done and seen: numbers, for the table. */
  readonly counts: Readonly<Record<string, number>>;
  /** What should never happen and did, a line each; none is what everybody hopes for. */
  readonly faults: readonly string[];
}

/** Tries to break a service that it starts itself, on a throw-away directory and the loopback. */
export type Torture = (options: TortureOptions) => Promise<TortureResult>;
