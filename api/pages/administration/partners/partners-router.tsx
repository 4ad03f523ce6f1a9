import { type Request, type Response, Router } from 'express';
import { CONTRACT_STATUSES, type ContractStatus } from '../../../../domain/partner/events.ts';
import type { ListedPartner } from '../../../../projections/lists/organizations.ts';
import { toPerson } from '../../../access/person.ts';
import { CommandRefused } from '../../../commands/command-refused.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { getStaff, requireStaff } from '../../../web/guards/seats.ts';
import { pageNotFound, unreadableForm } from '../../../web/page-problem.ts';
import { redirectGet } from '../../../web/redirect-get.ts';
import { flash } from '../../../web/session/flash.ts';
import { createRunOnce, newFormId } from '../../../web/single-use-form.ts';
import { askForAddresses, changeAddresses, parseAddresses } from '../../keys/key-addresses.tsx';
import { checkKey, NEW_KEY, readTypedKey, type TypedKey } from '../../keys/key-order.ts';
import { KeyAlreadyShown, MintedKey } from '../../keys/minted-key.tsx';
import { afterRevoking, askToRevoke, requireKey } from '../../keys/revoke-key.tsx';
import { MAX_ENTRIES } from '../../layout/audit-trail.tsx';
import { Confirm } from '../../layout/confirm.tsx';
import { DataTable } from '../../layout/data-table.tsx';
import { EmptyState } from '../../layout/empty-state.tsx';
import { type FieldError, toFieldError, toRefusalError } from '../../layout/field-errors.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { requireStepUp } from '../../layout/step-up.tsx';
import { CONTRACT_TEXT } from '../contract-text.ts';
import { describeBeta, readBooleanField, sendBetaConfirmation } from '../setting-toggle.tsx';
import { PartnerForm, PartnerKeyForm } from './partner-forms.tsx';
import { describeBetaChange, PartnerPage } from './partner-page.tsx';

const LIST = '/staff/partners';

export const NO_PARTNERS =
  'No partners yet. A partner is an organization whose EHR sends births for several practices.';

/** The form for a partner's key lacks the practice. */
export const NO_PRACTICE_CHOSEN = 'Choose the practice that the key is for.';

/** Message after the contract of a partner changed. */
export const describeContract = (name: string, status: ContractStatus): string =>
  `The contract with ${name} is now ${status}.`;

/** Effect of a contract change on the partner's live keys. */
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

/** Partners and their keys, for the service staff. */
export const staffPartnersRouter = (registry: App): Router => {
  const commands = (res: Response) => createCommands(registry, toPerson(getStaff(res)));
  const partnerIn = async (req: Request): Promise<ListedPartner> => {
    const partner = await registry.reads.findPartner(String(req.params['partner']));
    if (partner === null) throw pageNotFound();
    return partner;
  };
  const keyOf = async (partnerId: string, req: Request) =>
    requireKey(req, await registry.reads.listKeysOfPartner(partnerId));
  const liveKeyOf = async (partnerId: string, req: Request) => {
    const key = await keyOf(partnerId, req);
    if (key.revokedAt !== null) throw pageNotFound();
    return key;
  };
  const fresh = requireStepUp(registry);
  const sendKeyForm = createSendKeyForm(registry);

  return Router()
    .get(LIST, requireStaff, async (req, res) => {
      sendPage(req, res, {
        title: 'Partners',
        action: (
          <a class="usa-button" href={`${LIST}/new`}>
            Set up a partner
          </a>
        ),
        children: <PartnerList partners={await registry.reads.listPartners()} />,
      });
    })
    .get(`${LIST}/new`, requireStaff, (req, res) => sendPartnerForm(req, res, '', []))
    .post(LIST, requireStaff, async (req, res) => {
      const name = readFormText(req, 'name').trim();
      try {
        const partnerId = await commands(res).partners.create({
          name,
          beta: false,
          status: 'Pending',
        });
        flash(req, 'success', `${name} was created.`);
        res.redirect(303, `${LIST}/${partnerId}`);
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        sendPartnerForm(req, res, name, [toRefusalError('name', error)]);
      }
    })
    .get(`${LIST}/:partner`, requireStaff, async (req, res) => {
      const partner = await partnerIn(req);
      const { partnerId, name } = partner;
      const [keys, audit] = await Promise.all([
        registry.reads.listKeysOfPartner(partnerId),
        registry.reads.findPartnerAudit(partnerId, MAX_ENTRIES),
      ]);
      sendPage(req, res, {
        title: name,
        action: (
          <a class="usa-button" href={`${LIST}/${partnerId}/keys/new`}>
            Mint a key
          </a>
        ),
        children: <PartnerPage partner={partner} keys={keys} audit={audit} />,
      });
    })
    .get(`${LIST}/:partner/beta`, requireStaff, async (req, res) => {
      const partner = await partnerIn(req);
      sendBetaConfirmation(
        req,
        res,
        `${LIST}/${partner.partnerId}`,
        partner,
        describeBetaChange(partner),
      );
    })
    .post(`${LIST}/:partner/beta`, requireStaff, fresh, async (req, res) => {
      const { partnerId, name } = await partnerIn(req);
      const beta = readBooleanField(req);
      await commands(res).partners.set(partnerId, { beta, status: null });
      flash(req, 'success', describeBeta(name, beta));
      res.redirect(303, `${LIST}/${partnerId}`);
    })
    .get(`${LIST}/:partner/contract`, requireStaff, async (req, res) => {
      const partner = await partnerIn(req);
      const { partnerId, name, contract } = partner;
      const asked = readQueryText(req, 'to');
      const to = asked === '' ? contract : readStatus(asked);
      if (to === contract) {
        res.redirect(303, `${LIST}/${partnerId}`);
        return;
      }
      sendPage(req, res, {
        title: `Change the contract of ${name} to ${to}?`,
        children: (
          <Confirm
            action={`${LIST}/${partnerId}/contract`}
            submit={`Change to ${to}`}
            cancel={`${LIST}/${partnerId}`}
            destructive={to !== 'Active'}
            fields={{ to }}
          >
            <p>
              The contract with <strong>{name}</strong> changes from {contract} to {to}.{' '}
              {CONTRACT_TEXT[to]}
            </p>
            <p>{describeLiveKeys(partner, to)}</p>
          </Confirm>
        ),
      });
    })
    .post(`${LIST}/:partner/contract`, requireStaff, fresh, async (req, res) => {
      const { partnerId, name } = await partnerIn(req);
      const status = readStatus(readFormText(req, 'to'));
      await commands(res).partners.set(partnerId, { status, beta: null });
      flash(req, 'success', describeContract(name, status));
      res.redirect(303, `${LIST}/${partnerId}`);
    })
    .get(`${LIST}/:partner/keys/new`, requireStaff, async (req, res) =>
      sendKeyForm(req, res, await partnerIn(req), NEW_KEY, '', []),
    )
    .get(`${LIST}/:partner/keys`, requireStaff, redirectGet(`${LIST}/:partner`))
    .post(`${LIST}/:partner/keys`, requireStaff, fresh, async (req, res) => {
      const partner = await partnerIn(req);
      const { partnerId } = partner;
      const back = `${LIST}/${partnerId}`;
      const typed = readTypedKey(req);
      const addresses = parseAddresses(typed.addresses);
      const practiceId = readFormText(req, 'practice');
      const practice = practiceId === '' ? null : await registry.reads.findPractice(practiceId);
      const errors = [...checkPractice(practice), ...checkKey(typed)];
      if (practice === null || errors.length > 0) {
        await sendKeyForm(req, res, partner, typed, practiceId, errors);
        return;
      }
      try {
        const minted = await createRunOnce(registry.usedForms)(req, getStaff(res).staffId, () =>
          commands(res).keys.mintPartner({
            partnerId,
            practiceId,
            name: typed.name,
            scopes: typed.scopes,
            addresses,
          }),
        );
        if (minted.kind === 'repeated') {
          sendPage(req, res, {
            title: 'Key minted before',
            children: <KeyAlreadyShown back={back} />,
          });
          return;
        }
        sendPage(req, res, {
          title: 'Key minted',
          scripts: ['copy.mjs'],
          children: (
            <MintedKey
              {...typed}
              addresses={addresses}
              back={back}
              token={minted.value.token}
              holder={`${partner.name} at ${practice.name}`}
              pushBase={registry.pushBase}
            />
          ),
        });
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        const refused = [toRefusalError('practice', error)];
        await sendKeyForm(req, res, partner, typed, practiceId, refused);
      }
    })
    .get(`${LIST}/:partner/keys/:key/addresses`, requireStaff, async (req, res) => {
      const { partnerId } = await partnerIn(req);
      askForAddresses(req, res, await liveKeyOf(partnerId, req), `${LIST}/${partnerId}`);
    })
    .post(`${LIST}/:partner/keys/:key/addresses`, requireStaff, fresh, async (req, res) => {
      const { partnerId } = await partnerIn(req);
      const key = await liveKeyOf(partnerId, req);
      await changeAddresses(req, res, key, `${LIST}/${partnerId}`, commands(res).keys);
    })
    .get(`${LIST}/:partner/keys/:key/revoke`, requireStaff, async (req, res) => {
      const { partnerId, name } = await partnerIn(req);
      const key = await keyOf(partnerId, req);
      askToRevoke(
        req,
        res,
        key,
        `${LIST}/${partnerId}`,
        <p>
          This is the key of <strong>{name}</strong> for <strong>{key.practiceName}</strong>.
          Everything sent or asked with it is refused from then on. This cannot be undone; another
          can be minted for the practice afterwards.
        </p>,
      );
    })
    .post(`${LIST}/:partner/keys/:key/revoke`, requireStaff, fresh, async (req, res) => {
      const { partnerId } = await partnerIn(req);
      const key = await keyOf(partnerId, req);
      await commands(res).keys.revoke(key.keyId);
      afterRevoking(req, res, key, `${LIST}/${partnerId}`);
    });
};

const readStatus = (text: string): ContractStatus => {
  const status = CONTRACT_STATUSES.find((one) => one === text);
  if (status === undefined) throw unreadableForm(400);
  return status;
};

const checkPractice = (practice: { readonly beta: boolean } | null): readonly FieldError[] => {
  if (practice === null)
    return [{ field: 'practice', id: 'no-practice-chosen', message: NO_PRACTICE_CHOSEN }];
  return practice.beta ? [] : [toFieldError('practice', { code: 'practice-outside-beta' })];
};

const sendPartnerForm = (
  req: Request,
  res: Response,
  name: string,
  errors: readonly FieldError[],
): void =>
  sendPage(req, res, {
    title: 'Set up a partner',
    hasErrors: errors.length > 0,
    children: <PartnerForm name={name} errors={errors} />,
  });

const createSendKeyForm =
  (registry: App) =>
  async (
    req: Request,
    res: Response,
    partner: ListedPartner,
    typed: TypedKey,
    practiceId: string,
    errors: readonly FieldError[],
  ): Promise<void> => {
    const [practices, keys] = await Promise.all([
      registry.reads.listBetaPractices(),
      registry.reads.listKeysOfPartner(partner.partnerId),
    ]);
    const taken = new Set(
      keys.filter(({ revokedAt }) => revokedAt === null).map((key) => key.practiceId),
    );
    const title = `Mint a key for ${partner.name}`;
    sendPage(req, res, {
      title,
      hasErrors: errors.length > 0,
      children: (
        <PartnerKeyForm
          partner={partner}
          practiceId={practiceId}
          typed={typed}
          errors={errors}
          practices={practices.filter((practice) => !taken.has(practice.practiceId))}
          formId={newFormId()}
        />
      ),
    });
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
