import type { ChartClock } from './chart-clock.ts';
import { mapChart } from './map-chart.ts';
import type { ReadChart } from './prefill.ts';
import type { PulledChart } from './pulled-chart.ts';

/** A chart that was read for a browser, kept until it is saved, dropped or half an hour old. */
export interface KeptPrefill {
  readonly prefillId: string;
  readonly chart: ReadChart;
  readonly keptAt: Date;
}

/**
 * A chart as it was read before anybody knows whose practice it is for: by UTC, and by the clocks of the
 * zones in which it says something else.
 */
export type KeptChart = ReadChart & {
  readonly inZones?: Readonly<Record<string, ReadChart>>;
};

/** Maps a chart for all the practices that may save it. @param clocks by the names of their zones */
export const mapForClocks = (
  chart: PulledChart,
  utc: ChartClock,
  clocks: ReadonlyMap<string, ChartClock>,
): KeptChart => {
  const inUtc = mapChart(chart, utc);
  const told = JSON.stringify(inUtc);
  const others = [...clocks]
    .map(([timeZone, clock]) => [timeZone, mapChart(chart, clock)] as const)
    .filter(([, read]) => JSON.stringify(read) !== told);
  return { ...inUtc, inZones: Object.fromEntries(others) };
};

/** A kept chart as the clock of a zone tells its days. @param timeZone IANA name */
export const chartIn = ({ inZones = {}, ...chart }: KeptChart, timeZone: string): ReadChart =>
  inZones[timeZone] ?? chart;
