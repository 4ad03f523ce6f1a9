import { CONTRACT_STATUSES } from '../../../../domain/partner/events.ts';
import type { ListedKey } from '../../../../projections/lists/accounts.ts';
import type { AuditEntry } from '../../../../projections/lists/audit.ts';
import type { ListedPartner } from '../../../../projections/lists/organizations.ts';
import type { ListPage } from '../../../web/page-number.ts';
import { AuditTrail } from '../../layout/audit-trail.tsx';
import { EmptyState } from '../../layout/empty-state.tsx';
import { Pagination } from '../../layout/pagination.tsx';
import { Section } from '../../layout/section.tsx';
import { KeyTable } from '../../parts/keys/key-table.tsx';
import { CONTRACT_TEXT } from '../contract-text.ts';
import { BetaToggle } from '../setting-toggle.tsx';

export interface PartnerPageProps {
  readonly partner: ListedPartner;
  readonly keys: ListPage<ListedKey>;
  readonly audit: readonly AuditEntry[];
}

export const PartnerPage = ({
  partner,
  keys: { rows: keys, ...place },
  audit,
}: PartnerPageProps) => {
  const at = `/staff/partners/${partner.partnerId}`;
  return (
    <>
      <dl class="summary-list">
        <dt>Its requests</dt>
        <dd>
          {partner.beta && partner.contract === 'Active'
            ? 'are accepted: it is in the beta and its contract is Active.'
            : 'are refused until it is in the beta and its contract is Active.'}
        </dd>
        <dt>Partner id</dt>
        <dd>{partner.partnerId}</dd>
      </dl>
      <Section id="settings" heading="Settings">
        <div class="cards">
          <Contract partner={partner} at={at} />
          <BetaToggle at={at} beta={partner.beta} changes={describeBetaChange(partner)} />
        </div>
      </Section>
      <Section id="keys" heading="Keys, one for each practice">
        {keys.length === 0 ? (
          <EmptyState>
            No keys yet. <a href={`${at}/keys/new`}>Choose a practice to mint one for</a>.
          </EmptyState>
        ) : (
          <KeyTable
            caption="Keys of the partner"
            keys={keys}
            audience="staff"
            of="practice"
            addressesAt={({ keyId, revokedAt }) =>
              revokedAt === null ? `${at}/keys/${keyId}/addresses` : null
            }
            revokeAt={({ keyId }) => `${at}/keys/${keyId}/revoke`}
          />
        )}
        <Pagination {...place} of="keys" href={(to) => `${at}?page=${to}#keys`} />
      </Section>
      <AuditTrail entries={audit} audience="staff" />
    </>
  );
};

interface SettingProps {
  readonly partner: ListedPartner;
  readonly at: string;
}

/** Asks for confirmation: the contract decides over everything the partner sends. */
const Contract = ({ partner: { contract }, at }: SettingProps) => (
  <form
    method="get"
    action={`${at}/contract`}
    class="switch display-flex flex-column flex-align-start card card--ground"
  >
    <h3>Contract: {contract}</h3>
    <p>{CONTRACT_TEXT[contract]}</p>
    <div class="buttons">
      {CONTRACT_STATUSES.filter((status) => status !== contract).map((status) => (
        <button
          key={status}
          type="submit"
          class="usa-button usa-button--outline"
          name="to"
          value={status}
        >
          Change to {status}
        </button>
      ))}
    </div>
  </form>
);

export const describeBetaChange = ({ beta }: Pick<ListedPartner, 'beta'>): string =>
  beta
    ? 'Outside the beta, all its requests are refused.'
    : 'In the beta, its keys work while its contract is Active.';
