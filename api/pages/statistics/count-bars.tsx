import { scaleBand, scaleLinear } from 'd3-scale';
import { formatCount } from './format-figures.ts';

export interface Bar {
  readonly name: string;
  /** Label below the bar. */
  readonly short: string;
  readonly count: number;
}

const WIDTH = 640;
const HEIGHT = 200;
const LEFT = 44;
/** Room for the label of the last bar, which may be wider than the bar. */
const RIGHT = 16;
const BOTTOM = 24;
const TOP = 8;
const TICKS = 4;
const MAX_NAMES = 12;

/** Bars of counts in the given order; the table next to it has the same counts. */
export const CountBars = ({ bars }: { readonly bars: readonly Bar[] }) => {
  const x = scaleBand(
    bars.map(({ name }) => name),
    [LEFT, WIDTH - RIGHT],
  )
    .padding(0.2)
    .round(true);
  const y = scaleLinear()
    .domain([0, Math.max(1, ...bars.map(({ count }) => count))])
    .rangeRound([HEIGHT - BOTTOM, TOP])
    .nice(TICKS);
  const everyNth = Math.ceil(bars.length / MAX_NAMES);
  return (
    <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      {y
        .ticks(TICKS)
        .filter(Number.isInteger)
        .map((tick) => (
          <g key={tick}>
            <line class="chart__line" x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
            <text class="chart__name" x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
              {formatCount(tick)}
            </text>
          </g>
        ))}
      {bars.map(({ name, short, count }, index) => (
        <g key={name}>
          <rect
            class="bars__bar"
            fill="currentColor"
            x={x(name)}
            y={y(count)}
            width={x.bandwidth()}
            height={y(0) - y(count)}
          />
          {index % everyNth === 0 && (
            <text
              class="chart__name"
              x={(x(name) ?? 0) + x.bandwidth() / 2}
              y={HEIGHT - 6}
              text-anchor="middle"
            >
              {short}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
};
