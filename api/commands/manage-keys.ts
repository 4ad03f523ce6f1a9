import {
  buildPartnerKeyMinted,
  mintNativeKey,
  mintPartnerKey,
  revokeKey,
  setKeyAddresses,
  setKeyExpiry,
} from '../../domain/api-key/decide.ts';
import type { ApiKeyEvent, Scope } from '../../domain/api-key/events.ts';
import {
  type PartnerKeySlot,
  type PartnerKeySlotEvent,
  releaseSlot,
  slotFold,
} from '../../domain/api-key/partner-key-slot.ts';
import { type ApiKey, keyFold, unknownKey } from '../../domain/api-key/state.ts';
import { keyStream, partnerPlaceStream } from '../../domain/stream-names.ts';
import { hashApiToken } from '../http/bearer-token.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { type CommandLog, changeStream, loadState, requireAccepted } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import { CommandRefused } from './command-refused.ts';
import type { PartnerCommands } from './manage-partners.ts';
import type { PracticeCommands } from './manage-practices.ts';

/** The raw token is shown only this once. */
export interface MintedKey {
  readonly keyId: string;
  readonly token: string;
}

export interface NativeKeyOrder {
  readonly practiceId: string;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  /** Networks, too; any if absent or empty. */
  readonly addresses?: readonly string[];
}

export interface PartnerKeyOrder extends NativeKeyOrder {
  readonly partnerId: string;
}

export const createKeyCommands = (
  log: CommandLog,
  { practices, partners }: { practices: PracticeCommands; partners: PartnerCommands },
  tokens: Omit<AppPorts['tokens'], 'looksLikeApiToken'> & Pick<AppPorts['identity'], 'keySlotHash'>,
  context: CommandContext,
) => {
  const newToken = () => {
    const token = tokens.createApiToken();
    const tokenHash = hashApiToken(token);
    const lastFour = tokens.getLastFour(token);
    return { token, tokenHash, lastFour, keyId: tokens.deriveKeyId(tokenHash) };
  };
  const placeStreamOf = (partnerId: string, practiceId: string): string =>
    partnerPlaceStream(tokens.keySlotHash(partnerId, practiceId));

  const findKey = (keyId: string): Promise<ApiKey> => loadState(log, keyStream(keyId), keyFold);

  /** Ignores a fault if the key was stored nevertheless: its token must then be handed out. */
  const makeKey = async (keyId: string, events: readonly ApiKeyEvent[]): Promise<void> => {
    try {
      await log.append(
        keyStream(keyId),
        'no-stream',
        events.map((event) => ({ id: context.newEventId(), event })),
        context.append,
      );
    } catch (error) {
      if ((await findKey(keyId)).status === 'unknown') throw error;
    }
  };
  const makePartnerKey = (issued: PartnerKeySlotEvent<'PartnerKeyIssued'>['data']) =>
    makeKey(issued.keyId, [buildPartnerKeyMinted(issued)]);

  /** Mints the key first if that was interrupted, so that it can be revoked. */
  const holderOf = async (place: PartnerKeySlot): Promise<ApiKey> => {
    if (place.status === 'free') return unknownKey;
    const { keyId } = place.issued;
    const holder = await findKey(keyId);
    if (holder.status !== 'unknown') return holder;
    await makePartnerKey(place.issued);
    return findKey(keyId);
  };

  const withdraw = (keyId: string, partnerId: string, practiceId: string) =>
    changeStream(log, context, placeStreamOf(partnerId, practiceId), slotFold, (place) =>
      releaseSlot(keyId, place),
    );

  const commands = {
    /**
     * @param endsAt end of the key; if `null`, it works until revoked
     * @throws CommandRefused for an unknown practice, one outside the beta, or no scope
     */
    async mintNative(
      { practiceId, name, scopes, addresses = [] }: NativeKeyOrder,
      endsAt: Date | null = null,
    ): Promise<MintedKey> {
      const { token, tokenHash, lastFour, keyId } = newToken();
      const practice = await practices.find(practiceId);
      const { events } = requireAccepted(
        mintNativeKey(
          { keyId, practiceId, name, scopes, tokenHash, lastFour, ...boundTo(addresses) },
          practice,
          endsAt,
        ),
      );
      await makeKey(keyId, events);
      // A new token cannot be in any cache, so no change is announced.
      return { keyId, token };
    },

    /**
     * @throws CommandRefused also for an unknown partner, and if it has a live key for the practice
     */
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
      try {
        await changeStream(
          log,
          context,
          placeStreamOf(partnerId, practiceId),
          slotFold,
          async (place) =>
            mintPartnerKey(command, {
              practice: await practices.find(practiceId),
              partner: await partners.find(partnerId),
              place,
              holder: await holderOf(place),
            }),
        );
        // The slot determines the key; `holderOf` recovers from a crash before this line.
        await makePartnerKey(command);
      } catch (error) {
        if (!(error instanceof CommandRefused))
          await withdraw(keyId, partnerId, practiceId).catch(() => undefined);
        throw error;
      }
      return { keyId, token };
    },

    /**
     * The old key works until `oldEndsAt`. If ending it fails, revokes the new one.
     * @param endsAt end of the new key; if `null`, it works until revoked
     * @throws CommandRefused as for minting, and for an unknown old key
     */
    async replaceNative(
      oldKeyId: string,
      oldEndsAt: Date,
      order: NativeKeyOrder,
      endsAt: Date | null,
    ): Promise<MintedKey> {
      requireAccepted(setKeyExpiry(await findKey(oldKeyId), oldEndsAt));
      const made = await commands.mintNative(order, endsAt);
      try {
        await commands.end(oldKeyId, oldEndsAt);
      } catch (error) {
        // The end may be stored although the response of the log was lost.
        const { events } = requireAccepted(setKeyExpiry(await findKey(oldKeyId), oldEndsAt));
        if (events.length > 0) {
          await commands.revoke(made.keyId);
          throw error;
        }
      }
      return made;
    },

    /**
     * Keeps an earlier end; in force everywhere when this returns.
     * @throws CommandRefused for an unknown key
     */
    async end(keyId: string, endsAt: Date): Promise<void> {
      await changeStream<ApiKey, ApiKeyEvent>(log, context, keyStream(keyId), keyFold, (key) =>
        setKeyExpiry(key, endsAt),
      );
      await context.announceAccessChange();
    },

    /**
     * In force everywhere when this returns. @param addresses everywhere if empty
     * @throws CommandRefused for an unknown key, or too many addresses
     */
    async setAddresses(keyId: string, addresses: readonly string[]): Promise<void> {
      await changeStream<ApiKey, ApiKeyEvent>(log, context, keyStream(keyId), keyFold, (key) =>
        setKeyAddresses(key, addresses),
      );
      await context.announceAccessChange();
    },

    /** In force everywhere when this returns. @throws CommandRefused for an unknown key */
    async revoke(keyId: string): Promise<void> {
      await changeStream(log, context, keyStream(keyId), keyFold, revokeKey);
      // Revokes before releasing the slot: after a crash in between, minting frees the slot.
      await context.announceAccessChange();
      const key = await findKey(keyId);
      if (key.status !== 'unknown' && key.partnerId !== null)
        await withdraw(keyId, key.partnerId, key.practiceId);
    },
  };
  return commands;
};

/** @see createKeyCommands */
export type KeyCommands = ReturnType<typeof createKeyCommands>;

const boundTo = (addresses: readonly string[]): { readonly addresses?: readonly string[] } =>
  addresses.length === 0 ? {} : { addresses };
