import { MIN_CELL_SIZE, MIN_PRACTICES, RATES } from './definitions.ts';
import type { ContributedCell, ContributedCells } from './ports.ts';

/** Rate of other practices: a whole percentage, or hidden. Never includes counts. */
export interface BenchmarkRate {
  readonly numerator: null;
  readonly denominator: null;
  /** From 0 to 1, in steps of 0.01; `null` if hidden. */
  readonly value: number | null;
  readonly low: null;
  readonly high: null;
  readonly hidden: boolean;
}

export type BenchmarkRates = Readonly<Record<string, BenchmarkRate>>;

export interface Benchmark {
  /** Number of other practices, even those without births under a filter. */
  readonly practices: number;
  readonly rates: BenchmarkRates;
  /** Only groups with a published rate: an empty group would reveal that some practice had a birth there. */
  readonly by: {
    readonly place: Readonly<Record<string, BenchmarkRates>>;
    readonly attendantRole: Readonly<Record<string, BenchmarkRates>>;
  };
}

/**
 * Shown only if enough practices have births, none has more than half of them, and at least
 * `MIN_CELL_SIZE` are counted and as many are not.
 * @see spec "Provider identity (partner lane only)"
 * @see docs/decisions/2026-11-24-benchmark-suppression.md
 */
export const computeBenchmark = (practices: number, cells: ContributedCells): Benchmark => ({
  practices,
  rates: listRates(cells),
  by: {
    place: findPublished(cells, ({ place }) => place),
    attendantRole: findPublished(cells, ({ attendantRole }) =>
      attendantRole === 'other' ? null : attendantRole,
    ),
  },
});

const findPublished = (
  { courses, births }: ContributedCells,
  by: (cell: ContributedCell) => string | null,
): Readonly<Record<string, BenchmarkRates>> => {
  const names = new Set([...courses, ...births].map(by).filter((name) => name !== null));
  const rated = [...names].sort().map((name) => {
    const isInGroup = (cell: ContributedCell): boolean => by(cell) === name;
    const rates = listRates({
      courses: courses.filter(isInGroup),
      births: births.filter(isInGroup),
    });
    return [name, rates] as const;
  });
  return Object.fromEntries(
    rated.filter(([, rates]) => Object.values(rates).some(({ hidden }) => !hidden)),
  );
};

const listRates = ({ courses, births }: ContributedCells): BenchmarkRates =>
  Object.fromEntries(
    RATES.map(({ name, unit }) => [name, toRate(name, unit === 'birth' ? births : courses)]),
  );

const toRate = (name: string, cells: readonly ContributedCell[]): BenchmarkRate => {
  const known = new Map<string, number>();
  let [numerator, denominator] = [0, 0];
  for (const { practiceId, tallies } of cells) {
    const tally = tallies[name];
    if (tally === undefined || tally.denominator === 0) continue;
    numerator += tally.numerator;
    denominator += tally.denominator;
    known.set(practiceId, (known.get(practiceId) ?? 0) + tally.denominator);
  }
  const isPublishable =
    known.size >= MIN_PRACTICES &&
    Math.max(...known.values()) * 2 <= denominator &&
    numerator >= MIN_CELL_SIZE &&
    denominator - numerator >= MIN_CELL_SIZE;
  const value = isPublishable ? Math.round((numerator / denominator) * 100) / 100 : null;
  return {
    numerator: null,
    denominator: null,
    value,
    low: null,
    high: null,
    hidden: !isPublishable,
  };
};
