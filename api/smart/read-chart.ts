import { mapChart } from '../../domain/intake/us-core/map-chart.ts';
import type { SavedChart } from '../../domain/intake/us-core/prefill.ts';
import type { PulledChart } from '../../domain/intake/us-core/pulled-chart.ts';
import { createPracticeClock } from '../practice-time/practice-clock.ts';

/**
 * Reads a chart with the clocks of practices. This is all of a launch's heavy work. Its arguments
 * and its result can be cloned, so any thread can do it.
 * @param timeZones IANA names
 * @returns null if the chart is too large to read
 */
export const readChart = (
  chart: PulledChart,
  timeZones: readonly string[],
  now: Date,
): SavedChart | null =>
  mapChart(
    chart,
    createPracticeClock('UTC', now),
    new Map(timeZones.map((timeZone) => [timeZone, createPracticeClock(timeZone, now)])),
  );
