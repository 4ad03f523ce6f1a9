import { changeRegistry, type RegistryLog } from '../../adapters/event-log/registry-state.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import type { Actor } from '../../domain/event-log.ts';
import { CommandRefused } from '../commands/command-refused.ts';

export interface Acknowledged {
  readonly streams: readonly string[];
}

/** Names are of limited length, so that many fit into one event. */
const STREAMS_PER_EVENT = 200;

/**
 * Readiness and `verify` no longer name these events, but later ones again.
 * @param stream the only one to acknowledge; all if `null`
 * @throws CommandRefused if it has no such events
 */
export const acknowledgeForeignEvents = async (
  { db, log }: { readonly db: Db; readonly log: RegistryLog },
  stream: string | null,
  actor: Actor,
): Promise<Acknowledged> => {
  const found = await db
    .selectFrom('read.foreign_stream')
    .select(['stream', 'revision'])
    .where(({ eb, fn, val }) => eb('revision', '>', fn.coalesce('acknowledged', val('-1'))))
    .$if(stream !== null, (query) => query.where('stream', '=', stream))
    .orderBy('stream')
    .execute();
  if (stream !== null && found.length === 0)
    throw new CommandRefused(
      'no-foreign-events',
      'This stream has no events of other programs that are not acknowledged. `verify` names those that have.',
    );
  for (let from = 0; from < found.length; from += STREAMS_PER_EVENT) {
    const streams = found.slice(from, from + STREAMS_PER_EVENT);
    await changeRegistry(log, actor, ({ registryId }) => ({
      type: 'ForeignEventsAcknowledged',
      data: { registryId, streams },
    }));
  }
  return { streams: found.map((one) => one.stream) };
};
