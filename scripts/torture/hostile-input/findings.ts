/** What was done and what came of it, gathered over a whole run. */
export interface Findings {
  /** Counts something once more, or so many times. */
  count(what: string, times?: number): void;
  /** Notes what should never happen. The same kind of thing is told a few times, then counted. */
  fault(kind: string, where: string): void;
  counts(): Readonly<Record<string, number>>;
  faults(): readonly string[];
}

const TOLD_OF_A_KIND = 8;

/** Empty ones. */
export const newFindings = (): Findings => {
  const counts = new Map<string, number>();
  const found = new Map<string, string[]>();
  return {
    count: (what, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    fault(kind, where) {
      found.set(kind, [...(found.get(kind) ?? []), where]);
    },
    counts: () => Object.fromEntries(counts),
    faults: () =>
      [...found].flatMap(([kind, wheres]) => [
        ...wheres.slice(0, TOLD_OF_A_KIND).map((where) => `${kind}: ${where}`),
        ...(wheres.length > TOLD_OF_A_KIND
          ? [`${kind}: ${wheres.length - TOLD_OF_A_KIND} more`]
          : []),
      ]),
  };
};
