import { scaleLinear, scalePoint } from 'd3-scale';
import type { Rate } from '../../../domain/statistics/figures.ts';
import { formatWholePercent } from './format-figures.ts';

/** Rate in one period; `null` is not drawn. */
export interface RatePoint {
  readonly name: string;
  readonly short: string;
  readonly rate: Rate | null;
}

const WIDTH = 340;
const HEIGHT = 176;
const LEFT = 40;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 26;
const TICKS = 4;
const MAX_NAMES = 6;
const DOT = 3.5;
const LEAST = 0.02;

/** Rate over time with intervals, and the rate of other practices as a dashed line. */
export const RateChart = ({
  points,
  others,
}: {
  readonly points: readonly RatePoint[];
  readonly others: number | null;
}) => {
  // Whole pixels keep long fractions out of the page.
  const x = scalePoint(
    points.map(({ name }) => name),
    [LEFT, WIDTH - RIGHT],
  )
    .padding(0.5)
    .round(true);
  const highs = points.map(({ rate }) => rate?.high ?? 0);
  const y = scaleLinear()
    .domain([0, Math.max(LEAST, others ?? 0, ...highs)])
    .rangeRound([HEIGHT - BOTTOM, TOP])
    .nice(TICKS);
  const everyNth = Math.ceil(points.length / MAX_NAMES);
  const drawn = points.map(({ name, short, rate }) => ({
    name,
    short,
    at: x(name) ?? 0,
    rate: rate === null || rate.value === null ? null : rate,
  }));
  return (
    <svg class="over-time" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      {y.ticks(TICKS).map((tick) => (
        <g key={tick}>
          <line class="chart__line" x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
          <text class="chart__name" x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
            {formatWholePercent(tick)}
          </text>
        </g>
      ))}
      {others !== null && (
        <line
          class="chart__others"
          stroke-dasharray="6 4"
          x1={LEFT}
          x2={WIDTH}
          y1={y(others)}
          y2={y(others)}
        />
      )}
      <path
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        d={computeTrend(drawn.map(({ at, rate }) => [at, rate && y(rate.value ?? 0)]))}
      />
      <g fill="currentColor" stroke="currentColor" stroke-width="2.5">
        <path
          opacity="0.4"
          d={drawn
            .map(({ at, rate }) => rate && `M${at},${y(rate.low ?? 0)}V${y(rate.high ?? 0)}`)
            .join('')}
        />
        {drawn.map(
          ({ name, at, rate }) =>
            rate !== null && <circle key={name} cx={at} cy={y(rate.value ?? 0)} r={DOT} />,
        )}
      </g>
      <g class="chart__name" text-anchor="middle">
        {drawn
          .filter((_, index) => index % everyNth === 0)
          .map(({ name, short, at }) => (
            <text key={name} x={at} y={HEIGHT - 8}>
              {short}
            </text>
          ))}
      </g>
    </svg>
  );
};

/** Line through the points, with gaps at missing ones. */
const computeTrend = (points: readonly (readonly [x: number, y: number | null])[]): string => {
  let isDrawing = false;
  return points
    .flatMap(([x, y]) => {
      const command = isDrawing ? 'L' : 'M';
      isDrawing = y !== null;
      return y === null ? [] : [`${command}${x},${y}`];
    })
    .join('');
};
