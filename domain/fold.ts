import type { Fact, StoredEvent } from './event-log.ts';

/** Reducer of a stream's events. */
export interface Fold<State, E extends Fact> {
  /** Before the first event. */
  readonly initial: State;
  /** The state after one more event. */
  readonly evolve: (state: State, event: E) => State;
}

/**
 * The state that the events of a stream make.
 * @param stored of the kind of stream that the fold is for: the log refuses others when they are
 *   appended, and checks each against its schema when it is read
 */
export const stateAfter = <State, E extends Fact>(
  stored: readonly StoredEvent[],
  { initial, evolve }: Fold<State, E>,
): State => stored.reduce((state, { event }) => evolve(state, event as E), initial);
