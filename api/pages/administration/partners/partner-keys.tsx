import type { Request, Response } from 'express';
import type { ListedPartner } from '../../../../projections/lists/organizations.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getStaff, requireStaff } from '../../../web/guards/seats.ts';
import { createRunOnce } from '../../../web/single-use-form.ts';
import { EmptyState } from '../../layout/empty-state.tsx';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { FormIdField } from '../../layout/hidden-fields.tsx';
import { createPageCommands } from '../../layout/page-commands.ts';
import { backToForm, form, type Route } from '../../layout/routes.tsx';
import { SelectField } from '../../layout/select-field.tsx';
import {
  checkKey,
  KeyFields,
  NEW_KEY,
  parseAddresses,
  readTypedKey,
} from '../../parts/keys/key-fields.tsx';
import { changeAddresses, type KeyOwner, revokeKey } from '../../parts/keys/keys-router.tsx';
import { buildMintedKeyPage } from '../../parts/keys/minted-key.tsx';
import { requireStepUp } from '../../second-factor/step-up.tsx';

export const PARTNER = '/staff/partners/:partner';

export const buildPartnerPath = ({ partnerId }: Pick<ListedPartner, 'partnerId'>): string =>
  `/staff/partners/${partnerId}`;

/** @param load throws a PageProblem for an unknown partner */
export const listPartnerKeyRoutes = (
  app: App,
  load: (req: Request) => Promise<ListedPartner>,
): readonly Route[] => {
  const { reads } = app;
  const stepUp = requireStepUp(app);
  const runOnce = createRunOnce(app.usedForms);
  const commands = (res: Response) => createPageCommands(app, res);
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

  return [
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
          back: buildPartnerPath(partner),
          // Without a live key of the partner.
          practices: practices.filter(({ practiceId }) => !taken.has(practiceId)),
        };
      },
      title: ({ partner }) => `Mint a key for ${partner.name}`,
      open: () => ({ ...NEW_KEY, practice: '' }),
      read: (req) => ({ ...readTypedKey(req), practice: readFormText(req, 'practice') }),
      replaces: null,
      view: (values, { partner: { name }, back, practices }) =>
        practices.length === 0 && values.practice === '' ? (
          <EmptyState links={[{ href: back, text: `Back to ${name}` }]}>
            There is no practice to mint a key for. Either no practice is in the beta, or all of
            them already have an active key of {name}.
          </EmptyState>
        ) : (
          <Form action={`${back}/keys`} values={values}>
            <FormIdField />
            <SelectField
              name="practice"
              label="Practice"
              hint="Practices in the beta without an active key of this partner"
              choices={practices.map((practice) => ({
                value: practice.practiceId,
                text: practice.name,
              }))}
              empty="Choose a practice"
            />
            <KeyFields scopes={values.scopes} />
            <FormButtons submit="Mint key" cancel={back} />
          </Form>
        ),
      postTo: `${PARTNER}/keys`,
      stepUp,
      placeRefusal: () => 'practice',
      save: async (typed, { partner, back }, req, res) => {
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
          back,
          holder: `${partner.name} at ${practice.name}`,
          pushBase: app.pushBase,
        });
      },
    }),
    changeAddresses(keyOwner),
    revokeKey(keyOwner),
  ];
};

const checkPractice = (practice: { readonly beta: boolean } | null): readonly FieldError[] => {
  if (practice === null)
    return [
      {
        field: 'practice',
        id: 'no-practice-chosen',
        message: 'Choose the practice that the key is for.',
      },
    ];
  return practice.beta ? [] : [toFieldError('practice', { code: 'practice-outside-beta' })];
};
