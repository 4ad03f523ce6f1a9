import type { Request, Response, Router } from 'express';
import { CONTRACT_STATUSES, type ContractStatus } from '../../../../domain/partner/events.ts';
import type { ListedPartner } from '../../../../projections/lists/organizations.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { requireStaff } from '../../../web/guards/seats.ts';
import { readPageNumber, slicePage } from '../../../web/page-number.ts';
import { pageNotFound, unreadableForm } from '../../../web/page-problem.ts';
import { isSafeMethod } from '../../../web/same-origin.ts';
import { AuditTrail, MAX_ENTRIES } from '../../layout/audit-trail.tsx';
import { DataTable } from '../../layout/data-table.tsx';
import { EmptyState } from '../../layout/empty-state.tsx';
import { Facts } from '../../layout/facts.tsx';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { createPageCommands } from '../../layout/page-commands.ts';
import { Pagination } from '../../layout/pagination.tsx';
import { createRouter, form, loadNothing, page, question, redirect } from '../../layout/routes.tsx';
import { Section } from '../../layout/section.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { KeyTable } from '../../parts/keys/key-table.tsx';
import { requireStepUp } from '../../second-factor/step-up.tsx';
import { BetaToggle, toggleBeta } from '../setting-toggle.tsx';
import { buildPartnerPath, listPartnerKeyRoutes, PARTNER } from './partner-keys.tsx';

const CONTRACT_TEXT: Readonly<Record<ContractStatus, string>> = {
  Pending: 'All requests are refused until the contract is active.',
  Active: 'Its keys work while it is in the beta.',
  Suspended: 'All requests are refused.',
};

const LIST = '/staff/partners';

export const staffPartnersRouter = (app: App): Router => {
  const { reads } = app;
  const stepUp = requireStepUp(app);
  const commands = (res: Response) => createPageCommands(app, res);
  const load = async (req: Request): Promise<ListedPartner> => {
    const partner = await reads.findPartner(String(req.params['partner']));
    if (partner === null) throw pageNotFound();
    return partner;
  };
  return createRouter(
    page(LIST, requireStaff, async (req) => {
      const { rows, ...place } = slicePage(await reads.listPartners(), readPageNumber(req));
      return {
        title: 'Partners',
        action: (
          <a class="usa-button" href={`${LIST}/new`}>
            Set up a partner
          </a>
        ),
        children: (
          <>
            <PartnerList partners={rows} />
            <Pagination {...place} of="partners" href={(to) => `${LIST}?page=${to}`} />
          </>
        ),
      };
    }),
    form(`${LIST}/new`, requireStaff, {
      load: loadNothing,
      title: 'Set up a partner',
      open: () => ({ name: '' }),
      read: (req) => ({ name: readFormText(req, 'name').trim() }),
      replaces: null,
      view: (values) => (
        <>
          <p>
            A new partner is not in the beta and its contract is Pending: all its requests are
            refused.
          </p>
          <Form action={LIST} values={values}>
            <TextField name="name" label="Name" />
            <FormButtons submit="Set up partner" cancel={LIST} />
          </Form>
        </>
      ),
      postTo: LIST,
      placeRefusal: () => 'name',
      save: async ({ name }, _loaded, _req, res) => {
        const { partners } = commands(res);
        const partnerId = await partners.create({ name, beta: false, status: 'Pending' });
        return redirect(buildPartnerPath({ partnerId }), `${name} was created.`);
      },
    }),
    page(PARTNER, requireStaff, async (req) => {
      const partner = await load(req);
      const { partnerId, name, beta, contract } = partner;
      const at = buildPartnerPath(partner);
      const [keys, audit] = await Promise.all([
        reads.listPartnerKeys(partnerId),
        reads.readPartnerAudit(partnerId, MAX_ENTRIES),
      ]);
      const { rows, ...place } = slicePage(keys, readPageNumber(req));
      return {
        title: name,
        action: (
          <a class="usa-button" href={`${at}/keys/new`}>
            Mint a key
          </a>
        ),
        children: (
          <>
            <Facts
              of={[
                [
                  'Requests',
                  beta && contract === 'Active'
                    ? 'Accepted'
                    : 'Refused until it is in the beta and its contract is Active',
                ],
                ['Partner id', partnerId],
              ]}
            />
            <Section id="settings" heading="Settings">
              <div class="cards">
                <Contract contract={contract} at={at} />
                <BetaToggle at={at} beta={beta} effect={describeBetaChange(partner)} />
              </div>
            </Section>
            <Section id="keys" heading="Keys, one for each practice">
              {rows.length === 0 ? (
                <EmptyState>
                  No keys yet. <a href={`${at}/keys/new`}>Choose a practice to mint one for</a>.
                </EmptyState>
              ) : (
                <KeyTable
                  caption="Keys of the partner"
                  keys={rows}
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
        ),
      };
    }),
    toggleBeta(`${PARTNER}/beta`, {
      load,
      stepUp,
      back: buildPartnerPath,
      effect: describeBetaChange,
      set: ({ partnerId }, beta, res) =>
        commands(res).partners.set(partnerId, { beta, status: null }),
    }),
    question(`${PARTNER}/contract`, requireStaff, {
      stepUp,
      load: async (req) => {
        const partner = await load(req);
        if (!isSafeMethod(req)) return { partner, to: parseStatus(readFormText(req, 'to')) };
        const text = readQueryText(req, 'to');
        const to = text === '' ? partner.contract : parseStatus(text);
        return to === partner.contract ? redirect(buildPartnerPath(partner)) : { partner, to };
      },
      back: ({ partner }) => buildPartnerPath(partner),
      replaces: ({ partner, to }) => ({
        saved: { contract: partner.contract },
        target: { contract: to },
      }),
      ask: ({ partner, to }) => ({
        title: `Change the contract of ${partner.name} to ${to}?`,
        submit: `Change to ${to}`,
        destructive: to !== 'Active',
        fields: { to },
        children: (
          <>
            <p data-message="live-keys">
              The contract with <strong>{partner.name}</strong> changes from {partner.contract} to{' '}
              {to}. {describeLiveKeys(partner, to)}
            </p>
          </>
        ),
      }),
      run: async ({ partner, to }, _req, res) => {
        await commands(res).partners.set(partner.partnerId, { status: to, beta: null });
        return redirect(buildPartnerPath(partner), {
          id: 'contract-changed',
          text: `The contract with ${partner.name} is now ${to}.`,
        });
      },
    }),
    ...listPartnerKeyRoutes(app, load),
  );
};

const describeLiveKeys = (
  { liveKeys, beta }: Pick<ListedPartner, 'liveKeys' | 'beta'>,
  to: ContractStatus,
): string => {
  if (liveKeys === 0) return 'It has no active keys.';
  const keys =
    liveKeys === 1 ? 'It keeps its one active key' : `It keeps its ${liveKeys} active keys`;
  if (to !== 'Active')
    return `${keys}, but every request is refused (403) until the contract is Active.`;
  return beta
    ? `${keys}, and its requests are accepted immediately.`
    : `${keys}, but its requests are refused until it is added to the beta.`;
};

const parseStatus = (text: string): ContractStatus => {
  const status = CONTRACT_STATUSES.find((one) => one === text);
  if (status === undefined) throw unreadableForm(400);
  return status;
};

const PartnerList = ({ partners }: { readonly partners: readonly ListedPartner[] }) =>
  partners.length === 0 ? (
    <EmptyState
      id="no-partners"
      links={[{ href: '/staff/partners/new', text: 'Set up a partner' }]}
    >
      No partners yet. A partner is an organization whose EHR sends births for several practices.
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
        { heading: 'Beta', cell: ({ beta }) => (beta ? 'In the beta' : 'Not in the beta') },
        { heading: 'Active keys', figures: true, cell: ({ liveKeys }) => liveKeys },
      ]}
    />
  );

/** Needs confirmation: it allows or blocks all of the partner's requests. */
const Contract = ({ contract, at }: { readonly contract: ContractStatus; readonly at: string }) => (
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

const describeBetaChange = ({ beta }: Pick<ListedPartner, 'beta'>): string =>
  beta
    ? 'Outside the beta, all its requests are refused.'
    : 'In the beta, its keys work while its contract is Active.';
