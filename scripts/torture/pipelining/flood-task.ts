/** What a flooding client is told to do. */
export interface FloodTask {
  readonly port: number;
  /** One request, sent again and again without waiting for an answer. */
  readonly request: string;
  /** Connects again whenever it is closed. */
  readonly connectsAgain: boolean;
  /** Most bytes that it sends on one connection. */
  readonly mostBytes: number;
  /** Milliseconds after which it stops. */
  readonly withinMs: number;
}

/** What came of it. */
export interface Flooded {
  readonly connections: number;
  /** Connections that the service closed. */
  readonly closed: number;
  readonly bytes: number;
}
