import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BenchmarkRates } from '../../../domain/statistics/benchmark.ts';
import { computeRate, type Rates } from '../../../domain/statistics/figures.ts';
import { computeNormalQuantile, findNotable } from '../../../domain/statistics/notable.ts';

const notable = suite('what is notably high or low');

type Counted = Readonly<Record<string, readonly [numerator: number, denominator: number]>>;

const ratesOf = (counted: Counted): Rates =>
  Object.fromEntries(Object.entries(counted).map(([name, [n, d]]) => [name, computeRate(n, d)]));

const benchmarkOf = (values: Readonly<Record<string, number | null>>): BenchmarkRates =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { numerator: null, denominator: null, value, low: null, high: null, hidden: value === null },
    ]),
  );

interface Row {
  readonly name: string;
  readonly own: Counted;
  readonly others?: Readonly<Record<string, number | null>>;
  readonly recent?: Counted;
  readonly past?: Counted;
  /** `cesarean higher elsewhere`; empty: nothing stands out. */
  readonly says: readonly string[];
}

/** Many rates that are the same everywhere: looked at together with the one that is asked about. */
const SAME = ['induction', 'augmentation', 'transfer', 'preterm', 'lowBirthWeight', 'lowApgar'];
const same = Object.fromEntries(SAME.map((name) => [name, [100, 400] as const]));
const sameElsewhere = Object.fromEntries(SAME.map((name) => [name, 0.25]));

const ROWS: readonly Row[] = [
  {
    name: 'an interval above the others is high',
    own: { cesarean: [153, 400] },
    others: { cesarean: 0.29 },
    says: ['cesarean higher elsewhere'],
  },
  {
    name: 'an interval below the others is low',
    own: { vbac: [10, 400] },
    others: { vbac: 0.13 },
    says: ['vbac lower elsewhere'],
  },
  {
    name: 'an interval that holds the others is nothing',
    own: { cesarean: [128, 400] },
    others: { cesarean: 0.29 },
    says: [],
  },
  {
    name: 'the others may lie half a percent nearer, as they are rounded',
    own: { lowApgar: [460, 10_000] },
    others: { lowApgar: 0.04 },
    says: [],
  },
  {
    name: 'few cases are compared with nothing',
    own: { cesarean: [29, 29] },
    others: { cesarean: 0.29 },
    says: [],
  },
  {
    name: 'thirty are enough',
    own: { cesarean: [30, 30] },
    others: { cesarean: 0.29 },
    says: ['cesarean higher elsewhere'],
  },
  {
    name: 'others that are hidden say nothing',
    own: { cesarean: [400, 400] },
    others: { cesarean: null },
    says: [],
  },
  {
    name: 'a small difference among very many is not worth a word',
    own: { cesarean: [31_000, 100_000] },
    others: { cesarean: 0.29 },
    says: [],
  },
  {
    name: 'alone, a rate whose interval just excludes the others is named',
    own: { cesarean: [140, 400] },
    others: { cesarean: 0.29 },
    says: ['cesarean higher elsewhere'],
  },
  {
    name: 'among many that are looked at together the same rate is not',
    own: { ...same, cesarean: [140, 400] },
    others: { ...sameElsewhere, cesarean: 0.29 },
    says: [],
  },
  {
    name: 'none where there should be some is low',
    own: { cesarean: [0, 60] },
    others: { cesarean: 0.29 },
    says: ['cesarean lower elsewhere'],
  },
  {
    name: 'more than in the time before is high',
    own: { cesarean: [160, 400] },
    recent: { cesarean: [160, 400] },
    past: { cesarean: [100, 400] },
    says: ['cesarean higher before'],
  },
  {
    name: 'about as much as in the time before is nothing',
    own: { cesarean: [110, 400] },
    recent: { cesarean: [110, 400] },
    past: { cesarean: [100, 400] },
    says: [],
  },
  {
    name: 'a time before with few cases is compared with nothing',
    own: { cesarean: [400, 400] },
    recent: { cesarean: [400, 400] },
    past: { cesarean: [0, 29] },
    says: [],
  },
  {
    name: 'both at once are one finding',
    own: { cesarean: [160, 400] },
    others: { cesarean: 0.29 },
    recent: { cesarean: [160, 400] },
    past: { cesarean: [100, 400] },
    says: ['cesarean higher elsewhere, higher before'],
  },
  {
    name: 'what is high comes before what is low, the farthest first',
    own: { induction: [10, 400], cesarean: [200, 400], preterm: [200, 400] },
    others: { induction: 0.25, cesarean: 0.25, preterm: 0.1 },
    says: ['preterm higher elsewhere', 'cesarean higher elsewhere', 'induction lower elsewhere'],
  },
];

for (const { name, own, others = {}, recent, past, says } of ROWS)
  notable(name, () => {
    const periods =
      recent === undefined || past === undefined
        ? null
        : { recent: ratesOf(recent), past: ratesOf(past) };
    const { findings } = findNotable(ratesOf(own), benchmarkOf(others), periods);
    assert.equal(
      findings.map(({ name: rate, elsewhere, before }) =>
        [
          rate,
          [
            ...(elsewhere === null ? [] : [`${elsewhere.direction} elsewhere`]),
            ...(before === null ? [] : [`${before.direction} before`]),
          ].join(', '),
        ].join(' '),
      ),
      says,
    );
  });

notable('what could be compared is counted', () => {
  const own = ratesOf({ cesarean: [10, 100], preterm: [1, 10], induction: [10, 100] });
  const { comparedElsewhere, comparedBefore } = findNotable(
    own,
    benchmarkOf({ cesarean: 0.1, preterm: 0.1, induction: null }),
    { recent: own, past: own },
  );
  assert.equal([comparedElsewhere, comparedBefore], [1, 2]);
});

for (const [share, quantile] of [
  [0.1, 1.644854],
  [0.05, 1.959964],
  [0.01, 2.575829],
  [0.001, 3.290527],
] as const)
  notable(`beyond ${quantile} lies ${share} of the normal distribution`, () => {
    assert.ok(
      Math.abs(computeNormalQuantile(share) - quantile) < 0.00045,
      String(computeNormalQuantile(share)),
    );
  });

notable.run();
