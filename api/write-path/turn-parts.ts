import type { LoadFingerprintHolders, LoadRecords } from '../../domain/course-of-care/ports.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import type {
  ClaimEntries,
  CountAnew,
  Dequeue,
  NoteFault,
  OpenChunks,
  PickEntries,
  UnclaimEntries,
} from '../../domain/ingestion/ports.ts';
import type { LoadProviders } from '../../domain/provider/ports.ts';
import type { AfterStep } from './fault-hook.ts';
import type { NoteProgress } from './tell-large-work.ts';
import type { TurnLeaseParts } from './turn-lease.ts';

/**
 * A record was found at another revision than it was decided on. Unlike a lost lease it costs a
 * try: the next run reads the log, and what does not heal by that must not be tried for ever.
 */
export class RecordMoved extends Error {
  override readonly name = 'RecordMoved';
}

/** What a turn works with: functions of the queue, the log, the read tables and the leases. */
export interface TurnParts extends TurnLeaseParts {
  readonly readStream: ReadStream;
  readonly pick: PickEntries;
  readonly claim: ClaimEntries;
  readonly unclaim: UnclaimEntries;
  readonly countAnew: CountAnew;
  readonly noteFault: NoteFault;
  readonly dequeue: Dequeue;
  readonly openChunks: OpenChunks;
  readonly loadRecords: LoadRecords;
  readonly loadFingerprintHolders: LoadFingerprintHolders;
  readonly loadProviders: LoadProviders;
  readonly isRequested: (name: string, holder: string) => Promise<boolean>;
  /** How far the read tables are, as far as this process knows. */
  readonly shownPosition: () => bigint;
  /** Nothing more is written just now: a projector that waits for a fuller batch need not. */
  readonly hurryProjection: () => void;
  /** Waits while others should have the processor: before each batch, and never for long. */
  readonly giveWay: () => Promise<void>;
  readonly submissionHash: (submissionUuid: string) => string;
  readonly idOf: (...parts: readonly (string | number)[]) => string;
  readonly newId: () => string;
  readonly now: () => Date;
  /** Told after each step how many courses of an ingestion are recorded. */
  readonly noteProgress: NoteProgress;
  readonly afterStep: AfterStep;
  /** Whether a fault says that the log or the database is away: a try that it ends is not counted. */
  readonly isOutage: (error: unknown) => boolean;
}
