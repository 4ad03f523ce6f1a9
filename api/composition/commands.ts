import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import { hashApiToken, keyIdOf, newApiToken } from '../../adapters/crypto/api-tokens.ts';
import { hashPassword } from '../../adapters/crypto/passwords.ts';
import { newReadableId } from '../../adapters/crypto/readable-ids.ts';
import { announceAccessChange } from '../../adapters/postgres/access-version.ts';
import { leasesOf } from '../../adapters/postgres/leases.ts';
import { passwordsOf } from '../../adapters/postgres/passwords.ts';
import {
  attributedStreamsIn,
  findCareerIn,
  listProvidersIn,
} from '../../adapters/postgres/providers.ts';
import { type Rebuilt, rebuildReadTables } from '../../adapters/postgres/rebuild.ts';
import { recordRowsIn, standingOf } from '../../adapters/postgres/record-rows.ts';
import { parkedStreamsIn, unparkStreamsIn } from '../../adapters/postgres/unpark-streams.ts';
import type { CommandContext } from '../commands/command-context.ts';
import { type AccountCommands, accountCommandsOf } from '../commands/manage-accounts.ts';
import { type KeyCommands, keyCommandsOf } from '../commands/manage-keys.ts';
import { type PartnerCommands, partnerCommandsOf } from '../commands/manage-partners.ts';
import { type PracticeCommands, practiceCommandsOf } from '../commands/manage-practices.ts';
import { type ProviderCommands, providerCommandsOf } from '../commands/manage-providers.ts';
import { findSurvivorWith } from '../commands/provider-survivors.ts';
import { type RecordHistory, recordHistory } from '../commands/record-history.ts';
import { type Unparked, unparkStreams } from '../commands/unpark-streams.ts';
import { type Verification, verifyLog } from '../commands/verify-log.ts';
import type { AfterStep } from '../write-path/fault-hook.ts';
import { holdTurnWith } from '../write-path/hold-turn.ts';
import { type CommandReadTables, openCommandReadTables } from './command-read-tables.ts';
import { LEASE_MS } from './lease-length.ts';
import type { ServiceLog } from './logging.ts';
import type { Settings } from './settings.ts';
import { openStores } from './stores.ts';

type Report = (line: string) => void;

const noReport: Report = () => undefined;
/** A running projector is there within this; one that is not is not waited for. */
const TABLES_REACH_MS = 5_000;

/** What an operator can do from the shell. */
export interface OperatorCommands {
  readonly practices: PracticeCommands;
  readonly partners: PartnerCommands;
  readonly keys: KeyCommands;
  readonly accounts: AccountCommands;
  readonly providers: ProviderCommands;
  history(practiceId: string, chartNumber: string, asOf: Date | null): Promise<RecordHistory>;
  /** @param report told in a line for a person what is noteworthy beside the result */
  verify(report?: Report): Promise<Verification>;
  /** Builds the read tables anew beside the live ones, and swaps or only compares them. */
  rebuild(purpose: 'swap' | 'compare', report?: Report): Promise<Rebuilt>;
  /** @param stream the parked stream to apply; null: all of them */
  unpark(stream: string | null, report?: Report): Promise<Unparked>;
  close(): Promise<void>;
}

/**
 * Opens the stores for commands, whether the service runs or not.
 * @param afterStep called after each step of a merge; for tests that end the process there
 */
export const openCommands = async (
  settings: Settings,
  serviceLog: ServiceLog,
  afterStep: AfterStep = () => undefined,
): Promise<OperatorCommands> => {
  const stores = await openStores(settings, 'command', serviceLog);
  const { log, db, databaseUrl, identity, registryId } = stores;
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
  const leases = leasesOf(db, LEASE_MS, stores.presence);
  let opened: Promise<CommandReadTables> | null = null;
  const readTables = (): Promise<CommandReadTables> => {
    opened ??= openCommandReadTables(stores, serviceLog);
    return opened;
  };
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
    providers: providerCommandsOf(
      log,
      practices,
      {
        mergesHash: identity.mergesHash,
        readTables: async () => void (await readTables()),
        listProviders: listProvidersIn(db),
        findCareer: findCareerIn(db),
        attributedStreams: attributedStreamsIn(db),
        holdTurn: holdTurnWith({
          append: log.append,
          takeLease: leases.take,
          renewLease: leases.renew,
          releaseLease: leases.release,
          requestLease: leases.request,
          withdrawRequest: leases.withdraw,
          reachProjection: async (position, withinMs) =>
            (await readTables()).progress.reach(position, withinMs),
          newId: randomUUID,
        }),
        afterStep,
      },
      context,
    ),
    history: (practiceId, chartNumber, asOf) =>
      recordHistory(
        {
          readStream: log.readStream,
          recordHash: identity.recordHash,
          findSurvivor: findSurvivorWith({
            readStream: log.readStream,
            mergesHash: identity.mergesHash,
          }),
        },
        practiceId,
        chartNumber,
        asOf,
      ),
    verify: (report = noReport) =>
      verifyLog(
        log.readAll(),
        {
          standing: (position) => standingOf(db, position, TABLES_REACH_MS),
          parkedStreams: parkedStreamsIn(db),
          records: () => recordRowsIn(db),
        },
        report,
      ),
    rebuild: (purpose, report = noReport) => {
      const { follow, head } = log;
      return rebuildReadTables({ databaseUrl, follow, head, registryId, report }, purpose);
    },
    unpark: (stream, report = noReport) =>
      unparkStreams(
        {
          parkedStreams: parkedStreamsIn(db),
          unparkStreams: unparkStreamsIn(db, log.readStream),
        },
        stream,
        report,
      ),
    async close() {
      const tables = await opened?.catch(() => null);
      await tables?.stop();
      await stores.close();
    },
  };
};
