import { type Restored, restoreEncrypted } from '../../adapters/embedded-postgres/restore.ts';
import type { ReportProgress } from '../../domain/progress.ts';

/** Which archive is restored, by which identities, and where. */
export interface RestoreOrder {
  readonly from: string;
  /** File with identities of age. */
  readonly identity: string;
  readonly to: string;
}

/**
 * Turns an encrypted backup into a data directory. No store is opened, so nothing is recorded:
 * anyone who holds the identity could also do it without the service.
 * @throws ArchiveRefused, leaving nothing behind
 */
export const restore = (
  { from, identity, to }: RestoreOrder,
  progress: ReportProgress,
): Promise<Restored> =>
  restoreEncrypted(from, identity, to, (done, total) =>
    progress({ work: 'Restoring', done, total, unit: 'bytes', isEstimate: false }),
  );
