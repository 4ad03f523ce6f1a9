import { hashApiToken, keyIdOf, newApiToken } from '../../../adapters/crypto/api-tokens.ts';
import { newOneTimePassword } from '../../../adapters/crypto/one-time-password.ts';
import { hashPassword } from '../../../adapters/crypto/passwords.ts';
import { endSessionsIn } from '../../../adapters/postgres/access/end-sessions.ts';
import { passwordsOf } from '../../../adapters/postgres/access/passwords.ts';
import { holdSeatsIn } from '../../../adapters/postgres/access/seats.ts';
import { hasLiveRecordsIn } from '../../../adapters/postgres/queries/organisations.ts';
import { findCareerIn, listProvidersIn } from '../../../adapters/postgres/queries/providers.ts';
import { attributedStreamsIn } from '../../../adapters/postgres/turns/held-providers.ts';
import type { CommandLog } from '../../commands/change-stream.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import { type AccountCommands, accountCommandsOf } from '../../commands/manage-accounts.ts';
import {
  type CustomFieldCommands,
  customFieldCommandsOf,
} from '../../commands/manage-custom-fields.ts';
import { type KeyCommands, keyCommandsOf } from '../../commands/manage-keys.ts';
import { type MemberCommands, memberCommandsOf } from '../../commands/manage-members.ts';
import { type PartnerCommands, partnerCommandsOf } from '../../commands/manage-partners.ts';
import { type PracticeCommands, practiceCommandsOf } from '../../commands/manage-practices.ts';
import { type ProviderCommands, providerCommandsOf } from '../../commands/manage-providers.ts';
import type { AfterStep } from '../../write-path/fault-hook.ts';
import type { HoldTurn } from '../../write-path/hold-turn.ts';
import type { Stores } from '../stores.ts';

/** Every command that an operator, the staff or a member may give; each of its sets is for one person. */
export interface CommandSets {
  readonly practices: PracticeCommands;
  readonly partners: PartnerCommands;
  readonly keys: KeyCommands;
  readonly accounts: AccountCommands;
  readonly members: MemberCommands;
  readonly customFields: CustomFieldCommands;
  readonly providers: ProviderCommands;
}

/** What the sets are made of. */
export interface CommandSetParts {
  readonly stores: Pick<Stores, 'db' | 'identity'>;
  readonly log: CommandLog;
  readonly holdTurn: HoldTurn;
  /** Resolves when the read tables hold what is in the log by now. */
  readonly readTables: () => Promise<void>;
  readonly afterStep: AfterStep;
}

/** Makes the commands of whoever the context names: the log tells who did what. */
export const commandSetsOf = (
  { stores, log, holdTurn, readTables, afterStep }: CommandSetParts,
  context: CommandContext,
): CommandSets => {
  const { db, identity } = stores;
  const practices = practiceCommandsOf(
    log,
    { holdTurn, hasLiveRecords: hasLiveRecordsIn(db) },
    context,
  );
  const partners = partnerCommandsOf(log, context);
  const passwords = passwordsOf(db);
  const accounts = accountCommandsOf(
    log,
    practices,
    { accountId: identity.accountId, hashPassword, holdAccount: passwords.holdAccount },
    context,
  );
  return {
    practices,
    partners,
    accounts,
    keys: keyCommandsOf(
      log,
      { practices, partners },
      { newApiToken, hashApiToken, keyIdOf, partnerPlaceHash: identity.partnerPlaceHash },
      context,
    ),
    members: memberCommandsOf(
      log,
      accounts,
      {
        holdSeats: holdSeatsIn(db),
        newOneTimePassword,
        hashPassword,
        holdAccount: passwords.holdAccount,
        endSessions: endSessionsIn(db),
      },
      context,
    ),
    customFields: customFieldCommandsOf(log, context),
    providers: providerCommandsOf(
      log,
      practices,
      {
        mergesHash: identity.mergesHash,
        readTables,
        listProviders: listProvidersIn(db),
        findCareer: findCareerIn(db),
        attributedStreams: attributedStreamsIn(db),
        holdTurn,
        afterStep,
      },
      context,
    ),
  };
};
