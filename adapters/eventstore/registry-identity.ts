import { randomUUID } from 'node:crypto';
import type { AppendToStream, ReadStream, StoredEvent } from '../../domain/event-log.ts';
import type { RegistryStreamEvent } from '../../domain/registry/events.ts';
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

/** Whether a secret opens the identity key of a log; true if the log holds no registry. */
export const isIdentityKeyOpenedBy = async (
  readStream: ReadRegistry,
  secret: string,
): Promise<boolean> => {
  const held = await heldRegistry(readStream);
  return held === null || opens(held, secret);
};

/** What rewrapping the identity key did; `already`: the new secret opens it. */
export type Rewrapped = 'rewrapped' | 'already';

/**
 * Wraps the identity key of a log by another secret. Safe to repeat after a death in between.
 * @throws WrongRegistrySecret when neither secret opens it
 */
export const rewrapIdentityKey = async (
  log: RegistryLog,
  { previous, next }: { readonly previous: string; readonly next: string },
): Promise<Rewrapped> => {
  const held = await heldRegistry(log.readStream);
  if (held === null || opens(held, next)) return 'already';
  const { registryId, revision } = held;
  const event: RegistryStreamEvent = {
    type: 'IdentityKeyRewrapped',
    data: {
      registryId,
      wrappedIdentityKey: wrapKey(identityKeyOf(held, previous), next, 'identity-key'),
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
  readonly revision: bigint;
}

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
      return { ...event.data, revision };
    case 'IdentityKeyRewrapped':
      return held && { ...held, wrappedIdentityKey: event.data.wrappedIdentityKey, revision };
  }
};

const identityKeyOf = (
  { wrappedIdentityKey, checkValue }: HeldRegistry,
  secret: string,
): Buffer => {
  const key = unwrapKey(wrappedIdentityKey, secret, 'identity-key');
  if (identityOf(key).checkValue !== checkValue)
    throw new WrongRegistrySecret(
      'The identity key of this registry is damaged. Restore the log from a backup.',
    );
  return key;
};

const opens = (held: HeldRegistry, secret: string): boolean => {
  try {
    identityKeyOf(held, secret);
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
