import type { StoredEvent } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { mergesFold, providerFold, resolveSurvivor } from '../../domain/provider/state.ts';
import { mergesStream, providerStream } from '../../domain/stream-names.ts';
import type { AppPorts } from '../ports/app-ports.ts';

/**
 * Who stands for a provider after the merges up to an instant, by the log itself; the provider if it
 * was never absorbed.
 * @param asOf null: now
 */
export const findSurvivor = async (
  { log, identity }: Pick<AppPorts, 'log' | 'identity'>,
  providerId: string,
  asOf: Date | null,
): Promise<string> => {
  const provider = stateAfter(await log.readStream(providerStream(providerId)), providerFold);
  if (provider.status === 'unknown') return providerId;
  const { practiceId, partnerId } = provider;
  const merges = await log.readStream(mergesStream(identity.mergesHash(practiceId, partnerId)));
  const inForce = merges.filter((stored) => isUpTo(stored, asOf));
  return resolveSurvivor(stateAfter(inForce, mergesFold), providerId);
};

/** Whether an event was recorded by an instant. @param asOf null: any was */
export const isUpTo = ({ metadata }: StoredEvent, asOf: Date | null): boolean =>
  asOf === null || Date.parse(metadata.recordedAt) <= asOf.getTime();
