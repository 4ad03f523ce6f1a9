import type { Request, Response } from 'express';
import { findMatchReason, type MatchReason } from '../../../domain/provider/likely-same.ts';
import type { ProviderListing } from '../../../projections/lists/providers.ts';
import type { App } from '../../ports/app-ports.ts';
import { getSeat } from '../../web/guards/seats.ts';
import { readPageNumber, slicePage } from '../../web/page-number.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { type Reply, redirect } from '../layout/routes.tsx';
import {
  buildProviderPath,
  findMergeRefusal,
  findProvider,
  isUnmerged,
  PER_PAGE,
} from './find-providers.ts';
import { formatProviderName, ProviderRole } from './provider-text.tsx';

/** Lists the other unmerged providers of the same partner, likely matches first. */
export const showChoice = async (app: App, req: Request, res: Response): Promise<Reply> => {
  const all = await app.reads.findProviders(getSeat(res).practiceId);
  const absorbed = findProvider(all, req, 'id');
  const at = buildProviderPath(absorbed);
  if (!isUnmerged(absorbed)) return redirect(at);
  const candidates = all
    .filter((one) => isUnmerged(one) && findMergeRefusal(absorbed, one) === null)
    .map((provider) => ({ provider, reason: findMatchReason(absorbed, provider) }))
    .sort((a, b) => Number(a.reason === null) - Number(b.reason === null));
  const { rows, ...place } = slicePage(candidates, readPageNumber(req), PER_PAGE);
  const likely = rows.filter(({ reason }) => reason !== null);
  const others = rows.filter(({ reason }) => reason === null);
  return {
    title: `Merge ${formatProviderName(absorbed)}`,
    tabTitle: 'Merge a provider',
    children:
      rows.length === 0 ? (
        <EmptyState links={[{ href: at, text: 'Back to the provider' }]}>
          {absorbed.partnerName ?? 'The partner'} hasn’t named any other provider. Only identities
          from the same partner can be merged.
        </EmptyState>
      ) : (
        <>
          <p>
            Choose the provider to keep. All births of {formatProviderName(absorbed)} will count for
            them; the next page shows exactly what changes. You can choose only providers from{' '}
            {absorbed.partnerName ?? 'the same partner'}.
          </p>
          {likely.length > 0 && (
            <Candidates heading="Likely the same" at={at} rows={likely} areLikely />
          )}
          {others.length > 0 && (
            <Candidates
              heading={likely.length > 0 ? 'Others' : 'Providers'}
              at={at}
              rows={others}
            />
          )}
          <Pagination {...place} of="providers" href={(to) => `${at}/merge?page=${to}`} />
          <p class="margin-top-3">
            <a href={at}>Cancel</a>
          </p>
        </>
      ),
  };
};

const Candidates = ({
  heading,
  at,
  rows,
  areLikely = false,
}: {
  readonly heading: string;
  readonly at: string;
  readonly areLikely?: boolean;
  readonly rows: readonly {
    readonly provider: ProviderListing;
    readonly reason: MatchReason | null;
  }[];
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
            <a href={`${at}/merge/${provider.providerId}`}>{formatProviderName(provider)}</a>
          ),
        },
        { heading: 'Identifier', cell: ({ provider }) => provider.identity },
        { heading: 'Role', cell: ({ provider }) => <ProviderRole {...provider} /> },
        {
          heading: 'NPI',
          cell: ({ provider }) => <span class="text-no-wrap">{provider.npi ?? '–'}</span>,
        },
        ...(areLikely
          ? [
              {
                heading: 'Why',
                cell: ({ reason }: (typeof rows)[number]) =>
                  reason === 'same-npi' ? 'Same NPI' : 'Similar name',
              },
            ]
          : []),
      ]}
    />
  </>
);
