import { findMatchReason, type MatchReason } from '../../../domain/provider/likely-same.ts';
import type { ProviderListing } from '../../../projections/lists/providers.ts';
import type { ListPage } from '../../web/page-number.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { ProviderRole } from './provider-role.tsx';
import { formatProviderName } from './provider-text.ts';

export interface MergeChoiceProps {
  readonly absorbed: ProviderListing;
  /** Other unmerged providers of the same partner, likely matches first: a page of them. */
  readonly candidates: ListPage<MergeCandidate>;
}

export interface MergeCandidate {
  readonly provider: ProviderListing;
  /** Why it is likely the same; `null` if it is not. */
  readonly reason: MatchReason | null;
}

export const listCandidates = (
  absorbed: ProviderListing,
  providers: readonly ProviderListing[],
): readonly MergeCandidate[] => {
  const all = providers.map((provider) => ({
    provider,
    reason: findMatchReason(absorbed, provider),
  }));
  return [
    ...all.filter(({ reason }) => reason !== null),
    ...all.filter(({ reason }) => reason === null),
  ];
};

export const MATCH_REASON_TEXT: Readonly<Record<MatchReason, string>> = {
  'same-npi': 'Same NPI',
  'similar-name': 'Similar name',
};

export const MergeChoice = ({
  absorbed,
  candidates: { rows: candidates, ...place },
}: MergeChoiceProps) => {
  const likely = candidates.filter(({ reason }) => reason !== null);
  const others = candidates.filter(({ reason }) => reason === null);
  const page = `/registry/providers/${absorbed.providerId}`;
  if (candidates.length === 0)
    return (
      <EmptyState links={[{ href: page, text: 'Back to the provider' }]}>
        {absorbed.partnerName ?? 'The partner'} hasn’t named any other provider. Only identities
        from the same partner can be merged.
      </EmptyState>
    );
  return (
    <>
      <p>
        Choose the provider to keep. All births of {formatProviderName(absorbed)} will count for
        them; the next page shows exactly what changes. You can choose only providers from{' '}
        {absorbed.partnerName ?? 'the same partner'}.
      </p>
      {likely.length > 0 && (
        <Candidates heading="Likely the same" absorbed={absorbed} rows={likely} areLikely />
      )}
      {others.length > 0 && (
        <Candidates
          heading={likely.length > 0 ? 'Others' : 'Providers'}
          absorbed={absorbed}
          rows={others}
        />
      )}
      <Pagination {...place} of="providers" href={(to) => `${page}/merge?page=${to}`} />
      <p class="margin-top-3">
        <a href={page}>Cancel</a>
      </p>
    </>
  );
};

const Candidates = ({
  heading,
  absorbed,
  rows,
  areLikely = false,
}: {
  readonly heading: string;
  readonly absorbed: ProviderListing;
  readonly areLikely?: boolean;
  readonly rows: readonly MergeCandidate[];
}) => (
  <>
    <h2>{heading}</h2>
    <DataTable
      caption={heading}
      captionHidden
      rows={rows}
      keyOf={({ provider }) => provider.providerId}
      columns={[
        {
          heading: 'Provider',
          namesRow: true,
          cell: ({ provider }) => (
            <a href={`/registry/providers/${absorbed.providerId}/merge/${provider.providerId}`}>
              {formatProviderName(provider)}
            </a>
          ),
        },
        { heading: 'Identifier', cell: ({ provider }) => provider.identity },
        { heading: 'Role', cell: ({ provider }) => <ProviderRole {...provider} /> },
        {
          heading: 'NPI',
          cell: ({ provider }) => <span class="text-no-wrap">{provider.npi ?? '–'}</span>,
        },
        ...(areLikely ? [{ heading: 'Why', cell: formatReason }] : []),
      ]}
    />
  </>
);

const formatReason = ({ reason }: MergeCandidate) =>
  reason === null ? '–' : MATCH_REASON_TEXT[reason];
