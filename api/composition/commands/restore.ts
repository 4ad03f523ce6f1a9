import { type Restored, restoreEncrypted } from '../../../adapters/embedded-postgres/restore.ts';
import type { ReportProgress } from '../../../domain/progress.ts';

/** Which archive is restored, by which identities, and where. */
export interface RestoreOrder {
  readonly from: string;
  /** File with identities of age. */
  readonly identity: string;
  readonly to: string;
}

/**
 * Makes a data directory of an encrypted backup. No store is opened, so nothing is noted: everybody
 * who holds the identity could do it without the service too.
 * @throws ArchiveRefused, leaving nothing behind
 */
export const restore = (
  { from, identity, to }: RestoreOrder,
  progress: ReportProgress,
): Promise<Restored> =>
  restoreEncrypted(from, identity, to, (done, total) =>
    progress({ work: 'Restoring', done, total, unit: 'bytes', isEstimate: false }),
  );
