import type { CommandDecision, Refusal } from '../../domain/command-decision.ts';
import type { AppendToStream, Fact, ReadStream } from '../../domain/event-log.ts';
import { type Fold, stateAfter } from '../../domain/fold.ts';
import type { CommandContext } from './command-context.ts';
import { CommandRefused } from './command-refused.ts';

/** The log as commands use it. */
export interface CommandLog {
  readonly append: AppendToStream;
  readonly readStream: ReadStream;
}

/** The state that the events of a stream tell. */
export const stateOf = async <State, E extends Fact>(
  log: CommandLog,
  stream: string,
  fold: Fold<State, E>,
): Promise<State> => (await readState(log, stream, fold)).state;

/**
 * Decides on the state of a stream and appends at its exact revision. If the stream has moved on
 * meanwhile, decides again.
 * @returns the events appended; none if there was nothing left to do
 * @throws CommandRefused
 */
export const changeStream = async <State, E extends Fact>(
  log: CommandLog,
  context: CommandContext,
  stream: string,
  fold: Fold<State, E>,
  decide: (state: State) => CommandDecision<E> | Promise<CommandDecision<E>>,
): Promise<readonly E[]> => {
  for (;;) {
    const { state, revision } = await readState(log, stream, fold);
    const { events } = acceptedOf(await decide(state));
    if (events.length === 0) return events;
    const appended = await log.append(
      stream,
      revision,
      events.map((event) => ({ id: context.newEventId(), event })),
      context.append,
    );
    if (appended.kind === 'appended') return events;
  }
};

/** What was accepted. @throws CommandRefused */
export const acceptedOf = <Accepted extends { readonly kind: 'accepted' }>(
  decision: Accepted | Refusal,
): Accepted => {
  if (decision.kind === 'refused') throw new CommandRefused(decision.reason);
  return decision;
};

const readState = async <State, E extends Fact>(
  log: CommandLog,
  stream: string,
  fold: Fold<State, E>,
) => {
  const stored = await log.readStream(stream);
  return {
    state: stateAfter(stored, fold),
    revision: stored.at(-1)?.revision ?? ('no-stream' as const),
  };
};
