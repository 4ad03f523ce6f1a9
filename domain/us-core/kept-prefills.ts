import type { ReadChart } from './prefill.ts';

/** A chart that was read for a browser, kept until it is saved, dropped or half an hour old. */
export interface KeptPrefill {
  readonly prefillId: string;
  readonly chart: ReadChart;
  readonly keptAt: Date;
}

/**
 * Pre-fills of launches. `browser` names the browser that launched, see `ehrBrowserOf`: no one else
 * finds them, and two launches stay two.
 */
export interface KeptPrefills {
  /** @returns its id */
  keep(browser: string, chart: ReadChart): Promise<string>;
  find(browser: string, prefillId: string): Promise<KeptPrefill | null>;
  /** The latest first. */
  list(browser: string): Promise<readonly KeptPrefill[]>;
  drop(browser: string, prefillId: string): Promise<void>;
}
