import { generatedSecret } from '../../adapters/crypto/registry-secret.ts';
import { rewrapIdentityKey } from '../../adapters/eventstore/registry-identity.ts';
import { rewrapQueueKey } from '../../adapters/postgres/queue-key.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import type { ServiceLog } from './logging.ts';
import { requireRegistry } from './require-registry.ts';
import type { Settings } from './settings.ts';
import { openLogAndDatabase } from './stores.ts';

/** Which keys were wrapped anew; those that the new secret opened already were left. */
export interface SecretRotated {
  readonly rewrapped: readonly ('identity-key' | 'queue-key')[];
}

/**
 * Wraps the keys of the registry by `REGISTRY_SECRET`, which until now were wrapped by
 * `PREVIOUS_REGISTRY_SECRET`, or by the secret that the data directory holds. The keys themselves
 * stay: streams keep their names, and a running service goes on; it needs the new secret at its
 * next start. After a death in between the same command finishes the work.
 * @throws CommandRefused, WrongRegistrySecret
 */
export const rotateSecret = async (
  settings: Settings,
  serviceLog: ServiceLog,
): Promise<SecretRotated> => {
  const { registrySecret: next, databaseUrl, dataDir } = settings;
  if (next === null)
    throw new CommandRefused(
      'REGISTRY_SECRET is not set. Set it to the new secret, of at least 32 bytes.',
    );
  await requireRegistry(settings);
  const isEmbedded = databaseUrl === null;
  const previous =
    settings.previousRegistrySecret ?? (isEmbedded ? await generatedSecret(dataDir) : null);
  if (previous === null)
    throw new CommandRefused(
      'PREVIOUS_REGISTRY_SECRET is not set. Set it to the secret that is in force until now.',
    );
  const { db, log, close } = await openLogAndDatabase(settings, 'command', serviceLog);
  try {
    const secrets = { previous, next };
    const identity = await rewrapIdentityKey(log, secrets);
    const isQueueRewrapped = await rewrapQueueKey(db, secrets);
    return {
      rewrapped: [
        ...(identity === 'rewrapped' ? ['identity-key' as const] : []),
        ...(isQueueRewrapped ? ['queue-key' as const] : []),
      ],
    };
  } finally {
    await close();
  }
};
