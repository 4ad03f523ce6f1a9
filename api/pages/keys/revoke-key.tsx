import type { Request, Response } from 'express';
import type { ComponentChildren } from 'preact';
import type { ListedKey } from '../../../projections/lists/accounts.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { flash } from '../../web/session/flash.ts';
import { Confirm } from '../layout/confirm.tsx';
import { sendPage } from '../layout/send-page.tsx';
import { formatKeyName } from './key-table.tsx';

/** Key that an address names, if the reader may see it; otherwise a 404. */
export const requireKey = (req: Request, keys: readonly ListedKey[]): ListedKey => {
  const key = keys.find(({ keyId }) => keyId === req.params['key']);
  if (key === undefined) throw pageNotFound();
  return key;
};

/**
 * Asks for confirmation before a key is revoked.
 * @param at page with the list of keys; the form posts to a path below it
 * @param what consequences for its users
 */
export const askToRevoke = (
  req: Request,
  res: Response,
  key: ListedKey,
  at: string,
  what: ComponentChildren,
): void =>
  sendPage(req, res, {
    title: `Revoke ${formatKeyName(key)}?`,
    children: (
      <Confirm
        action={`${at}/keys/${key.keyId}/revoke`}
        submit="Revoke key"
        cancel={at}
        destructive
      >
        {what}
      </Confirm>
    ),
  });

/** Message after a key was revoked. */
export const describeRevocation = (key: Pick<ListedKey, 'name'>): string =>
  `${formatKeyName(key)} was revoked.`;

/** Redirects to the list of keys after one was revoked. */
export const afterRevoking = (req: Request, res: Response, key: ListedKey, at: string): void => {
  flash(req, 'success', describeRevocation(key));
  res.redirect(303, at);
};
