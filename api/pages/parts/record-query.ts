import type { FilterKind } from '../../../domain/access-log/events.ts';
import type { SubmissionSource } from '../../../domain/birth-record/events.ts';
import type { RecordSearch } from '../../../projections/lists/records.ts';
import { parseSearch } from '../../../projections/lists/records.ts';
import { SEARCH_PARAMETER, type SealedSearch } from '../../web/sealed-search.ts';
import type { Choice } from '../layout/select-field.tsx';

export interface RecordQuery {
  readonly q: string;
  /** Encrypted form of `q`, for addresses. */
  readonly sealed: string;
  /** 'live', 'voided', or '' for all. */
  readonly state: string;
  /** Key of {@link SOURCES}; '' for all. */
  readonly came: string;
  readonly onlyDuplicates: boolean;
  /** True for records that changed since their last export, or were never exported. */
  readonly onlyUnexported: boolean;
  /** One-based. */
  readonly page: number;
}

/** Keys for addresses, as no page shows the internal names of the sources. */
const SOURCES: Readonly<Record<string, SubmissionSource>> = {
  sent: 'fhir_push',
  entered: 'manual',
  imported: 'csv',
  'pre-filled': 'ehr_pull',
};

export const SOURCE_CHOICES: readonly Choice[] = [
  { value: 'sent', text: 'Sent by an EHR' },
  { value: 'entered', text: 'Entered by hand' },
  { value: 'imported', text: 'Imported from a file' },
  { value: 'pre-filled', text: 'Pre-filled from the EHR' },
];

export const STATUS_CHOICES: readonly Choice[] = [
  { value: 'live', text: 'Active' },
  { value: 'voided', text: 'Voided' },
];

/** Ignores unknown values. @param textOf reads a form field or a parameter of the address */
export const parseRecordQuery = (
  textOf: (name: string) => string,
  { text, sealed }: Pick<SealedSearch, 'text' | 'sealed'>,
  page: number,
): RecordQuery => {
  const state = textOf('state');
  const came = textOf('came');
  return {
    q: text,
    sealed,
    state: STATUS_CHOICES.some(({ value }) => value === state) ? state : '',
    came: Object.hasOwn(SOURCES, came) ? came : '',
    onlyDuplicates: textOf('duplicates') === '1',
    onlyUnexported: textOf('unexported') === '1',
    page,
  };
};

export const toRecordSearch = (query: RecordQuery): RecordSearch => ({
  ...parseSearch(query.q),
  status: query.state === '' ? null : (query.state as 'live' | 'voided'),
  source: SOURCES[query.came] ?? null,
  onlyDuplicates: query.onlyDuplicates,
  onlyUnexported: query.onlyUnexported,
});

export const isFiltered = (query: RecordQuery): boolean => query.q !== '' || hasFilters(query);

/** True if a query narrows the list by more than its search text. */
export const hasFilters = ({ state, came, onlyDuplicates, onlyUnexported }: RecordQuery): boolean =>
  state !== '' || came !== '' || onlyDuplicates || onlyUnexported;

/** Kinds of filters in a query, without their values. */
export const listFilterKinds = ({
  q,
  state,
  came,
  onlyDuplicates,
  onlyUnexported,
}: RecordQuery): FilterKind[] => [
  ...(q === '' ? [] : (['words'] as const)),
  ...(state === '' ? [] : (['state'] as const)),
  ...(came === '' ? [] : (['source'] as const)),
  ...(onlyDuplicates ? (['duplicates'] as const) : []),
  ...(onlyUnexported ? (['not-exported'] as const) : []),
];

export const buildQueryParameters = (query: RecordQuery): Readonly<Record<string, string>> => {
  const { sealed, state, came, onlyDuplicates, onlyUnexported } = query;
  return {
    ...(sealed === '' ? {} : { [SEARCH_PARAMETER]: sealed }),
    ...(state === '' ? {} : { state }),
    ...(came === '' ? {} : { came }),
    ...(onlyDuplicates ? { duplicates: '1' } : {}),
    ...(onlyUnexported ? { unexported: '1' } : {}),
  };
};

export const buildRecordsPath = (query: RecordQuery, page: number): string => {
  const parameters = new URLSearchParams({
    ...buildQueryParameters(query),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return parameters === '' ? '/registry/records' : `/registry/records?${parameters}`;
};
