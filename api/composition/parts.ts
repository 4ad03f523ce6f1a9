import type { QueueCipher } from '../../adapters/crypto/queue-cipher.ts';
import type { AccessVersion } from '../../adapters/postgres/access-version.ts';
import type { IngestionQueue } from '../../adapters/postgres/ingestion-queue.ts';
import type { KeyUse } from '../../adapters/postgres/key-use.ts';
import type { Leases } from '../../adapters/postgres/leases.ts';
import type { ProjectionProgress } from '../../adapters/postgres/projection-progress.ts';
import type { AccessNotes } from '../access-log/access-notes.ts';
import type { Meters } from '../health/metrics.ts';
import type { DoorFirst } from '../write-path/door-first.ts';
import type { AfterStep } from '../write-path/fault-hook.ts';
import type { Settings } from './settings.ts';
import type { Standing } from './standing.ts';
import type { Stores } from './stores.ts';

/** What the parts of a running service share. */
export interface SharedParts {
  readonly settings: Settings;
  readonly stores: Stores;
  readonly queue: IngestionQueue;
  /** Seals what waits in the queue, and imports before it. */
  readonly cipher: QueueCipher;
  readonly leases: Leases;
  readonly progress: ProjectionProgress;
  readonly accessVersion: AccessVersion;
  readonly keyUse: KeyUse;
  /** What pages tell of who sees what. */
  readonly accessNotes: AccessNotes;
  readonly doorFirst: DoorFirst;
  readonly afterStep: AfterStep;
  /** Where parts count what they do. */
  readonly meters: Meters;
  /** How this process stands. */
  readonly standing: Standing;
  readonly now: () => Date;
  /** Tells of a fault that a part recovers from by itself. */
  readonly onFault: (what: string) => (error: unknown) => void;
  readonly plays: (role: 'api' | 'worker' | 'projector') => boolean;
}
