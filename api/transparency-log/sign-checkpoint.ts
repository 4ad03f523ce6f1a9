import { openCheckpointKey } from '../../adapters/event-log/checkpoint-keys.ts';
import type { RegistryLog } from '../../adapters/event-log/registry-state.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { signNextCheckpoint } from '../../adapters/transparency-log/checkpoints.ts';
import { formatCheckpoint, type NextCheckpoint } from '../../transparency-log/checkpoint.ts';
import { signNote } from '../../transparency-log/signed-note.ts';

export interface CheckpointStores {
  readonly db: Db;
  readonly log: RegistryLog;
  readonly secret: string;
}

/** Signs at the position of the read tables. @throws WrongRegistrySecret, CheckpointDamaged */
export const signCheckpoint = async ({
  db,
  log,
  secret,
}: CheckpointStores): Promise<NextCheckpoint> => {
  const { verifier, signingKey, originNumber } = await openCheckpointKey(log, secret);
  return signNextCheckpoint(
    db,
    ({ size, root }) =>
      signNote(formatCheckpoint({ origin: verifier.name, size, root }), verifier, signingKey),
    originNumber,
  );
};
