import type { ReadChart } from './prefill.ts';

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

/** Picks the reading of a kept chart whose days are those of a zone's clock. @param timeZone IANA name */
export const pickChart = ({ inZones = {}, ...chart }: KeptChart, timeZone: string): ReadChart =>
  inZones[timeZone] ?? chart;
