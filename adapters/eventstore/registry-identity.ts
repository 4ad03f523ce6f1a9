import { randomUUID } from 'node:crypto';
import type { AppendToStream, ReadStream } from '../../domain/event-log.ts';
import type { RegistryStreamEvent } from '../../domain/registry/events.ts';
import { REGISTRY_STREAM } from '../../domain/stream-names.ts';
import { type Identity, identityOf } from '../crypto/identity.ts';
import { newKey, unwrapKey, WrongRegistrySecret, wrapKey } from '../crypto/key-wrapping.ts';

/** Which registry a log belongs to, and the keyed hashes under its identity key. */
export interface RegistryIdentity {
  readonly registryId: string;
  readonly identity: Identity;
}

/**
 * Opens the registry of a log, or founds it if the log has none yet; several processes that start
 * at once agree on one.
 * @throws WrongRegistrySecret when the secret does not open the identity key
 */
export const openRegistry = async (
  log: { readonly append: AppendToStream; readonly readStream: ReadStream },
  secret: string,
): Promise<RegistryIdentity> => {
  const [held] = await log.readStream(REGISTRY_STREAM);
  if (held === undefined) {
    await found(log.append, secret);
    return openRegistry(log, secret);
  }
  const event = held.event as RegistryStreamEvent;
  const { registryId, wrappedIdentityKey, checkValue } = event.data;
  const identity = identityOf(unwrapKey(wrappedIdentityKey, secret, 'identity-key'));
  if (identity.checkValue !== checkValue)
    throw new WrongRegistrySecret('The identity key of this registry is damaged.');
  return { registryId, identity };
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
