/** How long and how much the registry lets an EHR answer. */
export interface EhrLimits {
  readonly discoveryMs: number;
  readonly tokenMs: number;
  /** Of one page of a search, or one resource. */
  readonly pageMs: number;
  /** Of a whole chart. */
  readonly chartMs: number;
  /** Of an answer without health data. */
  readonly smallBytes: number;
  readonly pageBytes: number;
  /** Of one type of resource. */
  readonly pages: number;
  readonly rows: number;
}

/** The limits of the service. Our choice: a clinician waits for it. */
export const EHR_LIMITS: EhrLimits = {
  discoveryMs: 5_000,
  tokenMs: 10_000,
  pageMs: 10_000,
  chartMs: 25_000,
  smallBytes: 256 * 1024,
  pageBytes: 2 * 1024 * 1024,
  pages: 20,
  rows: 1_000,
};
