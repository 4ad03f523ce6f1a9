import { type Restored, restoreEncrypted } from '../../adapters/embedded-postgres/restore.ts';
import type { ReportProgress } from '../../domain/progress.ts';

export interface RestoreOrder {
  readonly from: string;
  /** File of age identities. */
  readonly identity: string;
  readonly to: string;
}

/**
 * Decrypts a backup into a data directory. Opens no store and records nothing: anyone with the
 * identity could do this without the service.
 * @throws ArchiveRefused, leaving nothing behind
 */
export const restore = (
  { from, identity, to }: RestoreOrder,
  progress: ReportProgress,
): Promise<Restored> =>
  restoreEncrypted(from, identity, to, (done, total) =>
    progress({ work: 'Restoring', done, total, unit: 'bytes', isEstimate: false }),
  );
