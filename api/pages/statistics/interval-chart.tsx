import { scaleLinear } from 'd3-scale';
import type { BenchmarkRate } from '../../../domain/statistics/figures.ts';
import type { Rate } from '../../../domain/statistics/rate.ts';

const WIDTH = 180;
const HEIGHT = 28;
const MARGIN = 6;
const OWN_AT = 9;
const ALL_AT = 20;
const DOT = 4;

/** A rate beside its benchmark, each a dot on its interval, on a scale that ends at `most`. */
export const IntervalChart = ({
  own,
  all,
  most,
}: {
  readonly own: Rate;
  readonly all: BenchmarkRate;
  readonly most: number;
}) => {
  const x = scaleLinear([0, most], [MARGIN, WIDTH - MARGIN]);
  return (
    <svg class="interval" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      <line class="interval__axis" x1={x(0)} x2={x(most)} y1={HEIGHT - 1} y2={HEIGHT - 1} />
      <Dot of={all} x={x} y={ALL_AT} kind="all" />
      <Dot of={own} x={x} y={OWN_AT} kind="own" />
    </svg>
  );
};

const Dot = ({
  of: { value, low, high },
  x,
  y,
  kind,
}: {
  readonly of: Rate | BenchmarkRate;
  readonly x: (value: number) => number;
  readonly y: number;
  readonly kind: 'own' | 'all';
}) => {
  if (value === null || low === null || high === null) return null;
  return (
    <g class={`interval__${kind}`}>
      <line x1={x(low)} x2={x(high)} y1={y} y2={y} />
      {/* Told apart by shape, too: a circle is the practice, a diamond all of them. */}
      {kind === 'own' ? (
        <circle cx={x(value)} cy={y} r={DOT} />
      ) : (
        <path d={`M${x(value) - DOT},${y} l${DOT},${-DOT} l${DOT},${DOT} l${-DOT},${DOT} z`} />
      )}
    </g>
  );
};
