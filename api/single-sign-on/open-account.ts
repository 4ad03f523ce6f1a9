import { randomBytes } from 'node:crypto';
import type { SingleSignOnRefusal } from '../../domain/access-log/events.ts';
import { memberFold } from '../../domain/account/member.ts';
import { findVerifiedEmail, resolveSignIn } from '../../domain/account/single-sign-on/decide.ts';
import type { ProviderClaims } from '../../domain/account/single-sign-on/ports.ts';
import { staffFold } from '../../domain/account/staff.ts';
import { memberStream, staffStream } from '../../domain/stream-names.ts';
import type { FindSignedIn, SignedIn } from '../access/signed-in.ts';
import { loadState } from '../commands/change-stream.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import { createCommands } from '../commands/command-sets.ts';
import type { App } from '../ports/app-ports.ts';
import type { SignInProvider, SignInProviders } from '../web/sign-in-providers.ts';

export type OpenedAccount =
  | {
      readonly kind: 'account';
      readonly accountId: string;
      readonly who: SignedIn;
      readonly generation: string;
      readonly failures: number;
      readonly failedSince: number | null;
      readonly hasJoined: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly why: SingleSignOnRefusal;
      /** `null` without a verified email. */
      readonly accountId: string | null;
      readonly text?: string;
    };

const SECRET_BYTES = 32;

/**
 * Accepts an invitation if there is one. The account is bound to the person: if the provider later
 * gives the email to another one, they cannot open it.
 */
export const createOpenAccount =
  (app: App, findSignedIn: FindSignedIn, { find }: Pick<SignInProviders, 'find'>) =>
  async (
    provider: SignInProvider,
    { issuer, subject, ...claims }: ProviderClaims,
    generationBefore: string,
  ): Promise<OpenedAccount> => {
    const { log, identity, passwords, singleSignOn, now } = app;
    const vouched = findVerifiedEmail(claims, provider);
    if (vouched.kind === 'refused') return { ...vouched, accountId: null };
    const accountId = identity.accountId(vouched.email);
    const refuse = (why: SingleSignOnRefusal, text?: string): OpenedAccount => ({
      kind: 'refused',
      why,
      accountId,
      ...(text === undefined ? {} : { text }),
    });
    const [member, staff, boundTo] = await Promise.all([
      loadState(log, memberStream(accountId), memberFold),
      loadState(log, staffStream(accountId), staffFold),
      singleSignOn.accountOf(issuer, subject),
    ]);
    const practiceIds = [
      ...(member.status === 'seated' ? [member.practiceId] : []),
      ...Object.keys(member.invitations),
    ];
    const withOwnProvider = new Set<string>();
    for (const practiceId of practiceIds)
      if ((await find(practiceId)) !== null) withOwnProvider.add(practiceId);
    const opened = resolveSignIn(provider, { member, staff, withOwnProvider }, now());
    if (opened.kind === 'refused') return refuse(opened.why);
    // Checked before the person accepts an invitation they could not use.
    if (boundTo !== null && boundTo !== accountId) return refuse('another-person');

    let accepted: string | null = null;
    if (opened.kind === 'invitation') {
      try {
        // A random password, so that the account can have sessions like any other.
        const password = randomBytes(SECRET_BYTES).toString('base64url');
        const { members } = createCommands(app, { kind: 'member', id: accountId });
        accepted = await members.accept(
          opened.practiceId,
          accountId,
          await passwords.hashPassword(password, accountId),
        );
      } catch (error) {
        if (error instanceof CommandRefused) return refuse('invitation-refused', error.message);
        throw error;
      }
    }
    const current = await passwords.find(accountId);
    if (current === null) return refuse('ended-meanwhile');
    const isAsBefore =
      accepted === null
        ? BigInt(current.generation) <= BigInt(generationBefore)
        : current.generation === accepted;
    if (!isAsBefore) return refuse('ended-meanwhile');
    const isTheirs = await passwords.holdAccount(accountId, async (account) =>
      (await passwords.find(accountId))?.generation === current.generation
        ? account.bindTo(issuer, subject)
        : null,
    );
    const who = await findSignedIn(accountId);
    if (isTheirs === null || who === null) return refuse('ended-meanwhile');
    if (!isTheirs) return refuse('another-person');
    return {
      kind: 'account',
      accountId,
      who,
      generation: current.generation,
      failures: current.failures,
      failedSince: current.failedSince?.getTime() ?? null,
      hasJoined: accepted !== null,
    };
  };
