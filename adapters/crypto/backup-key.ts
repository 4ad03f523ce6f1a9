import { buildVerifierKey } from '../../transparency-log/signed-note.ts';
import type { BackupKey } from '../embedded-postgres/backup-signature.ts';
import { deriveBackupSeed, toPublicKey, toSigningKey } from './keys.ts';

/** Key for the backups of a registry, derived from its secret: one opens them, the other verifies them. */
export const createBackupKey = (secret: string): BackupKey => {
  const signingKey = toSigningKey(deriveBackupSeed(secret));
  return { verifier: buildVerifierKey('registry-backup', toPublicKey(signingKey)), signingKey };
};
