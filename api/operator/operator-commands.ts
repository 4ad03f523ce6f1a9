import { nanoid } from 'nanoid';
import type { PasswordCosts } from '../../adapters/crypto/credentials.ts';
import { isLossAccepted, loadRegistryState } from '../../adapters/event-log/registry-state.ts';
import { notifyOthers } from '../../adapters/postgres/connection/wakeups.ts';
import { ReadTablesAheadOfLog } from '../../adapters/postgres/projector/ahead-of-log.ts';
import { ProjectionBehind } from '../../adapters/postgres/projector/projection-progress.ts';
import { ReadTablesOfAnotherVersion } from '../../adapters/postgres/projector/read-schema.ts';
import {
  createListParkedStreams,
  createUnparkStreams,
  type Unparked,
} from '../../adapters/postgres/projector/unpark-streams.ts';
import { type Rebuilt, rebuildReadTables } from '../../adapters/postgres/rebuild/rebuild.ts';
import { findLastCheckpoint } from '../../adapters/transparency-log/checkpoints.ts';
import type { LostEvents } from '../../domain/registry/events.ts';
import type { PracticeStatistics } from '../../domain/statistics/figures.ts';
import { NO_FILTER } from '../../domain/statistics/ports.ts';
import type { AccessQuery } from '../../projections/lists/access.ts';
import type { ListedAccess, ListedRecordAccess } from '../access-log/list-access.ts';
import { UNNAMED_OPERATOR } from '../commands/command-context.ts';
import { CommandRefused, commandRefused } from '../commands/command-refused.ts';
import { type CommandSets, createCommandSets } from '../commands/command-sets.ts';
import {
  findHistoryByChart,
  findHistoryByRecord,
  type RecordHistory,
} from '../commands/record-history.ts';
import { NO_REPORTER, type Reporter } from '../commands/reporter.ts';
import { clockWarning } from '../health/readiness.ts';
import { type AppPorts, bindAppPorts } from '../ports/app-ports.ts';
import { createCounts } from '../process/counts.ts';
import type { Failpoint } from '../process/failpoint.ts';
import { createFaultLog, type ServiceLog } from '../process/logging.ts';
import type { Settings } from '../settings/settings.ts';
import { loadStatistics } from '../statistics/practice-statistics.ts';
import { openStores } from '../stores/stores.ts';
import { acceptLoss, acceptStreamLoss } from '../transparency-log/accept-loss.ts';
import { signCheckpoint } from '../transparency-log/sign-checkpoint.ts';
import { LOG_NOT_EXTENDED } from '../transparency-log/start-checkpointer.ts';
import { createCommandAccessLog } from './access-log.ts';
import { type Acknowledged, acknowledgeForeignEvents } from './acknowledge-foreign-events.ts';
import { type CommandProjection, openCommandProjection } from './command-projection.ts';
import { type ExportedFile, type ExportOrder, exportRecords } from './export-records.ts';
import { createHistoryNames } from './history-names.ts';
import { createOperatorLists, type OperatorLists } from './operator-lists.ts';
import { verifyStores } from './verify.ts';
import type { Verification } from './verify-log.ts';

interface UnparkPorts {
  parkedStreams(): Promise<readonly string[]>;
  unparkStreams(streams: readonly string[]): Promise<Unparked>;
}

/** @param stream the one to apply; all if `null` @throws CommandRefused if it is not parked */
const unparkStreams = async (
  { parkedStreams, unparkStreams }: UnparkPorts,
  stream: string | null,
  report: (line: string) => void,
): Promise<Unparked> => {
  const parked = await parkedStreams();
  if (stream !== null && !parked.includes(stream))
    throw new CommandRefused(
      'stream-not-parked',
      'This stream is not parked. `verify` names those that are; `unpark` without `--stream` tries them all.',
    );
  const done = await unparkStreams(stream === null ? parked : [stream]);
  for (const still of done.stillParked) report(`${still.stream} stays parked. ${still.problem}`);
  return done;
};

/** @throws any fault but read tables of another version, ahead of the log, or behind it */
const ignoreTablesFault = (fault: unknown): void => {
  const isOfTables =
    fault instanceof ReadTablesOfAnotherVersion ||
    fault instanceof ReadTablesAheadOfLog ||
    fault instanceof ProjectionBehind;
  if (!isOfTables) throw fault;
};

export interface OperatorCommands extends CommandSets {
  readonly lists: OperatorLists;
  history(practiceId: string, chartNumber: string, asOf: Date | null): Promise<RecordHistory>;
  /** @throws CommandRefused if the practice has no such record */
  historyOfRecord(
    practiceId: string,
    submissionUuid: string,
    asOf: Date | null,
  ): Promise<RecordHistory>;
  /** @param year of birth; all years if `null` @throws CommandRefused for an unknown practice */
  statistics(practiceId: string, year: number | null): Promise<PracticeStatistics>;
  /**
   * Latest entry first; for one record, also everyone who accessed it.
   * @param practiceId `null` for entries that concern no practice
   * @throws CommandRefused for an unknown practice
   */
  accessLog(
    practiceId: string | null,
    query: AccessQuery,
  ): Promise<ListedAccess | ListedRecordAccess>;
  /** @param stop aborts it @throws CommandRefused for an unknown practice */
  exportRecords(order: ExportOrder, reporter?: Reporter, stop?: AbortSignal): Promise<ExportedFile>;
  readonly historyNames: ReturnType<typeof createHistoryNames>;
  /**
   * @param against text of an auditor's checkpoint, if any
   * @throws CommandRefused if it is not one
   */
  verify(reporter?: Reporter, against?: string | null): Promise<Verification>;
  /**
   * @param acceptsLoss begins a new origin if the log does not extend the previous one
   * @throws CommandRefused if the log does not extend it, or, to accept a loss, if it does
   */
  checkpoint(acceptsLoss?: boolean): Promise<{ readonly checkpoint: string }>;
  /**
   * Builds the tables next to the live ones.
   * @param acceptsLoss swaps even if the log lacks events of streams, and records who accepted that
   * @throws StreamsIncomplete
   */
  rebuild(
    purpose: 'swap' | 'compare',
    reporter?: Reporter,
    acceptsLoss?: boolean,
  ): Promise<Rebuilt>;
  /** @param stream the only one to acknowledge; all if `null` @see acknowledgeForeignEvents */
  acknowledge(stream: string | null): Promise<Acknowledged>;
  /** @param stream parked stream to apply; all if `null` */
  unpark(stream: string | null, report?: Reporter['report']): Promise<Unparked>;
  /** `null` if no difference between the clocks of this machine and the log was seen. */
  clockWarning(): string | null;
  close(): Promise<void>;
}

interface CommandOptions {
  readonly mayFound?: boolean;
  /** Tests end the process there. */
  readonly afterStep?: Failpoint;
  /** For tests; `undefined` in production. */
  readonly passwordCosts?: PasswordCosts | undefined;
}

/**
 * Works while the service runs.
 * @throws CommandRefused if DATA_DIR contains no registry and `mayFound` is false
 */
export const openCommands = async (
  settings: Settings,
  serviceLog: ServiceLog,
  { mayFound = false, afterStep = () => undefined, passwordCosts }: CommandOptions = {},
): Promise<OperatorCommands> => {
  const stores = await openStores(settings, mayFound ? 'founding-command' : 'command', serviceLog);
  const { log, db, databaseUrl, registryId } = stores;
  let opened: Promise<CommandProjection> | null = null;
  const readTables = (): Promise<CommandProjection> => {
    opened ??= openCommandProjection(stores, serviceLog);
    return opened;
  };
  const app = onOpenTables(
    bindAppPorts(stores, {
      meters: createCounts().meters,
      afterStep,
      now: () => new Date(),
      onFault: createFaultLog(serviceLog),
      passwordCosts,
    }),
    readTables,
  );
  notifyOthers(db, app.wakeups);
  const append = {
    correlationId: nanoid(),
    causationId: null,
    actor: { kind: 'operator', id: settings.operator ?? UNNAMED_OPERATOR },
  } as const;
  const sets = createCommandSets(app, append);
  const accessLog = createCommandAccessLog(app, stores, sets, append);
  /** A mistyped id must not look like an empty practice. */
  const requirePractice = async (practiceId: string): Promise<void> => {
    const { status } = await sets.practices.find(practiceId);
    if (status === 'unknown') throw commandRefused({ code: 'no-practice' });
  };
  const requirePartner = async (partnerId: string): Promise<void> => {
    const { status } = await sets.partners.find(partnerId);
    if (status === 'unknown') throw commandRefused({ code: 'no-partner' });
  };
  return {
    ...sets,
    lists: createOperatorLists(app.reads, readTables, { requirePractice, requirePartner }),
    providers: { ...sets.providers, career: accessLog.career },
    async history(practiceId, chartNumber, asOf) {
      await requirePractice(practiceId);
      const history = await findHistoryByChart(app, practiceId, chartNumber, asOf);
      return accessLog.history(practiceId, history);
    },
    async historyOfRecord(practiceId, submissionUuid, asOf) {
      await requirePractice(practiceId);
      const history = await findHistoryByRecord(app, practiceId, submissionUuid, asOf);
      if (history === null) throw commandRefused({ code: 'no-record' });
      return accessLog.history(practiceId, history);
    },
    async accessLog(practiceId, query) {
      if (practiceId !== null) await requirePractice(practiceId);
      return accessLog.list(practiceId, query);
    },
    async statistics(practiceId, year) {
      const practice = await sets.practices.find(practiceId);
      if (practice.status === 'unknown') throw commandRefused({ code: 'no-practice' });
      await readTables();
      return loadStatistics(app.reads, practice, { ...NO_FILTER, year });
    },
    async exportRecords(order, reporter = NO_REPORTER, stop = undefined) {
      await requirePractice(order.practiceId);
      await readTables();
      return exportRecords(app, append, order, reporter, stop ?? null);
    },
    historyNames: createHistoryNames(app.reads, sets.practices.find),
    verify: (reporter, against) => verifyStores(stores, reporter, against),
    async checkpoint(acceptsLoss = false) {
      await readTables();
      if (acceptsLoss) await acceptLoss(stores, append.actor);
      if ((await signCheckpoint(stores)).kind === 'refused')
        throw new CommandRefused('log-not-extended', LOG_NOT_EXTENDED);
      const last = await findLastCheckpoint(db);
      if (last === null) throw new Error('The log of a registry holds an event at least.');
      return { checkpoint: last.note };
    },
    async rebuild(purpose, reporter = NO_REPORTER, acceptsLoss = false) {
      const { follow, head, readStream } = log;
      const registry = await loadRegistryState(readStream);
      const parts = {
        ...{ databaseUrl, follow, head, registryId, acceptsLoss },
        isLossAccepted: (lost: LostEvents) => isLossAccepted(registry, lost),
        ...reporter,
      };
      const rebuilt = await rebuildReadTables(parts, purpose);
      // Not before: nothing is appended while the former tables are ahead of the log.
      if (acceptsLoss && purpose === 'swap')
        await acceptStreamLoss(stores.log, rebuilt.incomplete, append.actor);
      return rebuilt;
    },
    async acknowledge(stream) {
      await readTables();
      return acknowledgeForeignEvents(stores, stream, append.actor);
    },
    unpark: (stream, report = NO_REPORTER.report) =>
      unparkStreams(
        {
          parkedStreams: createListParkedStreams(db),
          unparkStreams: createUnparkStreams(db, log),
        },
        stream,
        report,
      ),
    clockWarning: () => clockWarning(log.appendHealth().clock)?.says ?? null,
    async close() {
      const tables = await opened?.catch(() => null);
      await tables?.stop();
      await stores.close();
    },
  };
};

/** Opens the read tables when a command first needs them. */
const onOpenTables = (app: AppPorts, readTables: () => Promise<CommandProjection>): AppPorts => {
  const { reads, progress } = app;
  return {
    ...app,
    progress: {
      ...progress,
      reach: async (position, withinMs) => (await readTables()).progress.reach(position, withinMs),
    },
    reads: {
      ...reads,
      async findMatchCandidates(...record) {
        // A history is shown whatever the state of the read tables.
        await readTables().catch(ignoreTablesFault);
        return reads.findMatchCandidates(...record);
      },
      async findLeafIndexes(events) {
        try {
          await readTables();
        } catch (fault) {
          ignoreTablesFault(fault);
          return events.map(() => null);
        }
        return reads.findLeafIndexes(events);
      },
      async findRecordStream(...record) {
        await readTables();
        return reads.findRecordStream(...record);
      },
    },
  };
};
