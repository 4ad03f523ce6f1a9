import type { Request, Response } from 'express';
import { MAX_ADDRESSES } from '../../../domain/api-key/decide.ts';
import type { ListedKey } from '../../../projections/lists/accounts.ts';
import { parseRanges } from '../../access/address-ranges.ts';
import type { KeyCommands } from '../../commands/manage-keys.ts';
import { readFormText } from '../../web/form-body.ts';
import { flash } from '../../web/session/flash.ts';
import { ErrorSummary } from '../layout/error-summary.tsx';
import { type FieldError, findError, toFieldError } from '../layout/field-errors.ts';
import { Form } from '../layout/form.tsx';
import { FormButtons } from '../layout/form-buttons.tsx';
import { sendPage } from '../layout/send-page.tsx';
import { TextArea } from '../layout/text-area.tsx';
import { Time } from '../layout/time.tsx';
import { formatAllowedAddresses, formatKeyName } from './key-table.tsx';

/** Room for twenty IPv6 networks and their separators. */
const MAX_TYPED_LENGTH = 2_000;

/** Field for the addresses that a key works from. */
export const AddressesField = ({
  typed,
  errors,
}: {
  readonly typed: string;
  readonly errors: readonly FieldError[];
}) => (
  <TextArea
    name="addresses"
    label="Allowed IP addresses"
    optional
    hint={`One address or network per line, such as 203.0.113.7 or 203.0.113.0/24. Up to ${MAX_ADDRESSES}. Leave it empty to allow every address.`}
    value={typed}
    rows={3}
    maxLength={MAX_TYPED_LENGTH}
    error={findError(errors, 'addresses')}
  />
);

/** Errors in the typed addresses. */
export const checkAddresses = (typed: string): readonly FieldError[] => {
  const read = parseRanges(typed.slice(0, MAX_TYPED_LENGTH));
  if (read.kind === 'unreadable')
    return [
      {
        field: 'addresses',
        id: 'no-address',
        message: `Entry ${read.at} is neither an address nor a network. Write it like 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32, or leave the field empty to allow every address.`,
      },
    ];
  return typed.length > MAX_TYPED_LENGTH || read.ranges.length > MAX_ADDRESSES
    ? [toFieldError('addresses', { code: 'too-many-addresses', most: MAX_ADDRESSES })]
    : [];
};

/** Addresses of a text that has no {@link checkAddresses}. */
export const parseAddresses = (typed: string): readonly string[] => {
  const read = parseRanges(typed);
  return read.kind === 'ranges' ? read.ranges : [];
};

/** Addresses as text for a field. */
export const formatAddresses = (addresses: readonly string[]): string => addresses.join('\n');

/**
 * Asks for the addresses that a key works from.
 * @param at page with the list of keys; the form posts to a path below it
 */
export const askForAddresses = (
  req: Request,
  res: Response,
  key: ListedKey,
  at: string,
  typed: string = formatAddresses(key.addresses),
  errors: readonly FieldError[] = [],
): void =>
  sendPage(req, res, {
    title: `Addresses for ${formatKeyName(key)}`,
    hasErrors: errors.length > 0,
    children: (
      <>
        <ErrorSummary errors={errors} />
        <Form action={`${at}/keys/${key.keyId}/addresses`} class="confirm">
          <p>
            As soon as you save, requests with this key from any other address are refused. The
            token stays the same.
          </p>
          {key.lastUsedAt !== null && key.lastUsedFrom !== null && (
            <p>
              It was last used from {key.lastUsedFrom}, <Time at={key.lastUsedAt} />.
            </p>
          )}
          {key.lastRefused !== null && (
            <p>
              It was last refused from {key.lastRefused.from}, <Time at={key.lastRefused.at} />.
            </p>
          )}
          <AddressesField typed={typed} errors={errors} />
          <FormButtons submit="Save addresses" cancel={at} />
        </Form>
      </>
    ),
  });

/** Message after the addresses of a key changed. */
export const describeAddresses = (
  key: Pick<ListedKey, 'name'>,
  addresses: readonly string[],
): string =>
  addresses.length === 0
    ? `${formatKeyName(key)} now works from any address.`
    : `${formatKeyName(key)} now works only from ${formatAllowedAddresses(addresses)}.`;

/**
 * Handles the form of {@link askForAddresses}.
 * @param at page with the list of keys
 */
export const changeAddresses = async (
  req: Request,
  res: Response,
  key: ListedKey,
  at: string,
  keys: KeyCommands,
): Promise<void> => {
  const typed = readFormText(req, 'addresses');
  const errors = checkAddresses(typed);
  if (errors.length > 0) {
    askForAddresses(req, res, key, at, typed, errors);
    return;
  }
  const addresses = parseAddresses(typed);
  await keys.setAddresses(key.keyId, addresses);
  flash(req, 'success', describeAddresses(key, addresses));
  res.redirect(303, at);
};
