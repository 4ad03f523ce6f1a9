import type { ReadObservation } from './observations.ts';

/** Which row of the form an Observation is about. */
export type RowOf = (observation: ReadObservation) => number | 'other' | 'unclear';

/** In a newborn's chart everything is about that child, unless it says that it is about another. */
export const rowInOwnChart =
  (patientId: string): RowOf =>
  ({ focus }) =>
    focus.length === 0 || focus.includes(patientId) ? 0 : 'other';

/** The children that Observations in the mother's chart are about, in a steady order. */
export const childrenInFocus = (
  observations: readonly ReadObservation[],
  motherId: string,
): readonly string[] => {
  const ids = observations
    .filter(({ kind }) => kind.group === 'birth')
    .toReversed()
    .flatMap(({ focus }) => focus.filter((id) => id !== motherId));
  return [...new Set(ids)];
};

/**
 * In the mother's chart a value is about the child in its focus. Without one it is about the only
 * child; of several children it is not known which.
 */
export const rowInMothersChart =
  (children: readonly string[], isSeveral: boolean, motherId: string): RowOf =>
  ({ focus }) => {
    const row = children.findIndex((id) => focus.includes(id));
    if (row !== -1) return row;
    if (focus.some((id) => id !== motherId)) return 'other';
    return isSeveral ? 'unclear' : 0;
  };
