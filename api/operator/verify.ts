import { createCheckpointVerifiers } from '../../adapters/event-log/checkpoint-keys.ts';
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
import type { VerifierKey } from '../../transparency-log/signed-note.ts';
import { NO_REPORTER, type Reporter } from '../commands/reporter.ts';
import type { ServiceLog } from '../process/logging.ts';
import type { Settings } from '../settings/settings.ts';
import { openLogAndDatabase, type Stores } from '../stores/stores.ts';
import { findCheckpointClaims, parseAuditorsHead } from './checkpoint-claims.ts';
import { type Verification, verifyLog } from './verify-log.ts';

/** A running projector gets there within this time; a stopped one is not worth waiting for. */
const TABLES_REACH_MS = 5_000;

/**
 * Verifies a log without opening the keys of its registry: their stream may be what was changed,
 * and a log that lost it must not get new ones.
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

/** Verifies open stores. @see verify */
export const verifyStores = async (
  { log, db }: Pick<Stores, 'log' | 'db'>,
  reporter: Reporter = NO_REPORTER,
  against: string | null = null,
): Promise<Verification> => {
  const keys = await readableKeys(log);
  const auditors = against === null ? null : parseAuditorsHead(against, keys);
  // Loaded before the log is read, because the log keeps growing.
  const kept = await loadStoredTree(db);
  const signed = await findLastSignedSize(db);
  const head = await log.head();
  return openStreamStore(db, (store) =>
    verifyLog(
      { entries: log.readAll(), head },
      { kept, claimed: findCheckpointClaims(streamCheckpoints(db, signed), auditors, keys) },
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

/**
 * Keys of the log's checkpoints; empty if their stream is unreadable, and then no stored signature
 * is checked.
 */
const readableKeys = async ({ readStream }: Stores['log']): Promise<readonly VerifierKey[]> => {
  try {
    return await createCheckpointVerifiers(readStream);
  } catch (error) {
    if (error instanceof EventInvalid) return [];
    throw error;
  }
};
