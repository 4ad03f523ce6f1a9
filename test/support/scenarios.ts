import { suite } from 'uvu';
import * as assert from 'uvu/assert';

/** One row: what has happened, what is asked, what must come of it. */
interface Scenario<E, State> {
  /** The sentence of the specification or the design that this row proves. */
  readonly name: string;
  readonly given: readonly E[];
  readonly when: (state: State) => unknown;
  readonly expect: unknown;
}

/**
 * A table of given-when-then rows for one aggregate; it runs itself.
 * @param fold makes the state of the given events
 */
export const scenarios = <E, State>(
  title: string,
  fold: (events: readonly E[]) => State,
  rows: readonly Scenario<E, State>[],
): void => {
  const table = suite(title);
  for (const { name, given, when, expect } of rows)
    table(name, () => {
      assert.equal(when(fold(given)), expect);
    });
  table.run();
};
