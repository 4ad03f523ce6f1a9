import { createBackupKey } from '../../adapters/crypto/backup-key.ts';
import { readSecretFile } from '../../adapters/crypto/keys.ts';
import { type Restored, restoreEncrypted } from '../../adapters/embedded-postgres/restore.ts';
import type { ReportProgress } from '../../domain/progress.ts';
import type { VerifierKey } from '../../transparency-log/signed-note.ts';
import type { Settings } from '../settings/settings.ts';

export interface RestoreOrder {
  readonly from: string;
  readonly identity: string;
  readonly to: string;
  /** Beside the key of the known secret. */
  readonly signedBy: readonly VerifierKey[];
  readonly acceptsUnsigned: boolean;
}

/**
 * Opens no store and records nothing: anyone with the identity could do this without the service.
 * @throws ArchiveRefused, leaving nothing behind
 */
export const restore = async (
  { registrySecret, dataDir }: Pick<Settings, 'registrySecret' | 'dataDir'>,
  { from, identity, to, signedBy, acceptsUnsigned }: RestoreOrder,
  progress: ReportProgress,
): Promise<Restored> => {
  // On the machine of the service itself, its secret verifies its backups.
  const fileSecret = await readSecretFile(dataDir).catch(() => null);
  const secrets = [registrySecret, fileSecret].filter((one) => one !== null);
  const keys = [...signedBy, ...secrets.map((secret) => createBackupKey(secret).verifier)];
  return restoreEncrypted(from, identity, to, { keys, acceptsUnsigned }, (done, total) =>
    progress({ work: 'Restoring', done, total, unit: 'bytes', isEstimate: false }),
  );
};
