import type { BenchmarkRates } from './benchmark.ts';
import { RATES } from './definitions.ts';
import { computeRate, type Rate, type Rates } from './figures.ts';

export const MIN_CASES_TO_COMPARE = 30;

/** Minimum relative difference that is worth mentioning. */
export const MIN_DIFFERENCE = 0.1;

/** Maximum probability of reporting anything if nothing differs. */
const CHANCE = 0.05;

/** Maximum rounding error of the benchmark, which is in whole percent. */
const ROUNDED_BY = 0.005;

export type Direction = 'higher' | 'lower';

export interface Finding {
  readonly name: string;
  /** Difference from other practices, whose rate is `value`; `null` if not notable. */
  readonly elsewhere: { readonly direction: Direction; readonly value: number } | null;
  /** Difference from the previous period; `null` if not notable. */
  readonly before: {
    readonly direction: Direction;
    readonly recent: Rate;
    readonly past: Rate;
  } | null;
}

export interface Notable {
  /** Higher ones first, sorted by size of the difference. */
  readonly findings: readonly Finding[];
  readonly comparedElsewhere: number;
  readonly comparedBefore: number;
}

export interface TwoPeriods {
  readonly recent: Rates;
  readonly past: Rates;
}

/**
 * Finds notably high or low rates. A rate is notable if all of these are true:
 * - at least `MIN_CASES_TO_COMPARE` cases are known, in each period that is compared;
 * - its interval excludes the rate of the others, allowing for rounding; or the interval of the difference
 *   from the previous period excludes zero (Newcombe's, from Wilson's intervals). Because many rates are
 *   tested together, these intervals are wider than those shown (Bonferroni): if nothing differs, the chance
 *   of reporting anything is at most `CHANCE`;
 * - it differs by at least `MIN_DIFFERENCE` of the value that it is compared with.
 * @see R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics
 *   in Medicine 17 (1998) 873–890, method 10
 */
export const findNotable = (
  own: Rates,
  benchmark: BenchmarkRates,
  periods: TwoPeriods | null,
): Notable => {
  const compared = RATES.map(({ name }) => ({
    name,
    own: hasEnoughCases(own[name]),
    elsewhere: benchmark[name]?.value ?? null,
    recent: hasEnoughCases(periods?.recent[name]),
    past: hasEnoughCases(periods?.past[name]),
  }));
  const comparedElsewhere = compared.filter((one) => one.own !== null && one.elsewhere !== null);
  const comparedBefore = compared.filter((one) => one.recent !== null && one.past !== null);
  const z = computeNormalQuantile(
    CHANCE / Math.max(1, comparedElsewhere.length + comparedBefore.length),
  );
  const findings = compared.flatMap(
    ({ name, ...rates }): readonly (Finding & RelativeDifference)[] => {
      const elsewhere = compareToBenchmark(rates.own, rates.elsewhere, z);
      const before = compareToPrevious(rates.recent, rates.past, z);
      const first = elsewhere ?? before;
      if (first === null) return [];
      return [{ name, elsewhere, before, direction: first.direction, ratio: first.ratio }];
    },
  );
  return {
    findings: findings
      .toSorted((a, b) => rankFinding(a) - rankFinding(b) || b.ratio - a.ratio)
      .map(({ name, elsewhere, before }) => ({
        name,
        elsewhere: elsewhere && { direction: elsewhere.direction, value: elsewhere.value },
        before: before && {
          direction: before.direction,
          recent: before.recent,
          past: before.past,
        },
      })),
    comparedElsewhere: comparedElsewhere.length,
    comparedBefore: comparedBefore.length,
  };
};

interface RelativeDifference {
  readonly direction: Direction;
  readonly ratio: number;
}

const rankFinding = ({ direction }: RelativeDifference): number => (direction === 'higher' ? 0 : 1);

const hasEnoughCases = (rate: Rate | undefined): Rate | null =>
  rate !== undefined && rate.denominator >= MIN_CASES_TO_COMPARE ? rate : null;

const findDifference = (value: number, other: number): RelativeDifference | null => {
  if (Math.abs(value - other) < MIN_DIFFERENCE * other || value === other) return null;
  const direction = value > other ? 'higher' : 'lower';
  return { direction, ratio: Math.max(value, other) / Math.min(value, other) };
};

const compareToBenchmark = (own: Rate | null, value: number | null, z: number) => {
  if (own === null || own.value === null || value === null) return null;
  const { low, high } = computeRate(own.numerator, own.denominator, z);
  if (low === null || high === null) return null;
  const isExcluded = low > value + ROUNDED_BY || high < value - ROUNDED_BY;
  const difference = findDifference(own.value, value);
  return isExcluded && difference !== null ? { ...difference, value } : null;
};

const compareToPrevious = (recent: Rate | null, past: Rate | null, z: number) => {
  if (recent === null || past === null || recent.value === null || past.value === null) return null;
  const now = computeRate(recent.numerator, recent.denominator, z);
  const then = computeRate(past.numerator, past.denominator, z);
  const [below, above] = [computeDistances(now), computeDistances(then)];
  const apart = recent.value - past.value;
  const isExcluded =
    apart - Math.hypot(below.down, above.up) > 0 || apart + Math.hypot(below.up, above.down) < 0;
  const difference = findDifference(recent.value, past.value);
  return isExcluded && difference !== null ? { ...difference, recent, past } : null;
};

const computeDistances = ({ value, low, high }: Rate) => ({
  down: (value ?? 0) - (low ?? 0),
  up: (high ?? 0) - (value ?? 0),
});

/**
 * Both tails combined; the error is less than 0.00045.
 * @see M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 26.2.23
 */
export const computeNormalQuantile = (share: number): number => {
  const t = Math.sqrt(-2 * Math.log(share / 2));
  return (
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t * t) /
      (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t)
  );
};
