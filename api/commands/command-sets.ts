import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import type { Actor } from '../../domain/event-log.ts';
import type { BoundRegistry } from '../ports/app-ports.ts';
import { isBehind } from '../ports/outage.ts';
import { holdTurn } from '../writes/with-practice-lease.ts';
import type { CommandLog } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import { accountCommandsOf } from './manage-accounts.ts';
import { customFieldCommandsOf } from './manage-custom-fields.ts';
import { keyCommandsOf } from './manage-keys.ts';
import { memberCommandsOf } from './manage-members.ts';
import { partnerCommandsOf } from './manage-partners.ts';
import { practiceCommandsOf } from './manage-practices.ts';
import { providerCommandsOf } from './manage-providers.ts';
import { staffCommandsOf } from './manage-staff.ts';
import { workCommandsOf } from './manage-work.ts';

const TABLES_WITHIN_MS = 5_000;

/**
 * The commands of a person who is signed in. When one returns, the next page shows what it did.
 * @param correlationId of the request that they come with; a new one if it is not given
 */
export const commandsOf = (
  registry: BoundRegistry,
  { kind, id }: Actor,
  correlationId = nanoid(),
) =>
  commandSetsOf(
    { ...registry, log: { ...registry.log, append: shownAppend(registry) } },
    { correlationId, causationId: null, actor: { kind, id } },
  );

/** Appends, and returns when the read tables show it, or after a few seconds without. */
const shownAppend =
  ({ log, progress }: BoundRegistry): CommandLog['append'] =>
  async (...order) => {
    const appended = await log.append(...order);
    if (appended.kind === 'appended')
      await progress.reach(appended.position, TABLES_WITHIN_MS).catch((error: unknown) => {
        // It is in the log: better a page that shows it a moment later than one that says no.
        if (!isBehind(error)) throw error;
      });
    return appended;
  };

/** Every command that an operator, the staff or a member may give; the log names who did what. */
export const commandSetsOf = (registry: BoundRegistry, append: CommandContext['append']) => {
  const { log, reads, passwords, identity, tokens } = registry;
  const { hashPassword, holdAccount, isCommonPassword } = passwords;
  const context: CommandContext = {
    append,
    newId: registry.newReadableId,
    newEventId: randomUUID,
    announceAccessChange: registry.announceAccessChange,
  };
  const practices = practiceCommandsOf(
    log,
    {
      holdTurn: (practiceId, work) => holdTurn(registry, practiceId, work),
      hasLiveRecords: reads.hasLiveRecords,
    },
    context,
  );
  const partners = partnerCommandsOf(log, context);
  const accounts = accountCommandsOf(
    log,
    practices,
    {
      accountId: identity.accountId,
      hashPassword,
      holdAccount,
      isCommonPassword,
      endSessions: registry.endSessions,
      noteSessionsEnded: async (accountId, practiceId) => {
        const at = registry.now().toISOString();
        const event = { type: 'SessionsEnded', data: { at, practiceId, accountId } } as const;
        const { actor, correlationId } = append;
        await registry.noteAccess([{ noteId: randomUUID(), event, actor, correlationId }]);
      },
    },
    context,
  );
  return {
    practices,
    partners,
    accounts,
    keys: keyCommandsOf(
      log,
      { practices, partners },
      { ...tokens, partnerPlaceHash: identity.partnerPlaceHash },
      context,
    ),
    members: memberCommandsOf(log, practices, registry, context),
    staff: staffCommandsOf(log, accounts, registry, context),
    customFields: customFieldCommandsOf(log, context),
    providers: providerCommandsOf(registry, practices, context),
    work: workCommandsOf(log, registry, context),
  };
};

/** @see commandSetsOf */
export type CommandSets = ReturnType<typeof commandSetsOf>;
