/** A rate with its base and its 95 % interval; without known values there is none. */
export interface Rate {
  readonly numerator: number;
  readonly denominator: number;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/**
 * The rate with its Wilson score interval, which stays within 0 and 1 and holds for few cases too.
 * @see E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
 * Journal of the American Statistical Association 22 (1927) 209–212
 * @param z the two-sided quantile of another interval than that of 95 %
 */
export const computeRate = (numerator: number, denominator: number, z = Z): Rate => {
  if (denominator === 0) return { numerator, denominator, value: null, low: null, high: null };
  const value = numerator / denominator;
  const z2 = z * z;
  const centre = (value + z2 / (2 * denominator)) / (1 + z2 / denominator);
  const half =
    (z / (1 + z2 / denominator)) *
    Math.sqrt((value * (1 - value)) / denominator + z2 / (4 * denominator * denominator));
  // At 0 and 1 the interval ends there exactly: rounding must not carry it beyond.
  const low = numerator === 0 ? 0 : Math.max(0, centre - half);
  const high = numerator === denominator ? 1 : Math.min(1, centre + half);
  return { numerator, denominator, value, low, high };
};
