import { MAX_ADDRESSES } from '../../../../domain/api-key/decide.ts';
import type { ListedKey } from '../../../../projections/lists/accounts.ts';
import { parseRanges } from '../../../access/address-ranges.ts';
import { type FieldError, toFieldError } from '../../layout/field-errors.ts';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { TextArea } from '../../layout/text-area.tsx';
import { Time } from '../../layout/time.tsx';
import { formatAllowedAddresses, formatKeyName } from './key-table.tsx';

/** Room for twenty IPv6 networks and their separators. */
const MAX_TYPED_LENGTH = 2_000;

export const AddressesField = () => (
  <TextArea
    name="addresses"
    label="Allowed IP addresses"
    optional
    hint={`One address or network per line, such as 203.0.113.7 or 203.0.113.0/24. Up to ${MAX_ADDRESSES}. Leave it empty to allow every address.`}
    rows={3}
    maxLength={MAX_TYPED_LENGTH}
  />
);

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

export const formatAddresses = (addresses: readonly string[]): string => addresses.join('\n');

export const AddressesForm = ({
  key_: { keyId, lastUsedAt, lastUsedFrom, lastRefused },
  back,
  values,
}: {
  readonly key_: ListedKey;
  readonly back: string;
  readonly values: { readonly addresses: string };
}) => (
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
);

export const describeAddresses = (
  key: Pick<ListedKey, 'name'>,
  addresses: readonly string[],
): string =>
  addresses.length === 0
    ? `${formatKeyName(key)} now works from any address.`
    : `${formatKeyName(key)} now works only from ${formatAllowedAddresses(addresses)}.`;
