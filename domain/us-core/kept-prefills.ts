import type { ReadChart } from './prefill.ts';

/** A chart that was read for a browser, kept until it is saved, dropped or half an hour old. */
export interface KeptPrefill {
  readonly prefillId: string;
  readonly chart: ReadChart;
  readonly keptAt: Date;
}
