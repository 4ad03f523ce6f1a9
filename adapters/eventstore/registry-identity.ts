import { randomUUID } from 'node:crypto';
import {
  type FingerprintKey,
  firstFingerprintKey,
} from '../../domain/course-of-care/duplicates/fingerprint-keys.ts';
import type { Actor, AppendToStream, ReadStream, StoredEvent } from '../../domain/event-log.ts';
import type { FingerprintKeyAdded, RegistryStreamEvent } from '../../domain/registry/events.ts';
import { REGISTRY_STREAM } from '../../domain/stream-names.ts';
import { type Identity, identityOf } from '../crypto/ids.ts';
import { newKey, unwrapKey, WrongRegistrySecret, wrapKey } from '../crypto/keys.ts';

/** Which registry a log belongs to, and the keyed hashes under its identity key. */
export interface RegistryIdentity {
  readonly registryId: string;
  readonly identity: Identity;
}

/** The log that holds the registry. */
export interface RegistryLog {
  readonly append: AppendToStream;
  readonly readStream: ReadStream;
}

/**
 * Opens the registry of a log, or founds it if the log has none yet; several processes that start
 * at once agree on one.
 * @throws WrongRegistrySecret when the secret does not open the identity key
 */
export const openRegistryIdentity = async (
  log: RegistryLog,
  secret: string,
): Promise<RegistryIdentity> => {
  const held = await heldRegistry(log.readStream);
  if (held === null) {
    await found(log.append, secret);
    return openRegistryIdentity(log, secret);
  }
  const { registryId } = held;
  return { registryId, identity: identityOf(identityKeyOf(held, secret)) };
};

/** Reads the registry's stream, from the log or from where that is kept. */
export type ReadRegistry = (
  stream: typeof REGISTRY_STREAM,
) => Promise<readonly Pick<StoredEvent, 'event' | 'revision'>[]>;

/** Whether a log holds a registry. */
export const isRegistryFounded = async (readStream: ReadRegistry): Promise<boolean> =>
  (await heldRegistry(readStream)) !== null;

/**
 * The fingerprint keys of a registry in the order of their versions; the first is its identity key.
 * @throws WrongRegistrySecret when the secret does not open one of them
 */
export const openFingerprintKeys = async (
  readStream: ReadRegistry,
  secret: string,
): Promise<readonly FingerprintKey[]> => {
  const held = await heldRegistry(readStream);
  return held === null ? [] : fingerprintKeysOf(held, secret);
};

/** A fingerprint key to be. */
export type NewFingerprintKey = Pick<FingerprintKey, 'version' | 'aloneFrom'>;

/**
 * Adds a new random fingerprint key, unless the log holds one of this version. Safe to repeat.
 * @throws WrongRegistrySecret when the secret does not open those that there are
 */
export const addFingerprintKey = async (
  log: RegistryLog,
  secret: string,
  added: NewFingerprintKey,
  actor: Actor,
): Promise<void> => {
  const held = await heldRegistry(log.readStream);
  const newest = held === null ? undefined : fingerprintKeysOf(held, secret).at(-1);
  if (held === null || newest === undefined || newest.version >= added.version) return;
  const key = newKey();
  const event: RegistryStreamEvent = {
    type: 'FingerprintKeyAdded',
    data: {
      registryId: held.registryId,
      ...added,
      wrappedKey: wrapKey(key, secret, 'fingerprint-key'),
      checkValue: identityOf(key).checkValue,
    },
  };
  const appended = await log.append(REGISTRY_STREAM, held.revision, [{ id: randomUUID(), event }], {
    correlationId: randomUUID(),
    causationId: null,
    actor,
  });
  // Another process is writing to the stream right now; reading it again shows what.
  if (appended.kind !== 'appended') await addFingerprintKey(log, secret, added, actor);
};

/** Whether a secret opens the keys that a log holds; true if the log holds no registry. */
export const isIdentityKeyOpenedBy = async (
  readStream: ReadRegistry,
  secret: string,
): Promise<boolean> => {
  const held = await heldRegistry(readStream);
  return held === null || opens(held, secret);
};

/** What rewrapping the keys did; `already`: the new secret opens it. */
export type Rewrapped = 'rewrapped' | 'already';

/**
 * Wraps the identity key of a log, and its fingerprint keys, with another secret. Safe to repeat after
 * an interruption.
 * @throws WrongRegistrySecret when neither secret opens them
 */
export const rewrapIdentityKey = async (
  log: RegistryLog,
  { previous, next }: { readonly previous: string; readonly next: string },
): Promise<Rewrapped> => {
  const held = await heldRegistry(log.readStream);
  if (held === null || opens(held, next)) return 'already';
  const { registryId, revision, fingerprintKeys } = held;
  const event: RegistryStreamEvent = {
    type: 'IdentityKeyRewrapped',
    data: {
      registryId,
      wrappedIdentityKey: wrapKey(identityKeyOf(held, previous), next, 'identity-key'),
      ...(fingerprintKeys.length > 0 && {
        wrappedFingerprintKeys: fingerprintKeys.map((one) => ({
          version: one.version,
          wrappedKey: wrapKey(fingerprintKeyOf(one, previous), next, 'fingerprint-key'),
        })),
      }),
    },
  };
  const appended = await log.append(REGISTRY_STREAM, revision, [{ id: randomUUID(), event }], {
    correlationId: randomUUID(),
    causationId: null,
    actor: { kind: 'operator', id: 'shell' },
  });
  // Another process rewraps it at this moment: by which secret, the next look shows.
  return appended.kind === 'appended' ? 'rewrapped' : rewrapIdentityKey(log, { previous, next });
};

/** The registry as its stream tells it. */
interface HeldRegistry {
  readonly registryId: string;
  readonly wrappedIdentityKey: string;
  readonly checkValue: string;
  /** Those after the identity key. */
  readonly fingerprintKeys: readonly AddedKey[];
  readonly revision: bigint;
}

type AddedKey = Omit<FingerprintKeyAdded['data'], 'registryId'>;

const heldRegistry = async (readStream: ReadRegistry): Promise<HeldRegistry | null> =>
  (await readStream(REGISTRY_STREAM)).reduce<HeldRegistry | null>(
    (held, { event, revision }) => afterEvent(held, event as RegistryStreamEvent, revision),
    null,
  );

const afterEvent = (
  held: HeldRegistry | null,
  event: RegistryStreamEvent,
  revision: bigint,
): HeldRegistry | null => {
  switch (event.type) {
    case 'RegistryInitialised':
      return { ...event.data, fingerprintKeys: [], revision };
    case 'IdentityKeyRewrapped': {
      const { wrappedIdentityKey, wrappedFingerprintKeys = [] } = event.data;
      const rewrapped = (key: AddedKey): AddedKey => ({
        ...key,
        ...wrappedFingerprintKeys.find(({ version }) => version === key.version),
      });
      return (
        held && {
          ...held,
          wrappedIdentityKey,
          fingerprintKeys: held.fingerprintKeys.map(rewrapped),
          revision,
        }
      );
    }
    case 'FingerprintKeyAdded': {
      const { registryId: _, ...added } = event.data;
      return held && { ...held, fingerprintKeys: [...held.fingerprintKeys, added], revision };
    }
  }
};

const identityKeyOf = ({ wrappedIdentityKey, checkValue }: HeldRegistry, secret: string): Buffer =>
  checkedKey(unwrapKey(wrappedIdentityKey, secret, 'identity-key'), checkValue);

const fingerprintKeyOf = ({ wrappedKey, checkValue }: AddedKey, secret: string): Buffer =>
  checkedKey(unwrapKey(wrappedKey, secret, 'fingerprint-key'), checkValue);

const checkedKey = (key: Buffer, checkValue: string): Buffer => {
  if (identityOf(key).checkValue !== checkValue)
    throw new WrongRegistrySecret(
      'A key of this registry is damaged. Restore the log from a backup.',
    );
  return key;
};

const fingerprintKeysOf = (held: HeldRegistry, secret: string): readonly FingerprintKey[] => [
  firstFingerprintKey(identityOf(identityKeyOf(held, secret)).fingerprint),
  ...held.fingerprintKeys.map((one) => ({
    version: one.version,
    aloneFrom: one.aloneFrom,
    hash: identityOf(fingerprintKeyOf(one, secret)).fingerprint,
  })),
];

const opens = (held: HeldRegistry, secret: string): boolean => {
  try {
    fingerprintKeysOf(held, secret);
    return true;
  } catch {
    return false;
  }
};

const found = async (append: AppendToStream, secret: string): Promise<void> => {
  const key = newKey();
  const event: RegistryStreamEvent = {
    type: 'RegistryInitialised',
    data: {
      registryId: randomUUID(),
      wrappedIdentityKey: wrapKey(key, secret, 'identity-key'),
      checkValue: identityOf(key).checkValue,
    },
  };
  // Losing this race is as good as winning it: the caller reads what the winner wrote.
  await append(REGISTRY_STREAM, 'no-stream', [{ id: randomUUID(), event }], {
    correlationId: randomUUID(),
    causationId: null,
    actor: { kind: 'service', id: 'start-up' },
  });
};
