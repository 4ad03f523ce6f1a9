import type { ListedPartner } from '../../../projections/partners.ts';
import { DataTable } from '../frame/data-table.tsx';
import { EmptyState } from '../frame/empty-state.tsx';

/** The partners of the service. */
export const PartnerList = ({ partners }: { readonly partners: readonly ListedPartner[] }) =>
  partners.length === 0 ? (
    <EmptyState links={[{ href: '/staff/partners/new', text: 'Set up a partner' }]}>
      No partners yet. A partner is an organisation whose EHR sends for several practices.
    </EmptyState>
  ) : (
    <DataTable
      caption="Partners"
      captionHidden
      rows={partners}
      keyOf={({ partnerId }) => partnerId}
      columns={[
        {
          heading: 'Partner',
          namesRow: true,
          cell: ({ partnerId, name }) => <a href={`/staff/partners/${partnerId}`}>{name}</a>,
        },
        { heading: 'Contract', cell: ({ contract }) => contract },
        { heading: 'Beta', cell: ({ beta }) => (beta ? 'In the beta' : 'Outside') },
        { heading: 'Live keys', figures: true, cell: ({ liveKeys }) => liveKeys },
      ]}
    />
  );
