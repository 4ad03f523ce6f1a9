import type { Request, RequestHandler, Response } from 'express';
import type { ComponentChildren } from 'preact';
import type { ListedKey } from '../../../../projections/lists/accounts.ts';
import type { KeyCommands } from '../../../commands/manage-keys.ts';
import { readFormText } from '../../../web/form-body.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { fillPath } from '../../../web/redirect-get.ts';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { form, question, type Redirect, type Route, redirect } from '../../layout/routes.tsx';
import { Time } from '../../layout/time.tsx';
import { AddressesField, checkAddresses, parseAddresses } from './key-fields.tsx';
import { formatAllowedAddresses, formatKeyName } from './key-table.tsx';

/** Owner of the keys below an address: a practice, or a partner. */
export interface KeyOwner {
  /** Address of the page with the list of keys, with the parameters of its routes. */
  readonly home: string;
  readonly guard: RequestHandler;
  /** Has the person confirm who they are. */
  readonly stepUp: RequestHandler;
  /** @throws PageProblem 404 for an unknown owner */
  readonly listKeys: (req: Request, res: Response) => Promise<readonly ListedKey[]>;
  readonly commands: (res: Response) => KeyCommands;
  /** Holder of a key, and the effect of revoking it. */
  readonly describeRevoking: (key: ListedKey) => ComponentChildren;
}

interface LoadedKey {
  readonly key: ListedKey;
  readonly back: string;
}

/** @throws PageProblem 404 if the person may not see it */
export const findKey = async (
  { listKeys }: Pick<KeyOwner, 'listKeys'>,
  req: Request,
  res: Response,
): Promise<ListedKey> => {
  const keys = await listKeys(req, res);
  const key = keys.find(({ keyId }) => keyId === req.params['key']);
  if (key === undefined) throw pageNotFound();
  return key;
};

export const revokeKey = (owner: KeyOwner): Route =>
  question(`${owner.home}/keys/:key/revoke`, owner.guard, {
    stepUp: owner.stepUp,
    load: async (req, res): Promise<LoadedKey | Redirect> => {
      const key = await findKey(owner, req, res);
      const back = fillPath(owner.home, req);
      return key.revokedAt === null
        ? { key, back }
        : redirect(back, `${formatKeyName(key)} was already revoked.`, 'info');
    },
    back: ({ back }) => back,
    ask: ({ key }) => ({
      title: `Revoke ${formatKeyName(key)}?`,
      submit: 'Revoke key',
      destructive: true,
      children: owner.describeRevoking(key),
    }),
    run: async ({ key, back }, _req, res) => {
      await owner.commands(res).revoke(key.keyId);
      return redirect(back, { id: 'key-revoked', text: `${formatKeyName(key)} was revoked.` });
    },
  });

export const changeAddresses = (owner: KeyOwner): Route =>
  form(`${owner.home}/keys/:key/addresses`, owner.guard, {
    stepUp: owner.stepUp,
    load: async (req, res): Promise<LoadedKey> => {
      const key = await findKey(owner, req, res);
      if (key.revokedAt !== null) throw pageNotFound();
      return { key, back: fillPath(owner.home, req) };
    },
    title: ({ key }) => `Addresses for ${formatKeyName(key)}`,
    open: ({ key }) => ({ addresses: key.addresses.join('\n') }),
    read: (req) => ({ addresses: readFormText(req, 'addresses') }),
    replaces: {
      addresses: {
        label: 'Allowed IP addresses',
        compare: ({ addresses }) => parseAddresses(addresses),
      },
    },
    view: (values, { key: { keyId, lastUsedAt, lastUsedFrom, lastRefused }, back }) => (
      <Form action={`${back}/keys/${keyId}/addresses`} class="confirm" values={values}>
        <p>
          As soon as you save, requests with this key from any other address are refused. The token
          stays the same.
        </p>
        {lastUsedAt !== null && lastUsedFrom !== null && (
          <p>
            It was last used from {lastUsedFrom}, <Time at={lastUsedAt} />.
          </p>
        )}
        {lastRefused !== null && (
          <p>
            It was last refused from {lastRefused.from}, <Time at={lastRefused.at} />.
          </p>
        )}
        <AddressesField />
        <FormButtons submit="Save addresses" cancel={back} />
      </Form>
    ),
    save: async (typed, { key, back }, _req, res) => {
      const errors = checkAddresses(typed.addresses);
      if (errors.length > 0) return errors;
      const addresses = parseAddresses(typed.addresses);
      await owner.commands(res).setAddresses(key.keyId, addresses);
      return redirect(back, {
        id: 'addresses-saved',
        text:
          addresses.length === 0
            ? `${formatKeyName(key)} now works from any address.`
            : `${formatKeyName(key)} now works only from ${formatAllowedAddresses(addresses)}.`,
      });
    },
  });
