import type { KeyObject } from 'node:crypto';
import type { Actor } from '../../domain/event-log.ts';
import type { CheckpointKeyAdded } from '../../domain/registry/events.ts';
import { buildVerifierKey, type VerifierKey } from '../../transparency-log/signed-note.ts';
import { createKey, unwrapKey, wrapKey } from '../crypto/keys.ts';
import { toPublicKey, toSigningKey } from '../crypto/signing-keys.ts';
import {
  type AddedCheckpointKey,
  changeRegistry,
  createRegistryState,
  type ReadRegistry,
  type RegistryLog,
} from './registry-state.ts';

/** A key that checkpoints of this log are signed with. */
export interface CheckpointKey {
  readonly verifier: VerifierKey;
  readonly signingKey: KeyObject;
}

/** What checkpoints of a log are checked with, the newest key last. */
export const createCheckpointVerifiers = async (
  readStream: ReadRegistry,
): Promise<readonly VerifierKey[]> =>
  ((await createRegistryState(readStream))?.checkpointKeys ?? []).map(verifierOf);

/**
 * The key that checkpoints of a log are signed with now. A registry of an earlier version has none: then it is
 * made, and several processes agree on one.
 * @throws WrongRegistrySecret when the secret does not open it
 */
export const openCheckpointKey = async (
  log: RegistryLog,
  secret: string,
): Promise<CheckpointKey> => {
  const held = await createRegistryState(log.readStream);
  if (held === null) throw new Error('The log holds no registry.');
  const key = held.checkpointKeys.at(-1);
  if (key === undefined) {
    await addCheckpointKey(log, secret, FIRST_CHECKPOINT_KEY, { kind: 'service', id: 'start-up' });
    return openCheckpointKey(log, secret);
  }
  const seed = unwrapKey(key.wrappedKey, secret, 'checkpoint-key');
  return { verifier: verifierOf(key), signingKey: toSigningKey(seed) };
};

/** Version of the key that a registry begins with. */
export const FIRST_CHECKPOINT_KEY = 1;

const verifierOf = ({ name, publicKey }: AddedCheckpointKey): VerifierKey =>
  buildVerifierKey(name, Buffer.from(publicKey, 'base64'));

/** Adds a new random key, unless the log holds one of this version or a later one. Safe to repeat. */
export const addCheckpointKey = async (
  log: RegistryLog,
  secret: string,
  version: number,
  actor: Actor,
): Promise<void> => {
  await changeRegistry(log, actor, ({ registryId, checkpointKeys }) =>
    (checkpointKeys.at(-1)?.version ?? 0) >= version
      ? null
      : createCheckpointKey(registryId, version, secret),
  );
};

/** A new random key. @param version {@link FIRST_CHECKPOINT_KEY} or more */
export const createCheckpointKey = (
  registryId: string,
  version: number,
  secret: string,
): CheckpointKeyAdded => {
  const seed = createKey();
  return {
    type: 'CheckpointKeyAdded',
    data: {
      registryId,
      version,
      name: originOf(registryId),
      publicKey: toPublicKey(toSigningKey(seed)).toString('base64'),
      wrappedKey: wrapKey(seed, secret, 'checkpoint-key'),
    },
  };
};

/** The name of a log in its checkpoints. @see C2SP tlog-checkpoint */
const originOf = (registryId: string): string => `birth-registry/${registryId}`;
