import type { Decision, Refusal } from '../../domain/decision.ts';
import type { AppendToStream, Fact, ReadStream } from '../../domain/event-log.ts';
import { type Fold, stateAfter } from '../../domain/fold.ts';
import { decideAndAppend } from '../writes/decide-and-append.ts';
import type { CommandContext } from './command-context.ts';
import { commandRefused } from './command-refused.ts';

export interface CommandLog {
  readonly append: AppendToStream;
  readonly readStream: ReadStream;
}

export const loadState = async <State, E extends Fact>(
  log: CommandLog,
  stream: string,
  fold: Fold<State, E>,
): Promise<State> => stateAfter(await log.readStream(stream), fold);

/**
 * Appends at the exact revision; decides again if the stream has changed.
 * @returns the appended events; empty if there was nothing to do
 * @throws CommandRefused
 */
export const changeStream = async <State, E extends Fact>(
  log: CommandLog,
  context: CommandContext,
  stream: string,
  fold: Fold<State, E>,
  decide: (state: State) => Decision<E> | Promise<Decision<E>>,
): Promise<readonly E[]> => {
  const written = await decideAndAppend(log, stream, context.append, async (stored) => {
    const { events } = requireAccepted(await decide(stateAfter(stored, fold)));
    return { events: events.map((event) => ({ id: context.newEventId(), event })) };
  });
  return written.decided.events.map(({ event }) => event);
};

/** @throws CommandRefused */
export const requireAccepted = <Accepted extends { readonly kind: 'accepted' }>(
  decision: Accepted | Refusal,
): Accepted => {
  if (decision.kind === 'refused') throw commandRefused(decision);
  return decision;
};
