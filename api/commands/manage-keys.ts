import { mintNativeKey, revokeKey } from '../../domain/api-key/decide.ts';
import type { ApiKeyEvent, Scope } from '../../domain/api-key/events.ts';
import { type ApiKey, evolve, unknownKey } from '../../domain/api-key/state.ts';
import type { AppendToStream, ReadStream } from '../../domain/event-log.ts';
import { keyStream } from '../../domain/stream-names.ts';
import type { CommandContext } from './command-context.ts';
import { CommandRefused } from './command-refused.ts';
import type { PracticeCommands } from './manage-practices.ts';

/** A new key. The raw token is shown this once. */
export interface MintedKey {
  readonly keyId: string;
  readonly token: string;
}

/** Commands on API keys. */
export interface KeyCommands {
  /** @throws CommandRefused for an unknown practice, one outside the beta, or no scope */
  mintNative(command: {
    readonly practiceId: string;
    readonly name: string | null;
    readonly scopes: readonly Scope[];
  }): Promise<MintedKey>;
  /** The key is refused everywhere when this returns. @throws CommandRefused for an unknown key */
  revoke(keyId: string): Promise<void>;
}

/** What minting works with beside the log. */
export interface TokenParts {
  readonly newApiToken: () => string;
  readonly hashApiToken: (token: string) => string;
  readonly keyIdOf: (tokenHash: string) => string;
}

/** @see KeyCommands */
export const keyCommandsOf = (
  log: { readonly append: AppendToStream; readonly readStream: ReadStream },
  practices: PracticeCommands,
  tokens: TokenParts,
  context: CommandContext,
): KeyCommands => ({
  async mintNative(command) {
    const token = tokens.newApiToken();
    const tokenHash = tokens.hashApiToken(token);
    const keyId = tokens.keyIdOf(tokenHash);
    const practice = await practices.find(command.practiceId);
    const decision = mintNativeKey({ ...command, keyId, tokenHash }, practice);
    if (decision.kind === 'refused') throw new CommandRefused(decision.reason);
    await log.append(
      keyStream(keyId),
      'no-stream',
      decision.events.map((event) => ({ id: context.newEventId(), event })),
      context.append,
    );
    // Nobody can have asked for a token that did not exist: there is nothing to forget.
    return { keyId, token };
  },

  async revoke(keyId) {
    for (;;) {
      const stored = await log.readStream(keyStream(keyId));
      const key = stored.reduce<ApiKey>(
        (state, { event }) => evolve(state, event as ApiKeyEvent),
        unknownKey,
      );
      const decision = revokeKey(key);
      if (decision.kind === 'refused') throw new CommandRefused(decision.reason);
      const appended =
        decision.events.length === 0 ||
        (
          await log.append(
            keyStream(keyId),
            stored.at(-1)?.revision ?? 'no-stream',
            decision.events.map((event) => ({ id: context.newEventId(), event })),
            context.append,
          )
        ).kind === 'appended';
      if (appended) break;
    }
    await context.announceAccessChange();
  },
});
