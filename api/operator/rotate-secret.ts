import { archiveSecretFile, readSecretFile } from '../../adapters/crypto/keys.ts';
import {
  isIdentityKeyOpenedBy,
  rewrapIdentityKey,
} from '../../adapters/event-log/registry-identity.ts';
import { areQueueKeysOpenedBy, rewrapQueueKeys } from '../../adapters/postgres/keys/queue-keys.ts';
import type { ReportProgress } from '../../domain/progress.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import type { ServiceLog } from '../process/logging.ts';
import type { Settings } from '../settings/settings.ts';
import { requireRegistry } from '../stores/require-registry.ts';
import { type OpenStores, openLogAndDatabase } from '../stores/stores.ts';

/** Omits keys that the new secret already opened. */
export interface SecretRotated {
  readonly rewrapped: readonly ('identity-key' | 'queue-key')[];
}

/**
 * Rewraps the keys of the registry, which stay, so streams keep their names; a running service
 * needs the new secret only at its next start. Run again after a crash, it finishes the work. Archives
 * the secret file last, which no longer opens anything.
 * @throws CommandRefused, WrongRegistrySecret
 */
export const rotateSecret = async (
  settings: Settings,
  serviceLog: ServiceLog,
  progress: ReportProgress = () => undefined,
): Promise<SecretRotated> => {
  const { registrySecret: next, databaseUrl, dataDir } = settings;
  if (next === null)
    throw new CommandRefused(
      'no-secret',
      'REGISTRY_SECRET is not set. Set it to the new secret, of at least 32 bytes.',
    );
  await requireRegistry(settings);
  const fileSecret = databaseUrl === null ? await readSecretFile(dataDir) : null;
  const previous = settings.previousRegistrySecret ?? fileSecret;
  const stores = await openLogAndDatabase(settings, 'command', serviceLog);
  try {
    const rewrapped = await rewrap(stores, previous, next, progress);
    if (fileSecret !== null && fileSecret !== next) await archiveSecretFile(dataDir, new Date());
    return { rewrapped };
  } finally {
    await stores.close();
  }
};

const KEYS = 2;

const rewrap = async (
  { log, db }: Pick<OpenStores, 'log' | 'db'>,
  previous: string | null,
  next: string,
  progress: ReportProgress,
): Promise<SecretRotated['rewrapped']> => {
  const reportDone = (done: number) =>
    progress({ work: 'Wrapping the keys', done, total: KEYS, unit: 'keys', isEstimate: false });
  reportDone(0);
  const isDone =
    (await isIdentityKeyOpenedBy(log.readStream, next)) && (await areQueueKeysOpenedBy(db, next));
  if (isDone) return [];
  if (previous === null)
    throw new CommandRefused(
      'no-previous-secret',
      'PREVIOUS_REGISTRY_SECRET is not set. Set it to the secret that is in force until now.',
    );
  const secrets = { previous, next };
  const identity = await rewrapIdentityKey(log, secrets);
  reportDone(1);
  const isQueueRewrapped = await rewrapQueueKeys(db, secrets);
  reportDone(KEYS);
  return [
    ...(identity === 'rewrapped' ? ['identity-key' as const] : []),
    ...(isQueueRewrapped ? ['queue-key' as const] : []),
  ];
};
