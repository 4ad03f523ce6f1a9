import { randomUUID } from 'node:crypto';
import {
  type FingerprintKey,
  findFirstFingerprintKey,
} from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { RegistryStreamEvent } from '../../domain/registry/events.ts';
import { REGISTRY_STREAM } from '../../domain/stream-names.ts';
import { createIdentity, type Identity } from '../crypto/ids.ts';
import { createKey, unwrapKey, WrongRegistrySecret, wrapKey } from '../crypto/keys.ts';
import { createCheckpointKey, FIRST_CHECKPOINT_KEY } from './checkpoint-keys.ts';
import {
  type AddedKey,
  appendToRegistry,
  changeRegistry,
  loadRegistryState,
  type ReadRegistry,
  type RegistryLog,
  type RegistryState,
} from './registry-state.ts';

export interface RegistryIdentity {
  readonly registryId: string;
  readonly identity: Identity;
}

/** The log contains no registry but the database has data of one, so we must not create another. */
export class LogWithoutRegistry extends Error {
  override readonly name = 'LogWithoutRegistry';
  constructor() {
    super(
      'The event log holds no registry, but the database holds data of one. Check EVENTSTORE_URL and DATABASE_URL. Restore the log from a backup. To begin a new registry, use an empty database, or another DATA_DIR.',
    );
  }
}

export type HoldsRegistry = () => Promise<boolean>;

/** True if the log contains a registry. @throws LogWithoutRegistry if only the database has one */
export const registryExists = async (
  readStream: ReadRegistry,
  isInDatabase: HoldsRegistry,
): Promise<boolean> => (await findRegistry(readStream, isInDatabase)) !== null;

const findRegistry = async (
  readStream: ReadRegistry,
  isInDatabase: HoldsRegistry,
): Promise<RegistryState | null> => {
  const registry = await loadRegistryState(readStream);
  if (registry !== null || !(await isInDatabase())) return registry;
  // Another process may have just created it: the log gets the registry before the database does.
  const createdConcurrently = await loadRegistryState(readStream);
  if (createdConcurrently === null) throw new LogWithoutRegistry();
  return createdConcurrently;
};

/** Concurrent starts agree on one registry. @throws WrongRegistrySecret, LogWithoutRegistry */
export const openRegistryIdentity = async (
  log: RegistryLog,
  secret: string,
  isInDatabase: HoldsRegistry,
): Promise<RegistryIdentity> => {
  const registry = await findRegistry(log.readStream, isInDatabase);
  if (registry === null) {
    await createRegistry(log, secret);
    return openRegistryIdentity(log, secret, isInDatabase);
  }
  return toIdentity(registry, secret);
};

const toIdentity = (registry: RegistryState, secret: string): RegistryIdentity => ({
  registryId: registry.registryId,
  identity: createIdentity(unwrapIdentityKey(registry, secret)),
});

export class LogOfAnotherRegistry extends Error {
  override readonly name = 'LogOfAnotherRegistry';
  constructor() {
    super(
      'The event log does not hold the registry of this database. Check EVENTSTORE_URL and DATABASE_URL. If this log is the right one, `birth-registry rebuild` builds the tables again from it.',
    );
  }
}

/** @throws LogWithoutRegistry, LogOfAnotherRegistry, or WrongRegistrySecret */
export const openKnownRegistry = async (
  readStream: ReadRegistry,
  registryId: string,
  secret: string,
): Promise<RegistryIdentity> => {
  const registry = await loadRegistryState(readStream);
  if (registry === null) throw new LogWithoutRegistry();
  if (registry.registryId !== registryId) throw new LogOfAnotherRegistry();
  return toIdentity(registry, secret);
};

/** In version order; the first is the identity key. @throws WrongRegistrySecret */
export const openFingerprintKeys = async (
  readStream: ReadRegistry,
  secret: string,
): Promise<readonly FingerprintKey[]> => {
  const registry = await loadRegistryState(readStream);
  return registry === null ? [] : unwrapFingerprintKeys(registry, secret);
};

export type NewFingerprintKey = Pick<FingerprintKey, 'version' | 'aloneFrom'>;

/** Safe to repeat. @throws WrongRegistrySecret if the secret does not unwrap the existing keys */
export const addFingerprintKey = async (
  log: RegistryLog,
  secret: string,
  added: NewFingerprintKey,
  actor: Actor,
): Promise<void> => {
  await changeRegistry(log, actor, (registry) => {
    const newest = unwrapFingerprintKeys(registry, secret).at(-1);
    if (newest === undefined || newest.version >= added.version) return null;
    const key = createKey();
    return {
      type: 'FingerprintKeyAdded',
      data: {
        registryId: registry.registryId,
        ...added,
        wrappedKey: wrapKey(key, secret, 'fingerprint-key'),
        checkValue: createIdentity(key).checkValue,
      },
    };
  });
};

/** True if the secret unwraps the keys in the log, or if the log contains no registry. */
export const isIdentityKeyOpenedBy = async (
  readStream: ReadRegistry,
  secret: string,
): Promise<boolean> => {
  const registry = await loadRegistryState(readStream);
  return registry === null || canUnwrap(registry, secret);
};

/** Result of rewrapping the keys; `already` if the new secret already unwraps them. */
export type Rewrapped = 'rewrapped' | 'already';

/** Safe to repeat if interrupted. @throws WrongRegistrySecret if neither secret unwraps the keys */
export const rewrapIdentityKey = async (
  log: RegistryLog,
  { previous, next }: { readonly previous: string; readonly next: string },
): Promise<Rewrapped> => {
  const isRewrapped = await changeRegistry(log, { kind: 'operator', id: 'shell' }, (registry) =>
    canUnwrap(registry, next) ? null : buildRewrap(registry, previous, next),
  );
  return isRewrapped ? 'rewrapped' : 'already';
};

const buildRewrap = (
  registry: RegistryState,
  previous: string,
  next: string,
): RegistryStreamEvent => {
  const { registryId, fingerprintKeys, checkpointKeys } = registry;
  return {
    type: 'IdentityKeyRewrapped',
    data: {
      registryId,
      wrappedIdentityKey: wrapKey(unwrapIdentityKey(registry, previous), next, 'identity-key'),
      ...(fingerprintKeys.length > 0 && {
        wrappedFingerprintKeys: fingerprintKeys.map((one) => ({
          version: one.version,
          wrappedKey: wrapKey(unwrapFingerprintKey(one, previous), next, 'fingerprint-key'),
        })),
      }),
      ...(checkpointKeys.length > 0 && {
        wrappedCheckpointKeys: checkpointKeys.map(({ version, wrappedKey }) => ({
          version,
          wrappedKey: wrapKey(
            unwrapKey(wrappedKey, previous, 'checkpoint-key'),
            next,
            'checkpoint-key',
          ),
        })),
      }),
    },
  };
};

const unwrapIdentityKey = (
  { wrappedIdentityKey, checkValue }: RegistryState,
  secret: string,
): Buffer => verifyKey(unwrapKey(wrappedIdentityKey, secret, 'identity-key'), checkValue);

const unwrapFingerprintKey = ({ wrappedKey, checkValue }: AddedKey, secret: string): Buffer =>
  verifyKey(unwrapKey(wrappedKey, secret, 'fingerprint-key'), checkValue);

const verifyKey = (key: Buffer, checkValue: string): Buffer => {
  if (createIdentity(key).checkValue !== checkValue)
    throw new WrongRegistrySecret(
      'A key of this registry is damaged. Restore the log from a backup.',
    );
  return key;
};

const unwrapFingerprintKeys = (
  registry: RegistryState,
  secret: string,
): readonly FingerprintKey[] => [
  findFirstFingerprintKey(createIdentity(unwrapIdentityKey(registry, secret)).fingerprint),
  ...registry.fingerprintKeys.map((one) => ({
    version: one.version,
    aloneFrom: one.aloneFrom,
    hash: createIdentity(unwrapFingerprintKey(one, secret)).fingerprint,
  })),
];

const canUnwrap = (registry: RegistryState, secret: string): boolean => {
  try {
    unwrapFingerprintKeys(registry, secret);
    for (const { wrappedKey } of registry.checkpointKeys)
      unwrapKey(wrappedKey, secret, 'checkpoint-key');
    return true;
  } catch {
    return false;
  }
};

const createRegistry = async (
  { append, readStream }: RegistryLog,
  secret: string,
): Promise<void> => {
  const key = createKey();
  const registryId = randomUUID();
  const event: RegistryStreamEvent = {
    type: 'RegistryInitialised',
    data: {
      registryId,
      wrappedIdentityKey: wrapKey(key, secret, 'identity-key'),
      checkValue: createIdentity(key).checkValue,
    },
  };
  const first = createCheckpointKey(registryId, FIRST_CHECKPOINT_KEY, secret);
  // Another program may have written to the stream.
  const end = (await readStream(REGISTRY_STREAM)).at(-1)?.revision ?? 'no-stream';
  // Losing this race is fine: the caller reads the winner's event.
  await appendToRegistry(append, end, [event, first], { kind: 'service', id: 'start-up' });
};
