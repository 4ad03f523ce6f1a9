import {
  endKey,
  mintNativeKey,
  mintPartnerKey,
  partnerKeyMinted,
  revokeKey,
  setKeyAddresses,
} from '../../domain/api-key/decide.ts';
import type { ApiKeyEvent, Scope } from '../../domain/api-key/events.ts';
import { withdrawPartnerKey } from '../../domain/api-key/partner-place/decide.ts';
import type { PartnerKeyIssued } from '../../domain/api-key/partner-place/events.ts';
import { type PartnerPlace, placeFold } from '../../domain/api-key/partner-place/state.ts';
import { type ApiKey, keyFold, unknownKey } from '../../domain/api-key/state.ts';
import { keyStream, partnerPlaceStream } from '../../domain/stream-names.ts';
import type { BoundRegistry } from '../registry/registry.ts';
import { acceptedOf, type CommandLog, changeStream, stateOf } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import type { PartnerCommands } from './manage-partners.ts';
import type { PracticeCommands } from './manage-practices.ts';

/** A new key. The raw token is shown this once. */
export interface MintedKey {
  readonly keyId: string;
  readonly token: string;
}

/** What a new native key is to be. */
export interface NativeKeyOrder {
  readonly practiceId: string;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  /** Addresses and networks that it may be used from; left out or empty: any. */
  readonly addresses?: readonly string[];
}

/** What a new partner feed key is to be. */
export interface PartnerKeyOrder extends NativeKeyOrder {
  readonly partnerId: string;
}

/** Commands on API keys. */
export const keyCommandsOf = (
  log: CommandLog,
  { practices, partners }: { practices: PracticeCommands; partners: PartnerCommands },
  tokens: Omit<BoundRegistry['tokens'], 'looksLikeApiToken'> &
    Pick<BoundRegistry['identity'], 'partnerPlaceHash'>,
  context: CommandContext,
) => {
  const newToken = () => {
    const token = tokens.newApiToken();
    const tokenHash = tokens.hashApiToken(token);
    const lastFour = tokens.lastFourOf(token);
    return { token, tokenHash, lastFour, keyId: tokens.keyIdOf(tokenHash) };
  };
  const placeStreamOf = (partnerId: string, practiceId: string): string =>
    partnerPlaceStream(tokens.partnerPlaceHash(partnerId, practiceId));

  /** Begins the stream of the key that took a place, unless that was done before. */
  const makeKey = (issued: PartnerKeyIssued['data']) =>
    log.append(
      keyStream(issued.keyId),
      'no-stream',
      [{ id: context.newEventId(), event: partnerKeyMinted(issued) }],
      context.append,
    );

  /** The key that holds a place. One whose minting was cut short is made first, to be revoked like any other. */
  const holderOf = async (place: PartnerPlace): Promise<ApiKey> => {
    if (place.status === 'free') return unknownKey;
    const stream = keyStream(place.issued.keyId);
    const holder = await stateOf(log, stream, keyFold);
    if (holder.status !== 'unknown') return holder;
    await makeKey(place.issued);
    return stateOf(log, stream, keyFold);
  };

  return {
    /**
     * @param endsAt from then on it does not work; null: it works until it is revoked
     * @throws CommandRefused for an unknown practice, one outside the beta, or no scope
     */
    async mintNative(
      { practiceId, name, scopes, addresses = [] }: NativeKeyOrder,
      endsAt: Date | null = null,
    ): Promise<MintedKey> {
      const { token, tokenHash, lastFour, keyId } = newToken();
      const practice = await practices.find(practiceId);
      const { events } = acceptedOf(
        mintNativeKey(
          { keyId, practiceId, name, scopes, tokenHash, lastFour, ...boundTo(addresses) },
          practice,
          endsAt,
        ),
      );
      await log.append(
        keyStream(keyId),
        'no-stream',
        events.map((event) => ({ id: context.newEventId(), event })),
        context.append,
      );
      // A token that did not exist cannot have been remembered: there is nothing to forget.
      return { keyId, token };
    },

    /** @throws CommandRefused also for an unknown partner, and while it has a live key for the practice */
    async mintPartner({
      partnerId,
      practiceId,
      name,
      scopes,
      addresses = [],
    }: PartnerKeyOrder): Promise<MintedKey> {
      const { token, tokenHash, lastFour, keyId } = newToken();
      const command = {
        keyId,
        partnerId,
        practiceId,
        name,
        scopes,
        tokenHash,
        lastFour,
        ...boundTo(addresses),
      };
      await changeStream(
        log,
        context,
        placeStreamOf(partnerId, practiceId),
        placeFold,
        async (place) =>
          mintPartnerKey(command, {
            practice: await practices.find(practiceId),
            partner: await partners.find(partnerId),
            place,
            holder: await holderOf(place),
          }),
      );
      // The place decides who has the key; a death before this line is made good by `holderOf`.
      await makeKey(command);
      return { keyId, token };
    },

    /**
     * Sets when a key ends, everywhere when it returns; an earlier end stays.
     * @throws CommandRefused for an unknown key
     */
    async end(keyId: string, endsAt: Date): Promise<void> {
      await changeStream<ApiKey, ApiKeyEvent>(log, context, keyStream(keyId), keyFold, (key) =>
        endKey(key, endsAt),
      );
      await context.announceAccessChange();
    },

    /**
     * Sets the addresses that a key may be used from; in force everywhere when it returns.
     * @param addresses addresses and networks; none: from everywhere
     * @throws CommandRefused for an unknown key, or too many of them
     */
    async setAddresses(keyId: string, addresses: readonly string[]): Promise<void> {
      await changeStream<ApiKey, ApiKeyEvent>(log, context, keyStream(keyId), keyFold, (key) =>
        setKeyAddresses(key, addresses),
      );
      await context.announceAccessChange();
    },

    /** The key is refused everywhere when this returns. @throws CommandRefused for an unknown key */
    async revoke(keyId: string): Promise<void> {
      await changeStream(log, context, keyStream(keyId), keyFold, revokeKey);
      // First the refusal, then the place: a death between the two leaves a place that minting frees.
      await context.announceAccessChange();
      const key = await stateOf(log, keyStream(keyId), keyFold);
      if (key.status !== 'unknown' && key.partnerId !== null)
        await changeStream(
          log,
          context,
          placeStreamOf(key.partnerId, key.practiceId),
          placeFold,
          (place) => withdrawPartnerKey(keyId, place),
        );
    },
  };
};

/** @see keyCommandsOf */
export type KeyCommands = ReturnType<typeof keyCommandsOf>;

/** A key that is bound to none has no such field in the log. */
const boundTo = (addresses: readonly string[]): { readonly addresses?: readonly string[] } =>
  addresses.length === 0 ? {} : { addresses };
