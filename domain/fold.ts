import type { Fact, StreamEvent } from './event-log.ts';

/** Reducer of a stream's events. */
export interface Fold<State, E extends Fact> {
  /** State before the first event. */
  readonly initial: State;
  /** Applies one event to the state. */
  readonly evolve: (state: State, event: E) => State;
}

/**
 * Computes the state of a stream from its events. Passes over those of a newer version or of another program.
 * @param stored events of the stream kind that the fold is for: the log validates their types and schemas when they
 *   are read
 */
export const stateAfter = <State, E extends Fact>(
  stored: readonly StreamEvent[],
  { initial, evolve }: Fold<State, E>,
): State =>
  stored.reduce(
    (state, { event }) => (event === null ? state : evolve(state, event as E)),
    initial,
  );
