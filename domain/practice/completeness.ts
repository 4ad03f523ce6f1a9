import { CERTIFICATE_ITEMS, DEFAULT_ITEMS } from '../course/certificate-items.ts';
import { DAYS_UNTIL_DUE } from '../course/missing-items.ts';
import { accept, type Decision, refuse } from '../decision.ts';
import type { DaysUntilDueSet, NeededItemsChosen } from './events.ts';
import type { Practice } from './state.ts';

/** What a practice wants of its records. */
export interface SetCompleteness {
  /** Ids of items of the certificate. */
  readonly neededItems: readonly string[];
  /** Days after a birth by which its record has to be complete; null: no due date. */
  readonly daysUntilDue: number | null;
}

/**
 * Chooses the items of the certificate that a practice needs, and when. What holds already changes
 * nothing. Items are kept in the order of the certificate.
 */
export const setCompleteness = (
  { neededItems, daysUntilDue }: SetCompleteness,
  practice: Practice,
): Decision<NeededItemsChosen | DaysUntilDueSet> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const { practiceId, neededItems: held } = practice;
  const items = CERTIFICATE_ITEMS.map(({ id }) => id).filter((id) => neededItems.includes(id));
  if (neededItems.some((id) => !items.includes(id))) return refuse({ code: 'no-such-item' });
  if (daysUntilDue !== null && !isPossible(daysUntilDue))
    return refuse({
      code: 'days-out-of-range',
      least: DAYS_UNTIL_DUE.from,
      most: DAYS_UNTIL_DUE.to,
    });
  const events: (NeededItemsChosen | DaysUntilDueSet)[] = [];
  if (held === null || held.join(' ') !== items.join(' '))
    events.push({ type: 'NeededItemsChosen', data: { practiceId, items } });
  if (daysUntilDue !== practice.daysUntilDue)
    events.push({ type: 'DaysUntilDueSet', data: { practiceId, days: daysUntilDue } });
  return accept(...events);
};

const isPossible = (days: number): boolean =>
  Number.isInteger(days) && days >= DAYS_UNTIL_DUE.from && days <= DAYS_UNTIL_DUE.to;

/** The items that a practice needs: what it chose, else the default. */
export const findRequiredItems = ({
  neededItems,
}: {
  readonly neededItems: readonly string[] | null;
}): readonly string[] => neededItems ?? DEFAULT_ITEMS;
