import { scaleLinear } from 'd3-scale';
import type { BenchmarkRate } from '../../../domain/statistics/benchmark.ts';
import type { Rate } from '../../../domain/statistics/rate.ts';

const WIDTH = 180;
const HEIGHT = 28;
const MARGIN = 6;
const OWN_AT = 9;
const OTHERS_AT = 20;
const DOT = 4;

/** A rate on its interval beside that of others, on a scale that ends at `most`. */
export const IntervalChart = ({
  own,
  others,
  most,
}: {
  readonly own: Rate;
  readonly others: BenchmarkRate;
  readonly most: number;
}) => {
  const x = scaleLinear([0, most], [MARGIN, WIDTH - MARGIN]);
  return (
    <svg class="interval" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      <line class="interval__axis" x1={x(0)} x2={x(most)} y1={HEIGHT - 1} y2={HEIGHT - 1} />
      {others.value !== null && <Diamond at={x(others.value)} />}
      <Circle of={own} x={x} />
    </svg>
  );
};

// Told apart by shape, too: a circle is the practice, a diamond the others.

const Diamond = ({ at }: { readonly at: number }) => (
  <g class="interval__all">
    <path d={`M${at - DOT},${OTHERS_AT} l${DOT},${-DOT} l${DOT},${DOT} l${-DOT},${DOT} z`} />
  </g>
);

const Circle = ({
  of: { value, low, high },
  x,
}: {
  readonly of: Rate;
  readonly x: (value: number) => number;
}) =>
  value === null || low === null || high === null ? null : (
    <g class="interval__own">
      <line x1={x(low)} x2={x(high)} y1={OWN_AT} y2={OWN_AT} />
      <circle cx={x(value)} cy={OWN_AT} r={DOT} />
    </g>
  );
