import type { Request, RequestHandler, Response } from 'express';
import type { ComponentChildren } from 'preact';
import type { ListedKey } from '../../../../projections/lists/accounts.ts';
import type { KeyCommands } from '../../../commands/manage-keys.ts';
import { readFormText } from '../../../web/form-body.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { fillPath } from '../../../web/redirect-get.ts';
import { form, question, type Redirect, type Route, redirect } from '../../layout/routes.tsx';
import {
  AddressesForm,
  checkAddresses,
  describeAddresses,
  formatAddresses,
  parseAddresses,
} from './key-addresses.tsx';
import { formatKeyName } from './key-table.tsx';

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

export const describeRevocation = (key: Pick<ListedKey, 'name'>): string =>
  `${formatKeyName(key)} was revoked.`;

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
      return redirect(back, describeRevocation(key));
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
    open: ({ key }) => ({ addresses: formatAddresses(key.addresses) }),
    read: (req) => ({ addresses: readFormText(req, 'addresses') }),
    stored: {
      addresses: {
        label: 'Allowed IP addresses',
        compare: ({ addresses }) => parseAddresses(addresses),
      },
    },
    view: (values, { key, back }) => <AddressesForm key_={key} back={back} values={values} />,
    save: async (typed, { key, back }, _req, res) => {
      const errors = checkAddresses(typed.addresses);
      if (errors.length > 0) return errors;
      const addresses = parseAddresses(typed.addresses);
      await owner.commands(res).setAddresses(key.keyId, addresses);
      return redirect(back, describeAddresses(key, addresses));
    },
  });
