import type { AccessPlace } from '../../domain/access-log/events.ts';
import type { UnusualMark } from '../../domain/access-log/unusual.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import type { AccessEntry } from '../../projections/lists/access.ts';
import type { AccessEntryType } from '../../projections/tables/access-entries.ts';

export type AccessAction =
  | 'viewed'
  | 'listed'
  | 'printed'
  | 'exported'
  | 'receipt'
  | 'prefilled'
  | 'chart-viewed'
  | 'import-viewed'
  | 'handed-over-viewed'
  | 'handed-over-discarded'
  | 'log-viewed'
  | 'account';

const LISTS: ReadonlySet<AccessPlace> = new Set([
  'list',
  'births',
  'home',
  'statistics',
  'import-check',
  'provider',
  'access-log',
  'record-access',
  'career-command',
  'access-command',
  'to-do',
] satisfies AccessPlace[]);

export const findAccessAction = ({
  type,
  place,
}: Pick<AccessEntry, 'type' | 'place'>): AccessAction => {
  switch (type) {
    case 'RecordsShown':
      return place !== null && LISTS.has(place) ? 'listed' : 'viewed';
    case 'RecordsPrinted':
      return 'printed';
    case 'DataExported':
    case 'RecordsExported':
      return 'exported';
    case 'ReceiptsRead':
      return 'receipt';
    case 'RecordPrefilled':
      return 'prefilled';
    case 'ChartsShown':
      return 'chart-viewed';
    case 'ImportShown':
      return 'import-viewed';
    case 'HandedOverShown':
      return 'handed-over-viewed';
    case 'HandedOverDiscarded':
      return 'handed-over-discarded';
    case 'LogShown':
      return 'log-viewed';
    default:
      return 'account';
  }
};

const PURPOSES_OF_PLACES: Readonly<Record<AccessPlace, string>> = {
  elsewhere: 'navigation',
  record: 'reading the record',
  'record-then': 'history as of a moment',
  'void-form': 'voiding',
  'restore-form': 'restoring',
  correction: 'correcting',
  entry: 'entering a birth',
  list: 'finding a record',
  births: 'reading the births log',
  home: 'finding what is new',
  statistics: 'reading the records of a figure',
  duplicates: 'deciding a duplicate',
  'import-check': 'checking an import',
  provider: 'reading the births of a provider',
  'access-log': 'checking who had access',
  'record-access': 'checking who had access',
  'history-command': 'reading the history',
  'career-command': 'reading the births of a provider',
  'access-command': 'checking who had access',
  'to-do': 'seeing what is to do',
  worksheet: 'filling in a paper worksheet',
};

const PURPOSES_OF_TYPES: Readonly<Partial<Record<AccessEntryType, string>>> = {
  ReceiptsRead: 'result of a push',
  RecordPrefilled: 'pre-filling from an EHR',
  ChartsShown: 'pre-filling from an EHR',
  ImportShown: 'checking an import',
  HandedOverShown: 'deciding on a birth that was handed over',
  HandedOverDiscarded: 'deciding on a birth that was handed over',
  LogShown: 'checking who had access',
};

/** Implied by the page or command, because people are not asked; `null` if unknown. */
export const findPurpose = ({
  type,
  place,
  exported,
}: Pick<AccessEntry, 'type' | 'place' | 'exported'>): string | null => {
  if (exported === 'import-result') return 'result of an import';
  if (exported === 'access-log') return 'checking who had access';
  if (exported === 'backup') return 'backing up';
  if (exported?.startsWith('records-') === true) return 'exporting';
  return (place === null ? PURPOSES_OF_TYPES[type] : PURPOSES_OF_PLACES[place]) ?? null;
};

export const UNUSUAL_WORDS: Readonly<Record<UnusualMark, string>> = {
  'many-records': 'Many records in an hour',
  'own-family-name': 'Own family name',
};

/** True if the seat results from `lastBreakGlass`, the last break-glass invitation of the practice. */
export const isByBreakGlass = (
  { by, at }: Pick<AccessEntry, 'by' | 'at'>,
  lastBreakGlass: PracticeEvent<'BreakGlassUsed'>['data'] | null,
): boolean =>
  lastBreakGlass !== null &&
  by.kind === 'member' &&
  by.email === lastBreakGlass.email &&
  at.getTime() >= Date.parse(lastBreakGlass.at);
