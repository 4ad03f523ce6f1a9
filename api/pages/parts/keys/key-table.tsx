import type { ListedKey } from '../../../../projections/lists/accounts.ts';
import { type Column, DataTable } from '../../layout/data-table.tsx';
import { useFrame } from '../../layout/frame-context.ts';
import { LinkButton } from '../../layout/link-button.tsx';
import { Time } from '../../layout/time.tsx';
import { type Audience, formatActorName } from '../../text/actor-name.ts';
import { formatScopes } from '../../text/scope-text.ts';

interface KeyTableProps {
  readonly caption: string;
  readonly keys: readonly ListedKey[];
  readonly audience: Audience;
  readonly of: 'holder' | 'practice';
  /** `null` if the reader may not revoke it. */
  readonly revokeAt: (key: ListedKey) => string | null;
  /** `null` if the reader may not limit it. */
  readonly addressesAt?: (key: ListedKey) => string | null;
  /** `null` if the key cannot be replaced. */
  readonly replaceAt?: (key: ListedKey) => string | null;
}

export const formatKeyName = ({ name }: { readonly name: string | null }): string =>
  name ?? 'A key without a name';

const MAX_NAMED = 3;

/** The first addresses, and the number of the others. */
export const formatAllowedAddresses = (addresses: readonly string[]): string => {
  const more = addresses.length - MAX_NAMED;
  return addresses
    .slice(0, MAX_NAMED)
    .join(', ')
    .concat(more > 0 ? ` and ${more} more` : '');
};

export const describeLimit = (addresses: readonly string[]): string =>
  `only from ${formatAllowedAddresses(addresses)}`;

/** Table of keys, including revoked ones. */
export const KeyTable = (props: KeyTableProps) => {
  const { caption, keys, audience, of } = props;
  return (
    <DataTable
      caption={caption}
      captionHidden
      rows={keys}
      keyOf={({ keyId }) => keyId}
      rowClass={({ revokedAt }) => (revokedAt === null ? undefined : 'is-revoked')}
      columns={[
        {
          heading: 'Key',
          namesRow: true,
          cell: (key) => (
            <>
              <span id={`key-${key.keyId}`}>{formatKeyName(key)}</span>
              {key.lastFour !== null && <span class="beneath">token ends in {key.lastFour}</span>}
            </>
          ),
        },
        WHOSE[of],
        {
          heading: 'Permissions',
          cell: ({ scopes, addresses }) => (
            <>
              {formatScopes(scopes)}
              {addresses.length > 0 && <span class="beneath">{describeLimit(addresses)}</span>}
            </>
          ),
        },
        {
          heading: 'Created',
          cell: ({ mintedAt, mintedBy }) => (
            <>
              <Time at={mintedAt} />{' '}
              <span class="beneath">by {formatActorName(mintedBy, audience)}</span>
            </>
          ),
        },
        {
          heading: 'Last used',
          cell: ({ lastUsedAt, lastUsedFrom, lastRefused }) => (
            <>
              {lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />}
              {lastUsedFrom !== null && <span class="beneath">from {lastUsedFrom}</span>}
              {lastRefused !== null && (
                <span class="beneath">
                  refused from {lastRefused.from}, <Time at={lastRefused.at} />
                </span>
              )}
            </>
          ),
        },
        {
          heading: 'Repeats',
          cell: ({ replays, lastReplayAt }) =>
            lastReplayAt === null ? (
              'None'
            ) : (
              <>
                {replays.toLocaleString('en-US')}{' '}
                <span class="beneath">
                  last <Time at={lastReplayAt} />
                </span>
              </>
            ),
        },
        {
          heading: 'Status',
          cell: (key) => <KeyState {...props} key_={key} />,
        },
      ]}
    />
  );
};

const WHOSE: Readonly<Record<KeyTableProps['of'], Column<ListedKey>>> = {
  holder: {
    heading: 'Owner',
    cell: ({ kind, partnerName }) =>
      kind === 'native' ? 'The practice’s own' : (partnerName ?? 'A partner'),
  },
  practice: { heading: 'Practice', cell: ({ practiceName }) => practiceName },
};

const KeyState = ({
  key_,
  audience,
  revokeAt,
  addressesAt = () => null,
  replaceAt = () => null,
}: KeyTableProps & { readonly key_: ListedKey }) => {
  const { now } = useFrame();
  const { keyId, endsAt, revokedAt, revokedBy } = key_;
  const actions = [
    [addressesAt(key_), 'Addresses'],
    [replaceAt(key_), 'Replace'],
    [revokeAt(key_), 'Revoke'],
  ] as const;
  if (revokedAt !== null)
    return (
      <>
        Revoked <Time at={revokedAt} />{' '}
        {revokedBy !== null && (
          <span class="beneath">by {formatActorName(revokedBy, audience)}</span>
        )}
      </>
    );
  const isOver = endsAt !== null && endsAt <= now;
  return (
    <>
      {isOver ? 'Ended' : 'Active'}
      {endsAt !== null && (
        <span class="beneath">
          {!isOver && 'until '}
          <Time at={endsAt} />
        </span>
      )}
      {actions.map(
        ([action, text]) =>
          action !== null && (
            <div key={text} class="row-action">
              <LinkButton action={action} about={`key-${keyId}`}>
                {text}
              </LinkButton>
            </div>
          ),
      )}
    </>
  );
};
