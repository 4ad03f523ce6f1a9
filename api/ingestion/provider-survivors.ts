import { isKnown, type StoredEvent } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { mergesFold, providerFold, resolveSurvivor } from '../../domain/provider/state.ts';
import { mergesStream, providerStream } from '../../domain/stream-names.ts';
import type { AppPorts } from '../ports/app-ports.ts';

/**
 * Follows merges in the log; the provider itself if it was never absorbed.
 * @param asOf `null` for now
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
  const inForce = merges.filter(isKnown).filter((stored) => isUpTo(stored, asOf));
  return resolveSurvivor(stateAfter(inForce, mergesFold), providerId);
};

/** @param asOf `null` for any event */
export const isUpTo = ({ metadata }: StoredEvent, asOf: Date | null): boolean =>
  asOf === null || Date.parse(metadata.recordedAt) <= asOf.getTime();
