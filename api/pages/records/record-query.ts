import type { FilterKind } from '../../../domain/access-log/events.ts';
import type { SubmissionSource } from '../../../domain/birth-record/events.ts';
import type { RecordSearch } from '../../../projections/lists/records.ts';
import { parseSearch } from '../../../projections/lists/records.ts';
import { SEARCH_PARAMETER, type SearchWords } from '../../web/search-words.ts';
import type { Choice } from '../frame/select-field.tsx';

/** What the address of the list of records asks for. */
export interface RecordQuery {
  readonly q: string;
  /** The same for an address. */
  readonly sealed: string;
  /** 'live', 'voided', or '' for all. */
  readonly state: string;
  /** Word of {@link SOURCES} for the way that records came; '' for all. */
  readonly came: string;
  readonly onlyDuplicates: boolean;
  /** Records that changed since they were exported last, or never were. */
  readonly onlyUnexported: boolean;
  /** One-based. */
  readonly page: number;
}

/** Words in the address, for no page says how the registry calls the ways itself. */
const SOURCES: Readonly<Record<string, SubmissionSource>> = {
  sent: 'fhir_push',
  entered: 'manual',
  imported: 'csv',
  'pre-filled': 'ehr_pull',
};

/** The ways in which records come, as a filter offers them. */
export const CAME_CHOICES: readonly Choice[] = [
  { value: 'sent', text: 'Sent by an EHR' },
  { value: 'entered', text: 'Entered by hand' },
  { value: 'imported', text: 'Imported from a file' },
  { value: 'pre-filled', text: 'Pre-filled from the EHR' },
];

/** The statuses of records, as a filter offers them. */
export const STATUS_CHOICES: readonly Choice[] = [
  { value: 'live', text: 'Active' },
  { value: 'voided', text: 'Voided' },
];

/**
 * Reads what the list is asked for; what it does not offer asks for nothing.
 * @param textOf a field of the form, or a parameter of the address
 */
export const recordQueryOf = (
  textOf: (name: string) => string,
  { text, sealed }: Pick<SearchWords, 'text' | 'sealed'>,
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

/** The search that a query asks for. */
export const recordSearchOf = (query: RecordQuery): RecordSearch => ({
  ...parseSearch(query.q),
  status: query.state === '' ? null : (query.state as 'live' | 'voided'),
  source: SOURCES[query.came] ?? null,
  onlyDuplicates: query.onlyDuplicates,
  onlyUnexported: query.onlyUnexported,
});

/** Whether a query asks for less than all records. */
export const isFiltered = (query: RecordQuery): boolean => query.q !== '' || hasFilters(query);

/** Whether a query asks for less besides the words that it looks for. */
export const hasFilters = ({ state, came, onlyDuplicates, onlyUnexported }: RecordQuery): boolean =>
  state !== '' || came !== '' || onlyDuplicates || onlyUnexported;

/** By what a query narrows the list down, without what it looks for. */
export const filterKindsOf = ({
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

/** What a query asks for, as parameters of an address. */
export const queryParameters = (query: RecordQuery): Readonly<Record<string, string>> => {
  const { sealed, state, came, onlyDuplicates, onlyUnexported } = query;
  return {
    ...(sealed === '' ? {} : { [SEARCH_PARAMETER]: sealed }),
    ...(state === '' ? {} : { state }),
    ...(came === '' ? {} : { came }),
    ...(onlyDuplicates ? { duplicates: '1' } : {}),
    ...(onlyUnexported ? { unexported: '1' } : {}),
  };
};

/** Address of a page of the list. */
export const recordsAddress = (query: RecordQuery, page: number): string => {
  const parameters = new URLSearchParams({
    ...queryParameters(query),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return parameters === '' ? '/registry/records' : `/registry/records?${parameters}`;
};
