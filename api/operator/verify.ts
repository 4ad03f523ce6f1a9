import { toVerifier } from '../../adapters/event-log/checkpoint-keys.ts';
import {
  isLossAccepted,
  loadRegistryState,
  type RegistryState,
} from '../../adapters/event-log/registry-state.ts';
import { areTablesAheadOfLog } from '../../adapters/postgres/projector/ahead-of-log.ts';
import { createListParkedStreams } from '../../adapters/postgres/projector/unpark-streams.ts';
import {
  createFindExistingStreams,
  streamRecordRows,
  waitForProjection,
} from '../../adapters/postgres/read-model/records-to-verify.ts';
import { openStreamStore } from '../../adapters/postgres/read-model/stream-store.ts';
import {
  findLastSignedSize,
  streamCheckpoints,
} from '../../adapters/transparency-log/checkpoints.ts';
import { loadStoredTree } from '../../adapters/transparency-log/log-tree.ts';
import { EventInvalid } from '../../domain/event-log-errors.ts';
import { NO_REPORTER, type Reporter } from '../commands/reporter.ts';
import type { ServiceLog } from '../process/logging.ts';
import type { Settings } from '../settings/settings.ts';
import { openLogAndDatabase, type Stores } from '../stores/stores.ts';
import { findCheckpointClaims, parseAuditorsHead } from './checkpoint-claims.ts';
import { type Verification, verifyLog } from './verify-log.ts';

/** A running projector gets there within this time; a stopped one is not worth waiting for. */
const TABLES_REACH_MS = 5_000;

/**
 * Opens no keys: their stream may be what was changed, and a log that lost it must not get new
 * ones.
 * @param against text of an auditor's checkpoint, if any
 * @throws CommandRefused if it is not a checkpoint
 */
export const verify = async (
  settings: Settings,
  serviceLog: ServiceLog,
  reporter: Reporter,
  against: string | null,
): Promise<Verification> => {
  const stores = await openLogAndDatabase(settings, 'command', serviceLog);
  try {
    return await verifyStores(stores, reporter, against);
  } finally {
    await stores.close();
  }
};

/** @see verify */
export const verifyStores = async (
  { log, db }: Pick<Stores, 'log' | 'db'>,
  reporter: Reporter = NO_REPORTER,
  against: string | null = null,
): Promise<Verification> => {
  const registry = await loadReadableRegistry(log);
  const keys = registry?.checkpointKeys.map(toVerifier) ?? [];
  const auditors = against === null ? null : parseAuditorsHead(against, keys);
  // Loaded before the log is read, because the log keeps growing.
  const storedTree = await loadStoredTree(db);
  const signed = await findLastSignedSize(db);
  const head = await log.head();
  return openStreamStore(db, (store) =>
    verifyLog(
      {
        entries: log.readAll(),
        head,
        acknowledged: registry?.acknowledged ?? new Map(),
        isLossAccepted: (lost) => isLossAccepted(registry, lost),
      },
      {
        storedTree,
        claimed: findCheckpointClaims(
          streamCheckpoints(db, signed, listFormerOrigins(registry)),
          auditors,
          keys,
        ),
      },
      {
        areAheadOfLog: () => areTablesAheadOfLog(db, log),
        standing: (position) => waitForProjection(db, position, TABLES_REACH_MS),
        parkedStreams: createListParkedStreams(db),
        records: () => streamRecordRows(db),
        holding: createFindExistingStreams(db),
      },
      log.lastRevision,
      store,
      reporter,
    ),
  );
};

const listFormerOrigins = (registry: RegistryState | null) =>
  (registry?.losses ?? []).map((_, at, losses) => ({
    originNumber: at === 0 ? 1 : (losses[at - 1]?.originNumber ?? 1),
    keptSize: Math.min(...losses.slice(at).map(({ keptSize }) => keptSize)),
  }));

/** `null` if unreadable; then no stored signature is checked. */
const loadReadableRegistry = async ({
  readStream,
}: Stores['log']): Promise<RegistryState | null> => {
  try {
    return await loadRegistryState(readStream);
  } catch (error) {
    if (error instanceof EventInvalid) return null;
    throw error;
  }
};
