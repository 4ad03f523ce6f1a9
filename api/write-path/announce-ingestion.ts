import type { Actor, AppendToStream } from '../../domain/event-log.ts';
import type { IngestionQueued } from '../../domain/ingestion/events.ts';
import { ingestionStream } from '../../domain/stream-names.ts';

/** What announcing works with. */
export interface AnnounceIngestionParts {
  readonly append: AppendToStream;
  readonly idOf: (...parts: readonly (string | number)[]) => string;
  readonly now: () => Date;
}

/**
 * Appends `IngestionQueued`, by which the queued courses of its attempt count. Safe to repeat: the
 * event's id comes from the attempt.
 * @returns `taken` when the ingestion's stream has begun before
 * @throws EventLogUnavailable
 */
export type AnnounceIngestion = (
  ingestion: Omit<IngestionQueued['data'], 'receivedAt'>,
  actor: Actor,
) => Promise<'announced' | 'taken'>;

/** @see AnnounceIngestion */
export const announceIngestionWith =
  ({ append, idOf, now }: AnnounceIngestionParts): AnnounceIngestion =>
  async (ingestion, actor) => {
    const { ingestionId, attempt, correlationId } = ingestion;
    const data = { ...ingestion, receivedAt: now().toISOString() };
    const appended = await append(
      ingestionStream(ingestionId),
      'no-stream',
      [{ id: idOf('queued', attempt), event: { type: 'IngestionQueued', data } }],
      { correlationId, causationId: null, actor },
    );
    return appended.kind === 'appended' ? 'announced' : 'taken';
  };
