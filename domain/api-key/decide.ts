import { accept, type Decision, type Refusal, refuse } from '../decision.ts';
import type { Partner } from '../partner/state.ts';
import type { Practice } from '../practice/state.ts';
import { type ParsedName, parseName } from '../text-input.ts';
import type { ApiKeyEvent, Scope } from './events.ts';
import type { PartnerKeySlot, PartnerKeySlotEvent } from './partner-key-slot.ts';
import type { ApiKey } from './state.ts';

/** The id and the hash are derived from the token, which the command never contains. */
export interface MintNativeKey {
  readonly keyId: string;
  readonly practiceId: string;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly tokenHash: string;
  readonly lastFour: string;
  /** Addresses and networks it may be used from; absent means any. */
  readonly addresses?: readonly string[];
}

export interface MintPartnerKey extends MintNativeKey {
  readonly partnerId: string;
}

/**
 * Mints a native key. The practice must be in the partner-EHR beta, and the key needs at least one scope.
 * @param endsAt expiry; `null` if it works until revoked
 * @see spec "Authentication": no self-service or command-line path to a key outside the beta
 */
export const mintNativeKey = (
  command: MintNativeKey,
  practice: Practice,
  endsAt: Date | null = null,
): Decision<ApiKeyEvent> => {
  const parsed = parseKey(command, practice);
  if (parsed.kind === 'refused') return parsed;
  const minted: ApiKeyEvent = {
    type: 'ApiKeyMinted',
    data: { ...pickKeyFields(parsed.key), kind: 'native', partnerId: null },
  };
  if (endsAt === null) return accept(minted);
  const { keyId } = command;
  return accept<ApiKeyEvent>(minted, {
    type: 'ApiKeyEndSet',
    data: { keyId, endsAt: endsAt.toISOString() },
  });
};

const MAX_NAME_LENGTH = 100;
export const MAX_ADDRESSES = 20;

export const parseKeyName = (text: string): Extract<ParsedName, { kind: 'named' }> | Refusal => {
  const parsedName = parseName(text, MAX_NAME_LENGTH);
  return parsedName.kind === 'blank' ? refuse({ code: 'key-without-name' }) : parsedName;
};

const parseKey = <Command extends MintNativeKey>(
  command: Command,
  practice: Practice,
): { readonly kind: 'key'; readonly key: Command } | Refusal => {
  const { name, scopes, addresses = [] } = command;
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  if (!practice.beta) return refuse({ code: 'practice-outside-beta' });
  if (scopes.length === 0) return refuse({ code: 'key-without-scope' });
  if (addresses.length > MAX_ADDRESSES)
    return refuse({ code: 'too-many-addresses', most: MAX_ADDRESSES });
  if (name === null) return { kind: 'key', key: command };
  const parsedName = parseKeyName(name);
  return parsedName.kind === 'refused'
    ? parsedName
    : { kind: 'key', key: { ...command, name: parsedName.name } };
};

export interface MintPartnerKeyContext {
  readonly practice: Practice;
  readonly partner: Partner;
  readonly place: PartnerKeySlot;
  readonly holder: ApiKey;
}

/**
 * The partner need not be in the beta, but its requests are refused until it is.
 * @see spec "Authentication", rule 7: one key per practice
 */
export const mintPartnerKey = (
  command: MintPartnerKey,
  { practice, partner, place, holder }: MintPartnerKeyContext,
): Decision<PartnerKeySlotEvent> => {
  const parsed = parseKey(command, practice);
  if (parsed.kind === 'refused') return parsed;
  if (partner.status === 'unknown') return refuse({ code: 'no-partner' });
  const issued: PartnerKeySlotEvent = {
    type: 'PartnerKeyIssued',
    data: { ...pickKeyFields(parsed.key), partnerId: command.partnerId },
  };
  if (place.status === 'free') return accept(issued);
  const { partnerId, practiceId, keyId } = place.issued;
  if (holder.status !== 'revoked') return refuse({ code: 'partner-has-key', keyId });
  // The revocation was interrupted before it released the slot.
  return accept<PartnerKeySlotEvent>(
    { type: 'PartnerKeyWithdrawn', data: { partnerId, practiceId, keyId } },
    issued,
  );
};

export const buildPartnerKeyMinted = (
  issued: PartnerKeySlotEvent<'PartnerKeyIssued'>['data'],
): ApiKeyEvent<'ApiKeyMinted'> => ({
  type: 'ApiKeyMinted',
  data: { ...pickKeyFields(issued), kind: 'partner', partnerId: issued.partnerId },
});

/** Picks the stored fields: a command may contain properties beyond its type. */
const pickKeyFields = ({
  keyId,
  practiceId,
  name,
  scopes,
  tokenHash,
  lastFour,
  addresses,
}: Omit<ApiKeyEvent<'ApiKeyMinted'>['data'], 'kind' | 'partnerId'>) => ({
  keyId,
  practiceId,
  name,
  scopes,
  tokenHash,
  ...(lastFour === undefined ? {} : { lastFour }),
  ...(addresses === undefined ? {} : { addresses }),
});

/** In hours. */
export const OVERLAP_HOURS = [1, 24, 72] as const;

/** No change if it already expires earlier or is revoked. */
export const setKeyExpiry = (key: ApiKey, endsAt: Date): Decision<ApiKeyEvent<'ApiKeyEndSet'>> => {
  if (key.status === 'unknown') return refuse({ code: 'no-key' });
  const isOverBefore = key.endsAt !== null && Date.parse(key.endsAt) <= endsAt.getTime();
  if (key.status === 'revoked' || isOverBefore) return accept();
  return accept({
    type: 'ApiKeyEndSet',
    data: { keyId: key.keyId, endsAt: endsAt.toISOString() },
  });
};

/** An empty list means any. No change to a revoked key. */
export const setKeyAddresses = (
  key: ApiKey,
  addresses: readonly string[],
): Decision<ApiKeyEvent<'ApiKeyAddressesSet'>> => {
  if (key.status === 'unknown') return refuse({ code: 'no-key' });
  if (addresses.length > MAX_ADDRESSES)
    return refuse({ code: 'too-many-addresses', most: MAX_ADDRESSES });
  const isSame =
    addresses.length === key.addresses.length &&
    addresses.every((address, index) => address === key.addresses[index]);
  if (key.status === 'revoked' || isSame) return accept();
  return accept({ type: 'ApiKeyAddressesSet', data: { keyId: key.keyId, addresses } });
};

export const revokeKey = (key: ApiKey): Decision<ApiKeyEvent> => {
  switch (key.status) {
    case 'unknown':
      return refuse({ code: 'no-key' });
    case 'revoked':
      return accept();
    case 'live':
      return accept({ type: 'ApiKeyRevoked', data: { keyId: key.keyId } });
  }
};
