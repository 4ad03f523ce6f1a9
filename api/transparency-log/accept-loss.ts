import { formatOrigin, openCheckpointKey } from '../../adapters/event-log/checkpoint-keys.ts';
import {
  changeRegistry,
  isLossAccepted,
  type RegistryLog,
} from '../../adapters/event-log/registry-state.ts';
import { findKeptSize, findLastCheckpoint } from '../../adapters/transparency-log/checkpoints.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { LostEvents } from '../../domain/registry/events.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import { type CheckpointStores, signCheckpoint } from './sign-checkpoint.ts';

/**
 * Later checkpoints have a new origin. Those of the former one stay, and prove what they were
 * signed for.
 * @throws CommandRefused if nothing is lost
 * @see docs/decisions/2026-11-28-accepted-loss.md
 */
export const acceptLoss = async (stores: CheckpointStores, actor: Actor): Promise<void> => {
  const next = await signCheckpoint(stores);
  const last = await findLastCheckpoint(stores.db);
  if (next.kind !== 'refused' || last === null)
    throw new CommandRefused(
      'nothing-lost',
      'The log extends its last checkpoint, so there is no loss to accept. Run `checkpoint` without `--accept-loss`.',
    );
  const { originNumber: current } = await openCheckpointKey(stores.log, stores.secret);
  const originNumber = Math.max(current, last.originNumber) + 1;
  const keptSize = await findKeptSize(stores.db, last.originNumber);
  await changeRegistry(stores.log, actor, ({ registryId, losses }) =>
    // Another command may have accepted it.
    (losses.at(-1)?.originNumber ?? 1) >= originNumber
      ? null
      : {
          type: 'LogLossAccepted',
          data: {
            registryId,
            origin: formatOrigin(registryId, originNumber),
            originNumber,
            signedSize: last.size,
            keptSize,
          },
        },
  );
};

/** Limits the size of an event. */
const LOSSES_PER_EVENT = 200;

/** `verify` and later rebuilds then only name these events. */
export const acceptStreamLoss = async (
  log: RegistryLog,
  lost: readonly LostEvents[],
  actor: Actor,
): Promise<void> => {
  for (let from = 0; from < lost.length; from += LOSSES_PER_EVENT) {
    const some = lost.slice(from, from + LOSSES_PER_EVENT);
    await changeRegistry(log, actor, (registry) => {
      const streams = some.filter((one) => !isLossAccepted(registry, one));
      if (streams.length === 0) return null;
      return { type: 'StreamLossAccepted', data: { registryId: registry.registryId, streams } };
    });
  }
};
