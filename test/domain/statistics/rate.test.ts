import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { computeRate } from '../../../domain/statistics/figures.ts';
import { runs } from '../../support/runs.ts';

const rates = suite('rates with Wilson intervals');

/**
 * Published figures: R. G. Newcombe, "Two-sided confidence intervals for the single proportion",
 * Statistics in Medicine 17 (1998) 857–872, table I, method 3.
 */
const PUBLISHED = [
  { numerator: 81, denominator: 263, low: 0.2553, high: 0.3662 },
  { numerator: 15, denominator: 148, low: 0.0624, high: 0.1605 },
  { numerator: 0, denominator: 20, low: 0, high: 0.1611 },
  { numerator: 1, denominator: 29, low: 0.0061, high: 0.1718 },
];

for (const { numerator, denominator, low, high } of PUBLISHED)
  rates(`${numerator} of ${denominator} as published`, () => {
    const rate = computeRate(numerator, denominator);
    assert.ok(Math.abs((rate.low ?? 1) - low) < 0.00005);
    assert.ok(Math.abs((rate.high ?? 0) - high) < 0.00005);
    assert.is(rate.value, numerator / denominator);
  });

rates('without known values there is neither value nor interval', () => {
  assert.equal(computeRate(0, 0), {
    numerator: 0,
    denominator: 0,
    value: null,
    low: null,
    high: null,
  });
});

rates('the interval holds the value and stays within 0 and 1; the complement mirrors it', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(100_000), (a, b) => {
      const denominator = Math.max(a, b, 1);
      const numerator = Math.min(a, b);
      const { value, low, high } = computeRate(numerator, denominator);
      const mirrored = computeRate(denominator - numerator, denominator);
      if (value === null || low === null || high === null) return false;
      return (
        low >= 0 &&
        high <= 1 &&
        low <= value &&
        value <= high &&
        low < high &&
        Math.abs((mirrored.low ?? 0) - (1 - high)) < 1e-9
      );
    }),
    runs(),
  );
});

rates.run();
