import type { Fact, StreamEvent } from './event-log.ts';

export interface Fold<State, E extends Fact> {
  readonly initial: State;
  readonly evolve: (state: State, event: E) => State;
}

/** Passes over events of a newer version or of another program. */
export const stateAfter = <State, E extends Fact>(
  stored: readonly StreamEvent[],
  { initial, evolve }: Fold<State, E>,
): State =>
  stored.reduce(
    (state, { event }) => (event === null ? state : evolve(state, event as E)),
    initial,
  );
