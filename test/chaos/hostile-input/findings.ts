/** @see newFindings */
export type Findings = ReturnType<typeof newFindings>;

const LISTED_OF_A_KIND = 8;

/** What was done and what came of it, gathered over a whole run. */
export const newFindings = () => {
  const counts = new Map<string, number>();
  const found = new Map<string, string[]>();
  return {
    /** Counts something once more, or so many times. */
    count: (what: string, times = 1): void =>
      void counts.set(what, (counts.get(what) ?? 0) + times),
    /** Notes what should never happen. Only the first of a kind are listed; the others are counted. */
    fault(kind: string, where: string): void {
      found.set(kind, [...(found.get(kind) ?? []), where]);
    },
    counts: (): Readonly<Record<string, number>> => Object.fromEntries(counts),
    faults: (): readonly string[] =>
      [...found].flatMap(([kind, wheres]) => [
        ...wheres.slice(0, LISTED_OF_A_KIND).map((where) => `${kind}: ${where}`),
        ...(wheres.length > LISTED_OF_A_KIND
          ? [`${kind}: ${wheres.length - LISTED_OF_A_KIND} more`]
          : []),
      ]),
  };
};
