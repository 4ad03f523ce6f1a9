import type { Actor } from '../../domain/event-log.ts';
import type { IngestionQueued } from '../../domain/ingestion/events.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import type { BoundRegistry } from '../registry/registry.ts';

/**
 * Appends `IngestionQueued`, by which the queued courses of its attempt count. Safe to repeat: the
 * event's id comes from the attempt.
 * @param giveUpMs all tries of the append together; the log's own limit if it is not given
 * @returns `taken` when the ingestion's stream has begun before
 * @throws EventLogUnavailable
 */
export const announceIngestion = async (
  { log, idOf, now }: Pick<BoundRegistry, 'log' | 'idOf' | 'now'>,
  ingestion: Omit<IngestionQueued['data'], 'receivedAt'>,
  actor: Actor,
  giveUpMs?: number,
): Promise<'announced' | 'taken'> => {
  const { ingestionId, attempt, correlationId } = ingestion;
  const data = { ...ingestion, receivedAt: now().toISOString() };
  const appended = await log.append(
    ingestionStream(ingestionId),
    'no-stream',
    [{ id: idOf('queued', attempt), event: { type: 'IngestionQueued', data } }],
    { correlationId, causationId: null, actor },
    giveUpMs,
  );
  return appended.kind === 'appended' ? 'announced' : 'taken';
};
