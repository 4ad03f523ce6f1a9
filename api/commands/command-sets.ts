import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import type { Actor } from '../../domain/event-log.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { isBehind } from '../ports/outage.ts';
import { withPracticeLease } from '../writes/with-practice-lease.ts';
import type { CommandLog } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import { createAccountCommands } from './manage-accounts.ts';
import { createCustomFieldCommands } from './manage-custom-fields.ts';
import { createKeyCommands } from './manage-keys.ts';
import { createMemberCommands } from './manage-members.ts';
import { createPartnerCommands } from './manage-partners.ts';
import { createPracticeCommands } from './manage-practices.ts';
import { createProviderCommands } from './manage-providers.ts';
import { createStaffCommands } from './manage-staff.ts';
import { createWorkCommands } from './manage-work.ts';

const TABLES_WITHIN_MS = 5_000;

/**
 * When a command returns, the next page shows its effect.
 * @param correlationId of the request; a new one by default
 * @param requirePermission called right before the first write of a command; if it throws, nothing
 * is written. What follows a written decision, such as the records of a merge, is finished.
 */
export const createCommands = (
  app: AppPorts,
  { kind, id }: Actor,
  correlationId = nanoid(),
  requirePermission: () => Promise<void> = async () => undefined,
) =>
  createCommandSets(
    { ...app, log: { ...app.log, append: permittedAppend(app, requirePermission) } },
    { correlationId, causationId: null, actor: { kind, id } },
  );

const permittedAppend = (
  { log, progress }: AppPorts,
  requirePermission: () => Promise<void>,
): CommandLog['append'] => {
  let hasWritten = false;
  return async (...order) => {
    if (!hasWritten) await requirePermission();
    const appended = await log.append(...order);
    if (appended.kind !== 'appended') return appended;
    hasWritten = true;
    await progress.reach(appended.position, TABLES_WITHIN_MS).catch((error: unknown) => {
      // It is in the log: showing it late is better than reporting an error.
      if (!isBehind(error)) throw error;
    });
    return appended;
  };
};

export const createCommandSets = (app: AppPorts, append: CommandContext['append']) => {
  const { log, reads, passwords, identity, tokens } = app;
  const { hashPassword, holdAccount, isCommonPassword } = passwords;
  const context: CommandContext = {
    append,
    newId: app.createReadableId,
    newEventId: randomUUID,
    announceAccessChange: app.announceAccessChange,
  };
  const practices = createPracticeCommands(
    log,
    {
      withPracticeLease: (practiceId, work) => withPracticeLease(app, practiceId, work),
      hasLiveRecords: reads.hasLiveRecords,
    },
    context,
  );
  const partners = createPartnerCommands(log, context);
  const accounts = createAccountCommands(
    log,
    practices,
    {
      accountId: identity.accountId,
      hashPassword,
      holdAccount,
      isCommonPassword,
      endSessions: app.endSessions,
      noteSessionsEnded: async (accountId, practiceId) => {
        const at = app.now().toISOString();
        const event = { type: 'SessionsEnded', data: { at, practiceId, accountId } } as const;
        const { actor, correlationId } = append;
        await app.noteAccess([{ noteId: randomUUID(), event, actor, correlationId }]);
      },
    },
    context,
  );
  return {
    practices,
    partners,
    accounts,
    keys: createKeyCommands(
      log,
      { practices, partners },
      { ...tokens, keySlotHash: identity.keySlotHash },
      context,
    ),
    members: createMemberCommands(log, practices, app, context),
    staff: createStaffCommands(log, accounts, app, context),
    customFields: createCustomFieldCommands(log, context),
    providers: createProviderCommands(app, practices, context),
    work: createWorkCommands(log, app, context),
  };
};

/** @see createCommandSets */
export type CommandSets = ReturnType<typeof createCommandSets>;
