import type { SealingKeys } from '../../adapters/crypto/sealing.ts';
import { openFingerprintKeys } from '../../adapters/event-log/registry-identity.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import {
  createFirstQueueKey,
  loadQueueKeys,
  openQueueKey,
} from '../../adapters/postgres/keys/queue-keys.ts';
import {
  type FingerprintKeys,
  listFingerprintKeys,
} from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import type { ReadStream } from '../../domain/event-log.ts';

export class RotatedKeysClosed extends Error {
  override readonly name = 'RotatedKeysClosed';
}

export interface RegistryKeys extends SealingKeys {
  fingerprintKeysAt(moment: Date): FingerprintKeys;
  hasOlderKeys(): boolean;
  /** Also drops deleted keys. @throws RotatedKeysClosed */
  look(): Promise<void>;
  stop(): void;
}

interface KeyStores {
  readonly db: Db;
  readonly log: { readonly readStream: ReadStream };
  readonly secret: string;
}

const POLL_INTERVAL_MS = 30_000;

/**
 * Checks regularly for new keys, because `rotate-keys` makes them while services run.
 * @param onFault called once per interruption of these checks
 * @throws WrongRegistrySecret
 */
export const openRegistryKeys = async (
  { db, log, secret }: KeyStores,
  onFault: (error: unknown) => void,
): Promise<RegistryKeys> => {
  await createFirstQueueKey(db, secret);
  let queueKeys: ReadonlyMap<number, Buffer> = new Map();
  let fingerprintKeys = await openFingerprintKeys(log.readStream, secret);

  const read = async (): Promise<void> => {
    const rows = await loadQueueKeys(db);
    queueKeys = new Map(
      rows.map((one) => [one.version, queueKeys.get(one.version) ?? openQueueKey(one, secret)]),
    );
    // Version that the log should contain; an interrupted rotation has not appended it yet.
    const announced = Math.max(...rows.map(({ fingerprintKey }) => fingerprintKey));
    if (announced > (fingerprintKeys.at(-1)?.version ?? 0))
      fingerprintKeys = await openFingerprintKeys(log.readStream, secret);
  };
  await read();

  let looking: Promise<void> | null = null;
  const look = (): Promise<void> => {
    looking ??= read()
      .catch((cause: unknown) => {
        if ((cause as Error).name !== 'WrongRegistrySecret') throw cause;
        throw new RotatedKeysClosed(
          'The keys were rotated under a different REGISTRY_SECRET than the one of this process. Restart it with the current secret.',
          { cause },
        );
      })
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  let isReported = false;
  const timer = setInterval(() => {
    look().then(
      () => {
        isReported = false;
      },
      (error: unknown) => {
        if (!isReported) onFault(error);
        isReported = true;
      },
    );
  }, POLL_INTERVAL_MS);
  timer.unref();

  return {
    getNewest() {
      const version = Math.max(...queueKeys.keys());
      return { version, key: queueKeys.get(version) as Buffer };
    },
    async find(version) {
      const known = queueKeys.get(version);
      if (known !== undefined) return known;
      await look();
      return queueKeys.get(version) ?? null;
    },
    fingerprintKeysAt: (moment) => listFingerprintKeys(fingerprintKeys, moment.toISOString()),
    hasOlderKeys: () => queueKeys.size > 1,
    look,
    stop: () => clearInterval(timer),
  };
};
