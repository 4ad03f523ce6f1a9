import { CERTIFICATE_ITEMS, DEFAULT_ITEMS } from '../course/certificate-items.ts';
import { DAYS_UNTIL_DUE } from '../course/missing-items.ts';
import { accept, type Decision, refuse } from '../decision.ts';
import { isInRange } from '../fhir/quantities.ts';
import type { PracticeEvent } from './events.ts';
import type { Practice } from './state.ts';

export interface SetCompleteness {
  readonly neededItems: readonly string[];
  /** Deadline in days after birth, or `null` for no due date. */
  readonly daysUntilDue: number | null;
}

/** Items are stored in certificate order, however they were sent. */
export const setCompleteness = (
  { neededItems, daysUntilDue }: SetCompleteness,
  practice: Practice,
): Decision<PracticeEvent<'NeededItemsChosen' | 'DaysUntilDueSet'>> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const { practiceId, neededItems: currentItems } = practice;
  const items = CERTIFICATE_ITEMS.map(({ id }) => id).filter((id) => neededItems.includes(id));
  if (neededItems.some((id) => !items.includes(id))) return refuse({ code: 'no-such-item' });
  if (daysUntilDue !== null && !isDeadlineInRange(daysUntilDue))
    return refuse({
      code: 'days-out-of-range',
      least: DAYS_UNTIL_DUE.from,
      most: DAYS_UNTIL_DUE.to,
    });
  const events: PracticeEvent<'NeededItemsChosen' | 'DaysUntilDueSet'>[] = [];
  if (currentItems === null || currentItems.join(' ') !== items.join(' '))
    events.push({ type: 'NeededItemsChosen', data: { practiceId, items } });
  if (daysUntilDue !== practice.daysUntilDue)
    events.push({ type: 'DaysUntilDueSet', data: { practiceId, days: daysUntilDue } });
  return accept(...events);
};

const isDeadlineInRange = (days: number): boolean =>
  Number.isInteger(days) && isInRange(DAYS_UNTIL_DUE, days);

export const findRequiredItems = ({
  neededItems,
}: {
  readonly neededItems: readonly string[] | null;
}): readonly string[] => neededItems ?? DEFAULT_ITEMS;
