import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import { hashApiToken, keyIdOf, newApiToken } from '../../adapters/crypto/api-tokens.ts';
import { hashPassword } from '../../adapters/crypto/passwords.ts';
import { newReadableId } from '../../adapters/crypto/readable-ids.ts';
import { announceAccessChange } from '../../adapters/postgres/access-version.ts';
import { passwordsOf } from '../../adapters/postgres/passwords.ts';
import type { CommandContext } from '../commands/command-context.ts';
import { type AccountCommands, accountCommandsOf } from '../commands/manage-accounts.ts';
import { type KeyCommands, keyCommandsOf } from '../commands/manage-keys.ts';
import { type PartnerCommands, partnerCommandsOf } from '../commands/manage-partners.ts';
import { type PracticeCommands, practiceCommandsOf } from '../commands/manage-practices.ts';
import { type RecordHistory, recordHistory } from '../commands/record-history.ts';
import { type Verification, verifyLog } from '../commands/verify-log.ts';
import type { ServiceLog } from './logging.ts';
import type { Settings } from './settings.ts';
import { openStores } from './stores.ts';

/** What an operator can do from the shell. */
export interface OperatorCommands {
  readonly practices: PracticeCommands;
  readonly partners: PartnerCommands;
  readonly keys: KeyCommands;
  readonly accounts: AccountCommands;
  history(practiceId: string, chartNumber: string, asOf: Date | null): Promise<RecordHistory>;
  verify(): Promise<Verification>;
  close(): Promise<void>;
}

/** Opens the stores for commands, whether the service runs or not. */
export const openCommands = async (
  settings: Settings,
  serviceLog: ServiceLog,
): Promise<OperatorCommands> => {
  const stores = await openStores(settings, 'command', serviceLog);
  const { log, db, identity } = stores;
  const context: CommandContext = {
    append: {
      correlationId: nanoid(),
      causationId: null,
      actor: { kind: 'operator', id: 'shell' },
    },
    newId: newReadableId,
    newEventId: randomUUID,
    announceAccessChange: () => announceAccessChange(db),
  };
  const practices = practiceCommandsOf(log, context);
  const partners = partnerCommandsOf(log, context);
  return {
    practices,
    partners,
    keys: keyCommandsOf(
      log,
      { practices, partners },
      { newApiToken, hashApiToken, keyIdOf, partnerPlaceHash: identity.partnerPlaceHash },
      context,
    ),
    accounts: accountCommandsOf(
      log,
      practices,
      { accountId: identity.accountId, hashPassword, holdAccount: passwordsOf(db).holdAccount },
      context,
    ),
    history: (practiceId, chartNumber, asOf) =>
      recordHistory(
        { readStream: log.readStream, recordHash: identity.recordHash },
        practiceId,
        chartNumber,
        asOf,
      ),
    verify: () => verifyLog(log.readAll()),
    close: stores.close,
  };
};
