import { numberInWords } from '../../../domain/format-measures.ts';
import type { PartCounts, ProviderListing } from '../../../projections/lists/providers.ts';
import { SEARCH_PARAMETER, type SealedSearch } from '../../web/sealed-search.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Form } from '../layout/form.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { SearchExpired } from '../layout/search-expired.tsx';
import { ProviderRole } from './provider-role.tsx';
import { formatIdentities, formatProviderName } from './provider-text.ts';

export const NO_MATCHES_MESSAGE = 'No matches. Try fewer letters.';

export const NO_PROVIDERS_MESSAGE = 'No providers yet.';

/** Precedes the merged identities of a provider. */
export const ALSO_KNOWN_AS = 'also known as';

export interface ListedSurvivor {
  readonly provider: ProviderListing;
  readonly alsoKnownAs: readonly ProviderListing[];
  readonly counts: PartCounts;
}

export interface ProviderListProps {
  readonly providers: readonly ListedSurvivor[];
  /** Number of providers in the practice, and of those that match. */
  readonly total: number;
  readonly matching: number;
  readonly search: SealedSearch;
  readonly page: number;
  readonly pages: number;
}

/** @param sealed encrypted search text; empty if none */
export const buildProvidersPath = (sealed: string, page: number): string => {
  const parameters = new URLSearchParams({
    ...(sealed === '' ? {} : { [SEARCH_PARAMETER]: sealed }),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return parameters === '' ? '/registry/providers' : `/registry/providers?${parameters}`;
};

/** Minimum length of a list with a search box. */
export const SEARCHED_FROM = 50;

export const ProviderList = (props: ProviderListProps) => {
  const { providers, total, matching, search, page, pages } = props;
  if (total === 0)
    return (
      <EmptyState>
        {NO_PROVIDERS_MESSAGE} They appear here when a partner EHR sends births with the name of the
        person who attended or certified them.
      </EmptyState>
    );
  return (
    <>
      {search.isExpired && <SearchExpired />}
      {(total > SEARCHED_FROM || search.text !== '') && <ProviderSearch query={search.text} />}
      {matching === 0 ? (
        <EmptyState links={[{ href: '/registry/providers', text: 'Show all providers' }]}>
          {NO_MATCHES_MESSAGE}
        </EmptyState>
      ) : (
        <ProviderTable providers={providers} />
      )}
      <Pagination
        page={page}
        pages={pages}
        of="providers"
        href={(to) => buildProvidersPath(search.sealed, to)}
      />
    </>
  );
};

const ProviderSearch = ({ query }: { readonly query: string }) => (
  <Form
    action="/registry/providers"
    class="search-line cluster cluster--close flex-align-end margin-bottom-3"
  >
    <label class="usa-label width-full" for="field-q">
      Name, identifier or NPI
    </label>
    <input class="usa-input field" id="field-q" name="q" type="search" value={query} />
    <button type="submit" class="usa-button usa-button--outline">
      Find providers
    </button>
  </Form>
);

const ProviderTable = ({ providers }: Pick<ProviderListProps, 'providers'>) => (
  <DataTable
    caption="Providers named by partners, with their active records"
    captionHidden
    rows={providers}
    keyOf={({ provider }) => provider.providerId}
    columns={[
      { heading: 'Provider', namesRow: true, cell: (row) => <Names {...row} /> },
      {
        heading: 'Role',
        cell: ({ provider }) => <ProviderRole {...provider} />,
      },
      {
        heading: 'Source',
        cell: ({ provider: { partnerName, identity } }) => (
          <>
            {partnerName ?? 'A partner'} <span class="beneath">as {identity}</span>
          </>
        ),
      },
      {
        heading: 'NPI',
        cell: ({ provider }) => <span class="text-no-wrap">{provider.npi ?? '–'}</span>,
      },
      { heading: 'Attended', figures: true, cell: ({ counts }) => numberInWords(counts.attendant) },
      {
        heading: 'Certified',
        figures: true,
        cell: ({ counts }) => numberInWords(counts.certifier),
      },
    ]}
  />
);

const Names = ({ provider, alsoKnownAs }: Omit<ListedSurvivor, 'counts'>) => (
  <>
    <a href={`/registry/providers/${provider.providerId}`}>{formatProviderName(provider)}</a>
    {alsoKnownAs.length > 0 && (
      <span class="beneath">
        {ALSO_KNOWN_AS} {formatIdentities(alsoKnownAs)}
      </span>
    )}
  </>
);
