import { isKnown, type StoredEvent, type StreamEvent } from '../event-log.ts';
import type { IngestedPush, IngestionEvent, SharedIngestionEvent } from './events.ts';

type Together = SharedIngestionEvent<'PushesIngested'>['data'];

/** The event that the push would have if it had ended alone. */
export const toSubmissionIngested = (
  { practiceId, keyId, keyKind, completedAt }: Together,
  push: IngestedPush,
): IngestionEvent<'SubmissionIngested'> => ({
  type: 'SubmissionIngested',
  data: { ...push, practiceId, keyId, keyKind, completedAt },
});

export interface PushEnd {
  readonly stored: StoredEvent;
  /** Number of pushes that the same event ends. */
  readonly pushes: number;
  readonly event: IngestionEvent<'SubmissionIngested'>;
}

/** `null` if the push has not ended in its shared stream. */
export const findPushEnd = (
  ingestionId: string,
  shared: readonly StreamEvent[],
): PushEnd | null => {
  for (const stored of shared.filter(isKnown)) {
    const event = stored.event as SharedIngestionEvent;
    if (event.type !== 'PushesIngested') continue;
    const { pushes } = event.data;
    const push = pushes.find((one) => one.ingestionId === ingestionId);
    if (push !== undefined)
      return { stored, pushes: pushes.length, event: toSubmissionIngested(event.data, push) };
  }
  return null;
};

/** Pushes that have ended in the stream, or end elsewhere. */
export const listSettledPushes = (shared: readonly StreamEvent[]): ReadonlySet<string> =>
  new Set(
    shared.filter(isKnown).flatMap((stored) => {
      const { type, data } = stored.event as SharedIngestionEvent;
      return type === 'PushesIngested'
        ? data.pushes.map(({ ingestionId }) => ingestionId)
        : data.ingestionIds;
    }),
  );
