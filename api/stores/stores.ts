import {
  loadOrCreateSecret,
  readSecretFile,
  WrongRegistrySecret,
} from '../../adapters/crypto/keys.ts';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import {
  type ConfirmedLog,
  connectEventLog,
  type EventLog,
} from '../../adapters/event-log/event-log.ts';
import {
  openKnownRegistry,
  openRegistryIdentity,
  type RegistryIdentity,
  registryExists,
} from '../../adapters/event-log/registry-identity.ts';
import type { LogAddress } from '../../adapters/package-internals/event-store-client/log-address.ts';
import { raiseAccessVersion } from '../../adapters/postgres/access/access-version.ts';
import {
  COMMAND_TIMEOUTS,
  type Db,
  openDatabase,
  openHotDatabase,
  REQUEST_TIMEOUTS,
} from '../../adapters/postgres/connection/database.ts';
import {
  acquireLivenessLock,
  type LivenessLock,
} from '../../adapters/postgres/leases/liveness-lock.ts';
import { holdsRegistry } from '../../adapters/postgres/migrations/holds-registry.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { createConfirmLog } from '../../adapters/postgres/projector/ahead-of-log.ts';
import {
  createStreamCache,
  findKnownRegistryId,
} from '../../adapters/postgres/read-model/stream-cache.ts';
import { EventLogNotLeader, EventLogUnavailable } from '../../domain/event-log-errors.ts';
import { REGISTRY_STREAM } from '../../domain/stream-names.ts';
import type { AppStores } from '../ports/app-ports.ts';
import type { ServiceLog } from '../process/logging.ts';
import { TIMED_OUT, withTimeout } from '../process/with-timeout.ts';
import { hasRole, type Settings } from '../settings/settings.ts';
import { cacheStreams, guardLog, readLogOrCache } from './guarded-log.ts';
import { requireRegistry } from './require-registry.ts';
import { openUnauthenticatedPort } from './unauthenticated-log-port.ts';

export interface Stores extends AppStores {
  readonly databaseUrl: string;
  readonly logAddress: LogAddress;
  readonly registryId: string;
  /** `null` if the log was available at the start; otherwise the registry is the database's. */
  readonly lateLog: LateLog | null;
  close(): Promise<void>;
}

/** Not read or written before it was checked. */
export interface LateLog {
  /**
   * Opens the log to all callers if it has the registry of the database.
   * @throws EventLogUnavailable while it is unavailable, LogWithoutRegistry, LogOfAnotherRegistry
   */
  check(): Promise<void>;
  /** False if the log was only slow. */
  wasAway(): boolean;
  isOpen(): boolean;
}

/**
 * A service starts the embedded node; a command shares a running one. Commands refuse an empty
 * DATA_DIR as mistyped, except founding commands. An onlooker does not migrate the schema `app`,
 * because the service may be of another build.
 */
export type StoresOpener = 'service' | 'command' | 'founding-command' | 'onlooker';

export interface OpenStores extends Pick<Stores, 'db' | 'hotDb' | 'databaseUrl' | 'logAddress'> {
  readonly log: ConfirmedLog;
  /** From the settings, or else from the data directory. */
  readonly secret: () => Promise<string>;
  close(): Promise<void>;
}

/** Separate, so that pages and commands never make a push wait. */
const POOL_CONNECTIONS = 8;
const HOT_CONNECTIONS = 8;

/**
 * Stops everything again if a later step fails. @param signal aborts the creation of a new database
 * @throws CommandRefused if DATA_DIR contains no registry and the command does not found one
 */
export const openStores = async (
  settings: Settings,
  opener: StoresOpener,
  serviceLog: ServiceLog,
  signal?: AbortSignal,
): Promise<Stores> => {
  const stores = await openLogAndDatabase(settings, opener, serviceLog, signal);
  const { db, hotDb, databaseUrl, logAddress } = stores;
  try {
    const secret = await stores.secret();
    const takesSubmissions = opener === 'service' && hasRole(settings.role, 'api');
    const known = takesSubmissions ? await findKnownRegistry(db, secret) : null;
    const identityRequest =
      known === null
        ? openRegistryIdentity(stores.log, secret, () => holdsRegistry(db))
        : openKnownRegistry(stores.log.readStream, known.registryId, secret);
    const answered =
      known === null ? await identityRequest : await awaitUnlessAway(identityRequest);
    const { registryId, identity } = answered ?? (known as RegistryIdentity);
    const streamCache = createStreamCache(db, registryId);
    // Commands also read a log that is behind the tables: to verify it, or to rebuild from it.
    const used = opener === 'service' ? stores.log.confirmed : stores.log;
    const guarded = guardLog(cacheStreams(used, streamCache), identityRequest);
    const { log } = guarded;
    const check = async () => {
      await openKnownRegistry(stores.log.readStream, registryId, secret).catch((error: unknown) => {
        guarded.setFault(error);
        throw error;
      });
      guarded.open();
      // Decisions based on the stored copies must be repeated with the log.
      await raiseAccessVersion(db);
    };
    const livenessLock =
      settings.databaseUrl === null && opener === 'service'
        ? await acquireLivenessLock(databaseUrl)
        : null;
    const close = async () => {
      await livenessLock?.stop();
      await stores.close();
    };
    return {
      db,
      hotDb,
      databaseUrl,
      logAddress,
      livenessLock,
      log,
      readLogOrCache: readLogOrCache(guarded, streamCache),
      lateLog:
        answered === null ? { check, wasAway: guarded.wasAway, isOpen: guarded.isOpen } : null,
      registryId,
      identity,
      secret,
      close,
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
};

/** Applies to a service that can start without the log. */
const LOG_PATIENCE_MS = 500;

/** `null` if there is no registry, or this secret does not open it. */
const findKnownRegistry = async (db: Db, secret: string): Promise<RegistryIdentity | null> => {
  const registryId = await findKnownRegistryId(db);
  if (registryId === null) return null;
  const stream = await createStreamCache(db, registryId).find(REGISTRY_STREAM);
  if (stream === null) return null;
  try {
    return await openKnownRegistry(async () => stream, registryId, secret);
  } catch (error) {
    // The keys may have been rewrapped since; the log decides.
    if (error instanceof WrongRegistrySecret) return null;
    throw error;
  }
};

/** `null` if the log is unavailable. */
const awaitUnlessAway = async <T>(request: Promise<T>): Promise<T | null> => {
  try {
    const answer = await withTimeout(LOG_PATIENCE_MS, request);
    return answer === TIMED_OUT ? null : answer;
  } catch (error) {
    // Another address may be needed, so the start waits, and says so.
    if (error instanceof EventLogNotLeader) throw error;
    if (error instanceof EventLogUnavailable) return null;
    throw error;
  } finally {
    request.catch(() => undefined);
  }
};

export interface AttachedStores
  extends Pick<Stores, 'databaseUrl' | 'logAddress' | 'registryId' | 'secret'> {
  /** False on a database of the operator. */
  readonly showsPresence: boolean;
}

/** Per pool: for four practice leases at a time, the projector, and little else. */
const JOINED_CONNECTIONS = 6;

export const attachStores = async (joined: AttachedStores): Promise<Stores> => {
  const { databaseUrl, logAddress, registryId, secret, showsPresence } = joined;
  const db = openDatabase(databaseUrl, JOINED_CONNECTIONS);
  const hotDb = openHotDatabase(databaseUrl, JOINED_CONNECTIONS);
  const opened = connectEventLog(logAddress, undefined, createConfirmLog(db));
  const log = opened.confirmed;
  let livenessLock: LivenessLock | null = null;
  const close = async () => {
    await livenessLock?.stop();
    await log.close();
    await hotDb.destroy();
    await db.destroy();
  };
  try {
    const { identity } = await openKnownRegistry(opened.readStream, registryId, secret);
    if (showsPresence) livenessLock = await acquireLivenessLock(databaseUrl);
    return {
      db,
      hotDb,
      databaseUrl,
      logAddress,
      livenessLock,
      log,
      readLogOrCache: log.readStream,
      lateLog: null,
      registryId,
      identity,
      secret,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Requires no secret, unlike {@link openStores}. */
export const openLogAndDatabase = async (
  settings: Settings,
  opener: StoresOpener,
  serviceLog: ServiceLog,
  signal?: AbortSignal,
): Promise<OpenStores> => {
  if (opener === 'command' || opener === 'onlooker') await requireRegistry(settings);
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const stop of opened.splice(0).reverse()) await stop();
  };
  try {
    const { dataDir } = settings;
    const onLog = (line: object) => serviceLog.debug(line);
    const onNotice = (sentence: string) => serviceLog.info(sentence);
    const databaseUrl = settings.databaseUrl ?? (await startEmbeddedPostgres());
    async function startEmbeddedPostgres() {
      const hosted = await hostPostgres({ dataDir, onLog, onNotice, signal });
      opened.push(() => hosted.stop());
      return hosted.url;
    }
    const timeouts = opener === 'service' ? REQUEST_TIMEOUTS : COMMAND_TIMEOUTS;
    const db = openDatabase(databaseUrl, POOL_CONNECTIONS, timeouts);
    opened.push(() => db.destroy());
    const hotDb = openHotDatabase(databaseUrl, HOT_CONNECTIONS, timeouts);
    opened.push(() => hotDb.destroy());
    if (opener !== 'onlooker') await migrate(db as never);

    const logAddress =
      settings.eventstoreUrl === null
        ? await startEmbeddedEventStore()
        : { connectionString: settings.eventstoreUrl };
    async function startEmbeddedEventStore(): Promise<LogAddress> {
      const holder = opener === 'service' ? 'service' : 'command';
      const port = await openUnauthenticatedPort(settings, holder, databaseUrl);
      const hosted = await hostEventStore({
        databaseUrl,
        dataDir,
        hostKind: holder,
        onLog,
        ...(port === null ? {} : { port }),
      });
      opened.push(() => hosted.stop());
      const { connectionString, authorization } = hosted;
      return { connectionString, authorization };
    }
    const log = connectEventLog(logAddress, undefined, createConfirmLog(db));
    opened.push(() => log.close());
    const secret = async () => settings.registrySecret ?? (await readSecret(log, db, dataDir));
    return { db, hotDb, databaseUrl, log, logAddress, secret, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/**
 * Created if there is no registry yet. A new secret for an existing registry would open nothing,
 * and be mistaken for the right one.
 */
const readSecret = async (log: EventLog, db: Db, dataDir: string): Promise<string> => {
  const fileSecret = await readSecretFile(dataDir);
  if (fileSecret !== null) return fileSecret;
  const isCreated = await registryExists(log.readStream, () => holdsRegistry(db));
  if (!isCreated) return loadOrCreateSecret(dataDir);
  // Another process may have just founded the registry; it stores the secret first.
  const founderSecret = await readSecretFile(dataDir);
  if (founderSecret !== null) return founderSecret;
  throw new WrongRegistrySecret(
    'REGISTRY_SECRET is not set, and DATA_DIR holds no secret. Set the one that opens the keys of this registry.',
  );
};
