import type { KeyObject } from 'node:crypto';
import type { Actor } from '../../domain/event-log.ts';
import type { RegistryStreamEvent } from '../../domain/registry/events.ts';
import { buildVerifierKey, type VerifierKey } from '../../transparency-log/signed-note.ts';
import { createKey, toPublicKey, toSigningKey, unwrapKey, wrapKey } from '../crypto/keys.ts';
import {
  type AddedCheckpointKey,
  changeRegistry,
  loadRegistryState,
  type ReadRegistry,
  type RegistryLog,
} from './registry-state.ts';

export interface CheckpointKey {
  readonly verifier: VerifierKey;
  readonly signingKey: KeyObject;
  readonly originNumber: number;
}

/** Keys that verify the checkpoints of a log, newest last. */
export const createCheckpointVerifiers = async (
  readStream: ReadRegistry,
): Promise<readonly VerifierKey[]> =>
  ((await loadRegistryState(readStream))?.checkpointKeys ?? []).map(toVerifier);

/** Creates one for a registry of an earlier version. @throws WrongRegistrySecret if it cannot be unwrapped */
export const openCheckpointKey = async (
  log: RegistryLog,
  secret: string,
): Promise<CheckpointKey> => {
  const registry = await loadRegistryState(log.readStream);
  if (registry === null) throw new Error('The log holds no registry.');
  const key = registry.checkpointKeys.at(-1);
  if (key === undefined) {
    await addCheckpointKey(log, secret, FIRST_CHECKPOINT_KEY, { kind: 'service', id: 'start-up' });
    return openCheckpointKey(log, secret);
  }
  const seed = unwrapKey(key.wrappedKey, secret, 'checkpoint-key');
  const originNumber = registry.losses.at(-1)?.originNumber ?? FIRST_ORIGIN;
  return { verifier: toVerifier(key), signingKey: toSigningKey(seed), originNumber };
};

const FIRST_ORIGIN = 1;

export const FIRST_CHECKPOINT_KEY = 1;

export const toVerifier = ({ name, publicKey }: AddedCheckpointKey): VerifierKey =>
  buildVerifierKey(name, Buffer.from(publicKey, 'base64'));

/** Adds a new random key unless the log has this version or a later one. Safe to repeat. */
export const addCheckpointKey = async (
  log: RegistryLog,
  secret: string,
  version: number,
  actor: Actor,
): Promise<void> => {
  await changeRegistry(log, actor, ({ registryId, checkpointKeys }) =>
    (checkpointKeys.at(-1)?.version ?? 0) >= version
      ? null
      : createCheckpointKey(registryId, version, secret, checkpointKeys.at(-1)?.name),
  );
};

export const createCheckpointKey = (
  registryId: string,
  version: number,
  secret: string,
  name: string = formatOrigin(registryId, FIRST_ORIGIN),
): RegistryStreamEvent<'CheckpointKeyAdded'> => {
  const seed = createKey();
  return {
    type: 'CheckpointKeyAdded',
    data: {
      registryId,
      version,
      name,
      publicKey: toPublicKey(toSigningKey(seed)).toString('base64'),
      wrappedKey: wrapKey(seed, secret, 'checkpoint-key'),
    },
  };
};

/** Name of a log in its checkpoints. @see C2SP tlog-checkpoint */
export const formatOrigin = (registryId: string, originNumber: number): string =>
  originNumber === FIRST_ORIGIN
    ? `birth-registry/${registryId}`
    : `birth-registry/${registryId}/${originNumber}`;
