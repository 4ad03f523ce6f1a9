import { toDayNumber } from '../../../domain/fhir/dates.ts';
import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { WorkKind } from '../../../domain/work-items/items.ts';
import { MAX_WORK_ITEMS } from '../../../projections/lists/work-items.ts';

export const KIND_TEXT: Readonly<
  Record<WorkKind, { readonly mark: string; readonly one: string; readonly several: string }>
> = {
  revived: {
    mark: 'Sent again',
    one: 'voided record sent again',
    several: 'voided records sent again',
  },
  question: {
    mark: 'Unusual value',
    one: 'record with unusual values',
    several: 'records with unusual values',
  },
  missing: { mark: 'Incomplete', one: 'incomplete record', several: 'incomplete records' },
  refused: { mark: 'Rejected', one: 'record rejected', several: 'records rejected' },
  duplicate: {
    mark: 'Duplicate?',
    one: 'record that may be the same birth as another',
    several: 'records that may be the same birth as another',
  },
  'import-rows': {
    mark: 'Import rows',
    one: 'import with rejected rows',
    several: 'imports with rejected rows',
  },
  'handed-over': {
    mark: 'For review',
    one: 'birth sent for review',
    several: 'births sent for review',
  },
  'key-ending': {
    mark: 'API key',
    one: 'API key expiring soon',
    several: 'API keys expiring soon',
  },
  'access-review': { mark: 'Access', one: 'access review due', several: 'access reviews due' },
};

export const formatAmount = (count: number): string =>
  count >= MAX_WORK_ITEMS ? `${numberInWords(MAX_WORK_ITEMS)}+` : numberInWords(count);

const MS_IN_DAY = 86_400_000;

/** Age of an item: "Less than a day", "3 days". */
export const formatAge = (since: Date, now: Date): string => {
  const days = Math.floor((now.getTime() - since.getTime()) / MS_IN_DAY);
  return days < 1 ? 'Less than a day' : countInWords(days, 'day');
};

/** `null` if not late. @param due,today `YYYY-MM-DD` */
export const formatLateness = (due: string, today: string): string | null => {
  const days = toDayNumber(today) - toDayNumber(due);
  return days > 0 ? `${countInWords(days, 'day')} late` : null;
};
