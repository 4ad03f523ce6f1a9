import { findMatchReason, type MatchReason } from '../../../domain/provider/likely-same.ts';
import type { ShownProvider } from '../../../projections/lists/providers.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { ProviderRole } from './provider-role.tsx';
import { formatProviderName } from './provider-text.ts';

export interface MergeChoiceProps {
  readonly absorbed: ShownProvider;
  /** Other unmerged providers of the same partner. */
  readonly candidates: readonly ShownProvider[];
}

/** Reasons that two providers are likely the same. */
export const MATCH_REASON_TEXT: Readonly<Record<MatchReason, string>> = {
  'same-npi': 'Same NPI',
  'similar-name': 'Similar name',
};

/** Providers to merge into, likely matches first. */
export const MergeChoice = ({ absorbed, candidates }: MergeChoiceProps) => {
  const likely = candidates.filter((one) => findMatchReason(absorbed, one) !== null);
  const others = candidates.filter((one) => findMatchReason(absorbed, one) === null);
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
  readonly absorbed: ShownProvider;
  readonly areLikely?: boolean;
  readonly rows: readonly ShownProvider[];
}) => (
  <>
    <h2>{heading}</h2>
    <DataTable
      caption={heading}
      captionHidden
      rows={rows}
      keyOf={({ providerId }) => providerId}
      columns={[
        {
          heading: 'Provider',
          namesRow: true,
          cell: (one) => (
            <a href={`/registry/providers/${absorbed.providerId}/merge/${one.providerId}`}>
              {formatProviderName(one)}
            </a>
          ),
        },
        { heading: 'Identifier', cell: ({ identity }) => identity },
        { heading: 'Role', cell: (one) => <ProviderRole {...one} /> },
        { heading: 'NPI', cell: ({ npi }) => <span class="text-no-wrap">{npi ?? '–'}</span> },
        ...(areLikely ? [{ heading: 'Why', cell: formatReason(absorbed) }] : []),
      ]}
    />
  </>
);

const formatReason = (absorbed: ShownProvider) => (one: ShownProvider) => {
  const reason = findMatchReason(absorbed, one);
  return reason === null ? '–' : MATCH_REASON_TEXT[reason];
};
