import { scaleLinear } from 'd3-scale';
import type { BenchmarkRate } from '../../../domain/statistics/benchmark.ts';
import type { Rate } from '../../../domain/statistics/figures.ts';
import { formatWholePercent } from './format-figures.ts';

const WIDTH = 340;
const HEIGHT = 62;
const LEFT = 14;
/** Room for the label of the last tick. */
const RIGHT = 20;
const OWN_AT = 14;
const OTHERS_AT = 32;
const AXIS_AT = 44;
const NAMES_AT = 58;
const DOT = 6;
const TICKS = 4;
/** Minimum scale, for rates of zero. */
const LEAST = 0.02;

/**
 * Scale from zero; the text next to it states both values. Shapes differ as well as colors: a
 * circle for the practice, a diamond for the others.
 */
export const ComparisonChart = ({
  own: { value, low, high },
  others,
}: {
  readonly own: Rate;
  readonly others: BenchmarkRate;
}) => {
  if (value === null || low === null || high === null) return null;
  const x = scaleLinear()
    .domain([0, Math.max(LEAST, high, others.value ?? 0)])
    .rangeRound([LEFT, WIDTH - RIGHT])
    .nice(TICKS);
  const ticks = x.ticks(TICKS).filter(isWholePercent);
  return (
    <svg class="comparison" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      {ticks.map((tick) => (
        <g key={tick}>
          <line class="chart__line" x1={x(tick)} x2={x(tick)} y1={0} y2={AXIS_AT} />
          <text class="chart__name" x={x(tick)} y={NAMES_AT} text-anchor="middle">
            {formatWholePercent(tick)}
          </text>
        </g>
      ))}
      <line class="chart__axis" x1={x(0)} x2={WIDTH - RIGHT} y1={AXIS_AT} y2={AXIS_AT} />
      {others.value !== null && (
        <path
          class="chart__others"
          d={`M${x(others.value) - DOT},${OTHERS_AT} l${DOT},${-DOT} l${DOT},${DOT} l${-DOT},${DOT} z`}
        />
      )}
      <g fill="currentColor" stroke="currentColor" stroke-width="2.5">
        <line x1={x(low)} x2={x(high)} y1={OWN_AT} y2={OWN_AT} />
        <circle cx={x(value)} cy={OWN_AT} r={DOT} />
      </g>
    </svg>
  );
};

const PERCENTS = 100;

/** Ticks between whole percents would have rounded labels. */
const isWholePercent = (value: number): boolean =>
  Math.abs(value * PERCENTS - Math.round(value * PERCENTS)) < Number.EPSILON * PERCENTS * PERCENTS;
