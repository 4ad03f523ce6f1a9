export interface EhrLimits {
  readonly discoveryMs: number;
  readonly tokenMs: number;
  /** For one page of a search, or one resource. */
  readonly pageMs: number;
  readonly chartMs: number;
  /** For a response without health data. */
  readonly smallBytes: number;
  readonly pageBytes: number;
  /** For all pages of a chart together. */
  readonly chartBytes: number;
  readonly pageEntries: number;
  /** For one type of resource. */
  readonly pages: number;
  readonly rows: number;
}

/** Default limits. Our choice: a clinician is waiting. */
export const EHR_LIMITS: EhrLimits = {
  discoveryMs: 5_000,
  tokenMs: 10_000,
  pageMs: 10_000,
  chartMs: 25_000,
  smallBytes: 256 * 1024,
  pageBytes: 2 * 1024 * 1024,
  chartBytes: 8 * 1024 * 1024,
  pageEntries: 2_000,
  pages: 20,
  rows: 1_000,
};
