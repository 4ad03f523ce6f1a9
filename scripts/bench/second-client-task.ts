/** What a second client is told to do. */
export type ClientTask =
  | { readonly kind: 'watch'; readonly url: string; readonly pid: number }
  | {
      readonly kind: 'push';
      readonly url: string;
      readonly token: string;
      /** Begins the chart numbers. */
      readonly prefix: string;
      readonly pushes: number;
    };

/** What it saw of the service. */
export interface Watched {
  /** Bytes, the highest of many looks. */
  readonly peakRss: number;
  /** The longest wait for an answer of `/health/live`, milliseconds. */
  readonly longestMs: number;
  /** The longest stall of the watching process itself, milliseconds: what the machine adds. */
  readonly ownLongestMs: number;
}
