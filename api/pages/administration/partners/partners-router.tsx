import type { Request, Response, Router } from 'express';
import { CONTRACT_STATUSES, type ContractStatus } from '../../../../domain/partner/events.ts';
import type { ListedPartner } from '../../../../projections/lists/organizations.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { getStaff, requireStaff } from '../../../web/guards/seats.ts';
import { readPageNumber, slicePage } from '../../../web/page-number.ts';
import { pageNotFound, unreadableForm } from '../../../web/page-problem.ts';
import { isSafeMethod } from '../../../web/same-origin.ts';
import { createRunOnce } from '../../../web/single-use-form.ts';
import { MAX_ENTRIES } from '../../layout/audit-trail.tsx';
import { DataTable } from '../../layout/data-table.tsx';
import { EmptyState } from '../../layout/empty-state.tsx';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { createPageCommands } from '../../layout/page-commands.ts';
import { Pagination } from '../../layout/pagination.tsx';
import {
  backToForm,
  createRouter,
  form,
  loadNothing,
  page,
  question,
  redirect,
} from '../../layout/routes.tsx';
import { parseAddresses } from '../../parts/keys/key-addresses.tsx';
import { checkKey, NEW_KEY, readTypedKey } from '../../parts/keys/key-order.ts';
import { changeAddresses, type KeyOwner, revokeKey } from '../../parts/keys/keys-router.tsx';
import { buildMintedKeyPage } from '../../parts/keys/minted-key.tsx';
import { requireStepUp } from '../../second-factor/step-up.tsx';
import { CONTRACT_TEXT } from '../contract-text.ts';
import { toggleBeta } from '../setting-toggle.tsx';
import { PartnerForm, PartnerKeyForm, type TypedPartnerKey } from './partner-forms.tsx';
import { describeBetaChange, PartnerPage } from './partner-page.tsx';

const LIST = '/staff/partners';
const PARTNER = `${LIST}/:partner`;

export const NO_PARTNERS =
  'No partners yet. A partner is an organization whose EHR sends births for several practices.';

export const NO_PRACTICE_CHOSEN = 'Choose the practice that the key is for.';

export const describeContract = (name: string, status: ContractStatus): string =>
  `The contract with ${name} is now ${status}.`;

export const describeLiveKeys = (
  { liveKeys, beta }: Pick<ListedPartner, 'liveKeys' | 'beta'>,
  to: ContractStatus,
): string => {
  const keys = liveKeys === 1 ? 'It keeps its one live key' : `It keeps its ${liveKeys} live keys`;
  if (to !== 'Active')
    return `${keys}, but every request is refused (403) until the contract is Active again.`;
  return beta
    ? `${keys}, and its requests are accepted immediately.`
    : `${keys}, but its requests are refused until it is added to the beta.`;
};

const buildPartnerPath = ({ partnerId }: Pick<ListedPartner, 'partnerId'>): string =>
  `${LIST}/${partnerId}`;

export const staffPartnersRouter = (app: App): Router => {
  const { reads } = app;
  const stepUp = requireStepUp(app);
  const runOnce = createRunOnce(app.usedForms);
  const commands = (res: Response) => createPageCommands(app, res);
  const load = async (req: Request): Promise<ListedPartner> => {
    const partner = await reads.findPartner(String(req.params['partner']));
    if (partner === null) throw pageNotFound();
    return partner;
  };
  const keyOwner: KeyOwner = {
    home: PARTNER,
    guard: requireStaff,
    stepUp,
    listKeys: async (req) => reads.listPartnerKeys((await load(req)).partnerId),
    commands: (res) => commands(res).keys,
    describeRevoking: ({ partnerName, practiceName }) => (
      <p>
        This is the key of <strong>{partnerName}</strong> for <strong>{practiceName}</strong>. As
        soon as you revoke it, every request with it is refused. This cannot be undone, but you can
        mint another key for the practice.
      </p>
    ),
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
      stored: null,
      view: (values) => <PartnerForm values={values} />,
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
      const { partnerId, name } = partner;
      const [keys, audit] = await Promise.all([
        reads.listPartnerKeys(partnerId),
        reads.readPartnerAudit(partnerId, MAX_ENTRIES),
      ]);
      return {
        title: name,
        action: (
          <a class="usa-button" href={`${buildPartnerPath(partner)}/keys/new`}>
            Mint a key
          </a>
        ),
        children: (
          <PartnerPage
            partner={partner}
            keys={slicePage(keys, readPageNumber(req))}
            audit={audit}
          />
        ),
      };
    }),
    toggleBeta(`${PARTNER}/beta`, {
      load,
      stepUp,
      back: buildPartnerPath,
      changes: describeBetaChange,
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
      stored: ({ partner, to }) => ({
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
            <p>
              The contract with <strong>{partner.name}</strong> changes from {partner.contract} to{' '}
              {to}. {CONTRACT_TEXT[to]}
            </p>
            <p>{describeLiveKeys(partner, to)}</p>
          </>
        ),
      }),
      run: async ({ partner, to }, _req, res) => {
        await commands(res).partners.set(partner.partnerId, { status: to, beta: null });
        return redirect(buildPartnerPath(partner), describeContract(partner.name, to));
      },
    }),
    backToForm(`${PARTNER}/keys`, requireStaff, PARTNER),
    form(`${PARTNER}/keys/new`, requireStaff, {
      load: async (req) => {
        const partner = await load(req);
        const [practices, keys] = await Promise.all([
          reads.listBetaPractices(),
          reads.listPartnerKeys(partner.partnerId),
        ]);
        const taken = new Set(
          keys.filter(({ revokedAt }) => revokedAt === null).map(({ practiceId }) => practiceId),
        );
        return {
          partner,
          practices: practices.filter(({ practiceId }) => !taken.has(practiceId)),
        };
      },
      title: ({ partner }) => `Mint a key for ${partner.name}`,
      open: (): TypedPartnerKey => ({ ...NEW_KEY, practice: '' }),
      read: (req) => ({ ...readTypedKey(req), practice: readFormText(req, 'practice') }),
      stored: null,
      view: (values, loaded) => <PartnerKeyForm {...loaded} values={values} />,
      postTo: `${PARTNER}/keys`,
      stepUp,
      placeRefusal: () => 'practice',
      save: async (typed, { partner }, req, res) => {
        const practice = typed.practice === '' ? null : await reads.findPractice(typed.practice);
        const errors = [...checkPractice(practice), ...checkKey(typed)];
        if (practice === null || errors.length > 0) return errors;
        const { partnerId } = partner;
        const { name, scopes } = typed;
        const addresses = parseAddresses(typed.addresses);
        const order = { partnerId, practiceId: practice.practiceId, name, scopes, addresses };
        const minted = await runOnce(req, getStaff(res).staffId, () =>
          commands(res).keys.mintPartner(order),
        );
        return buildMintedKeyPage(minted, {
          ...order,
          back: buildPartnerPath(partner),
          holder: `${partner.name} at ${practice.name}`,
          pushBase: app.pushBase,
        });
      },
    }),
    changeAddresses(keyOwner),
    revokeKey(keyOwner),
  );
};

const parseStatus = (text: string): ContractStatus => {
  const status = CONTRACT_STATUSES.find((one) => one === text);
  if (status === undefined) throw unreadableForm(400);
  return status;
};

const checkPractice = (practice: { readonly beta: boolean } | null): readonly FieldError[] => {
  if (practice === null)
    return [{ field: 'practice', id: 'no-practice-chosen', message: NO_PRACTICE_CHOSEN }];
  return practice.beta ? [] : [toFieldError('practice', { code: 'practice-outside-beta' })];
};

const PartnerList = ({ partners }: { readonly partners: readonly ListedPartner[] }) =>
  partners.length === 0 ? (
    <EmptyState links={[{ href: '/staff/partners/new', text: 'Set up a partner' }]}>
      {NO_PARTNERS}
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
        { heading: 'Active keys', figures: true, cell: ({ liveKeys }) => liveKeys },
      ]}
    />
  );
