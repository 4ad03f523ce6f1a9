/** A push as the log of recent ingestions shows it: no outcome of any one record. */
export interface ListedPush {
  readonly ingestionId: string;
  readonly receivedAt: Date;
  readonly keyName: string | null;
  /** Null with a native key. */
  readonly partnerName: string | null;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly records: number;
  /** Null until it is completed. */
  readonly accepted: number | null;
  readonly rejected: number | null;
  /** The fixed sentence of a failed one. */
  readonly error: string | null;
}

/** A stretch of the newest pushes. */
export interface PushesAsked {
  /** How many newer ones to leave out. */
  readonly from: number;
  readonly count: number;
  /** Older ones than this many are not looked at, nor counted. */
  readonly most: number;
}

/** The newest pushes to a practice, newest first. */
export type FindPushes = (
  practiceId: string,
  asked: PushesAsked,
) => Promise<{ readonly total: number; readonly pushes: readonly ListedPush[] }>;
