import {
  createApiToken,
  createOneTimePassword,
  createSignInFingerprint,
  deriveKeyId,
  getLastFour,
  hashOneTimePassword,
  hashPassword,
  isCommonPassword,
  looksLikeApiToken,
  type PasswordCosts,
  verifyPassword,
} from '../../adapters/crypto/credentials.ts';
import { createReadableId, deriveId, hashFile, type Identity } from '../../adapters/crypto/ids.ts';
import {
  buildPasskeyCreation,
  buildPasskeyRequest,
  verifyCreatedPasskey,
  verifyPasskey,
} from '../../adapters/crypto/passkeys.ts';
import { createRowCipher, createTextCipher } from '../../adapters/crypto/sealing.ts';
import {
  buildTimeCodeAddress,
  createRecoveryCodes,
  createTimeCodeSecret,
  findTimeCodeStep,
  hashRecoveryCode,
} from '../../adapters/crypto/time-codes.ts';
import { writeCsv } from '../../adapters/csv/write-csv.ts';
import { createCheckpointVerifiers } from '../../adapters/event-log/checkpoint-keys.ts';
import type { EventLog } from '../../adapters/event-log/event-log.ts';
import { announceAccessChange } from '../../adapters/postgres/access/access-version.ts';
import { createEndSessions } from '../../adapters/postgres/access/end-sessions.ts';
import { createInvitationStore } from '../../adapters/postgres/access/invitations.ts';
import { createCountReplay } from '../../adapters/postgres/access/key-use.ts';
import { createKnownSignInLocations } from '../../adapters/postgres/access/known-sign-in-locations.ts';
import { createPasskeyStore } from '../../adapters/postgres/access/passkeys.ts';
import { createPasswordStore } from '../../adapters/postgres/access/passwords.ts';
import {
  createRateLimitStore,
  type RateLimitStore,
} from '../../adapters/postgres/access/rate-limit-store.ts';
import { createHoldSeats } from '../../adapters/postgres/access/seats.ts';
import {
  createDropSecondFactors,
  createSecondFactorStore,
} from '../../adapters/postgres/access/second-factors.ts';
import { createSingleSignOnStore } from '../../adapters/postgres/access/single-sign-on.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { createWakeups } from '../../adapters/postgres/connection/wakeups.ts';
import {
  createDraftStore,
  createDropExpiredDrafts,
} from '../../adapters/postgres/ephemeral/drafts.ts';
import {
  createDropExpiredLaunches,
  createPendingLaunches,
} from '../../adapters/postgres/ephemeral/ehr-launches.ts';
import { createFileCheckStore } from '../../adapters/postgres/ephemeral/file-checks.ts';
import {
  createDropExpiredHandoffs,
  createHandoffStore,
} from '../../adapters/postgres/ephemeral/handoffs.ts';
import { createPrefillReviewStore } from '../../adapters/postgres/ephemeral/prefill-reviews.ts';
import { createPrefillStore } from '../../adapters/postgres/ephemeral/prefills.ts';
import { createStagedImportStore } from '../../adapters/postgres/ephemeral/staged-imports.ts';
import { createUsedForms } from '../../adapters/postgres/ephemeral/used-forms.ts';
import { dropUnusedQueueKeys } from '../../adapters/postgres/keys/queue-keys.ts';
import { resealLastingRows } from '../../adapters/postgres/keys/reseal-rows.ts';
import { createLeases, LEASE_MS } from '../../adapters/postgres/leases/leases.ts';
import type { LivenessLock } from '../../adapters/postgres/leases/liveness-lock.ts';
import { createProjectionProgress } from '../../adapters/postgres/projector/projection-progress.ts';
import { createIngestionQueue } from '../../adapters/postgres/queue/ingestion-queue.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import { createQueueLoad } from '../admission/queue-load.ts';
import type { LimiterName, Meters } from '../process/counts.ts';
import type { Failpoint } from '../process/failpoint.ts';
import { createReaderInThisThread, type Reader } from '../reading/reader.ts';
import { createMemoryShares, createPasswordTurns, createShares } from '../reading/shares.ts';
import {
  cacheCells,
  cacheStatistics,
  loadDatedStatistics,
} from '../statistics/practice-statistics.ts';
import { instrumentLog } from './instrumented-log.ts';
import { createNoteAccess } from './note-access.ts';
import { createReads } from './reads.ts';
import { openRegistryKeys } from './registry-keys.ts';

export interface AppStores {
  readonly db: Db;
  /** Separate pool for the queries of every request or batch. */
  readonly hotDb: Db;
  readonly log: EventLog;
  /** Reads the stored copy while the log is unavailable; only for accepting submissions. */
  readonly readLogOrCache: ReadStream;
  readonly identity: Identity;
  /** `null` with the operator's own Postgres, which may be behind a pooler. */
  readonly livenessLock: LivenessLock | null;
  readonly secret: string;
}

export interface AppOptions {
  readonly meters: Meters;
  /** Tests end the process there. */
  readonly afterStep: Failpoint;
  readonly now: () => Date;
  readonly onFault: (what: string) => (error: unknown) => void;
  readonly baseUrl: string;
  /** Lifetime of queued submissions, including confirmed imports. */
  readonly bufferTtlSeconds: number;
  /** Beyond these limits of records and sealed MiB, pushes are refused. */
  readonly queueLimitRecords: number;
  readonly queueLimitMib: number;
  /** For tests; `undefined` in production. */
  readonly passwordCosts?: PasswordCosts | undefined;
  /** By default in the calling thread. */
  readonly reader?: Reader;
}

/** Ports that need no sealing key: all that an operator's commands use. */
export const bindAppPorts = (
  stores: AppStores,
  {
    meters,
    afterStep,
    now,
    onFault,
    passwordCosts,
  }: Pick<AppOptions, 'meters' | 'afterStep' | 'now' | 'onFault' | 'passwordCosts'>,
) => {
  const { db, hotDb, identity, livenessLock } = stores;
  const wakeups = createWakeups();
  return {
    log: instrumentLog(stores.log, meters),
    readLogOrCache: stores.readLogOrCache,
    reads: createReads(db),
    hotReads: createReads(hotDb),
    /** Newest last. */
    checkpointKeys: () => createCheckpointVerifiers(stores.log.readStream),
    leases: createLeases(hotDb, LEASE_MS, livenessLock),
    progress: createProjectionProgress(hotDb),
    identity,
    deriveId,
    createReadableId,
    now,
    onFault,
    meters,
    afterStep,
    tokens: {
      createApiToken,
      deriveKeyId,
      getLastFour,
      looksLikeApiToken,
    },
    passwords: {
      ...createPasswordStore(db),
      ...createPasswordHashing(passwordCosts),
      isCommonPassword,
      createOneTimePassword,
      hashOneTimePassword,
    },
    invitations: createInvitationStore(db),
    endSessions: createEndSessions(db),
    dropSecondFactors: createDropSecondFactors(db),
    holdSeats: createHoldSeats(db),
    announceAccessChange: () => announceAccessChange(db),
    noteAccess: createNoteAccess(db, () => wakeups.emit('noted')),
    wakeups,
  };
};

/** Too many password hashes are waiting; this password was not checked. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy';
}

/**
 * Hashing keeps a core busy, so only a few run at a time, and one per owner (an address or an account).
 * @throws PasswordsBusy
 */
const createPasswordHashing = (costs: PasswordCosts | undefined) => {
  const turns = createPasswordTurns();
  const runInTurn = <T>(owner: string, work: () => Promise<T>): Promise<T> =>
    turns.run(owner, async (claim) => {
      if (!(await claim(1))) throw new PasswordsBusy('Too many passwords are being checked.');
      return work();
    });
  return {
    verifyPassword: (hash: string, typed: string, owner: string) =>
      runInTurn(owner, () => verifyPassword(hash, typed)),
    hashPassword: (password: string, owner: string) =>
      runInTurn(owner, () => hashPassword(password, costs)),
  };
};

/** @see bindAppPorts */
export type AppPorts = ReturnType<typeof bindAppPorts>;

const BYTES_PER_MIB = 1024 * 1024;

/** @throws WrongRegistrySecret if the secret does not open the keys */
export const openApp = async (stores: AppStores, options: AppOptions) => {
  const { db, hotDb, secret } = stores;
  const { meters, now, baseUrl, bufferTtlSeconds } = options;
  const keys = await openRegistryKeys(
    { db, log: { readStream: stores.readLogOrCache }, secret },
    options.onFault('Could not check whether the keys of the registry were rotated; trying again.'),
  );
  const cipher = createRowCipher(keys);
  const bound = bindAppPorts(stores, options);
  const { passwords } = bound;
  const signInLocations = createKnownSignInLocations(db);
  const hashSignInLocation = createSignInFingerprint(secret);
  const queue = createIngestionQueue({ db, hotDb }, cipher, {
    ttlSeconds: bufferTtlSeconds,
  });
  const loadPracticeCells = cacheCells(bound.reads.loadPracticeCells, bound.reads.readVersion);
  const computeSignInLocation = async (accountId: string, address: string) =>
    hashSignInLocation(accountId, address, (await passwords.find(accountId))?.hash ?? null);
  return {
    ...bound,
    baseUrl,
    pushBase: `${baseUrl}/api/registry/fhir`,
    signInUrl: `${baseUrl}/sign-in`,
    findStatistics: cacheStatistics(
      (practice, filter, thisMonth) =>
        loadDatedStatistics({ ...bound.reads, loadPracticeCells }, practice, filter, thisMonth),
      bound.reads.readVersion,
    ),
    queue,
    queueLoad: createQueueLoad(queue.countQueued, {
      courses: options.queueLimitRecords,
      bytes: options.queueLimitMib * BYTES_PER_MIB,
    }),
    countReplay: createCountReplay(hotDb, now),
    fingerprintKeysAt: keys.fingerprintKeysAt,
    dropUnusedKeys: async () => {
      if (!keys.hasOlderKeys()) return;
      await resealLastingRows(db, cipher);
      await dropUnusedQueueKeys(db);
    },
    stopWatchingKeys: keys.stop,
    textCipher: createTextCipher(cipher),
    secondFactors: createSecondFactorStore(db, cipher),
    singleSignOn: createSingleSignOnStore(db, cipher),
    passkeys: {
      ...createPasskeyStore(db),
      buildPasskeyCreation,
      buildPasskeyRequest,
      verifyCreatedPasskey,
      verifyPasskey,
    },
    timeCodes: {
      createTimeCodeSecret,
      buildTimeCodeAddress,
      findTimeCodeStep,
      createRecoveryCodes,
      hashRecoveryCode,
    },
    stagedImports: createStagedImportStore(db, cipher, bufferTtlSeconds),
    fileChecks: createFileCheckStore(db, cipher),
    csv: { write: writeCsv, hashFile },
    reader: options.reader ?? createReaderInThisThread(),
    memory: createMemoryShares(),
    /** One file at a time per account. */
    uploadTurns: createShares({ total: Number.POSITIVE_INFINITY, perOwner: 1 }),
    drafts: createDraftStore(db, cipher),
    dropExpiredDrafts: createDropExpiredDrafts(db),
    handoffs: createHandoffStore(db, cipher),
    dropExpiredHandoffs: createDropExpiredHandoffs(db),
    launches: createPendingLaunches(db, cipher),
    dropExpiredLaunches: createDropExpiredLaunches(db),
    prefills: createPrefillStore(db, cipher),
    prefillReviews: createPrefillReviewStore(db, cipher),
    usedForms: createUsedForms(db),
    signInLocations: {
      isKnown: async (accountId: string, address: string) =>
        signInLocations.isKnown(await computeSignInLocation(accountId, address)),
      remember: async (accountId: string, address: string) =>
        signInLocations.remember(await computeSignInLocation(accountId, address)),
    },
    limiterStore: bindLimiterStore(hotDb, meters),
  };
};

/** @see openApp */
export type App = Awaited<ReturnType<typeof openApp>>;

/** Requests that cannot be counted appear in the metrics. */
const bindLimiterStore =
  (hotDb: Db, meters: Meters) =>
  (name: LimiterName, windowMs: number): RateLimitStore => {
    const store = createRateLimitStore(hotDb, name, windowMs);
    return {
      ...store,
      async increment(key) {
        try {
          return await store.increment(key);
        } catch (error) {
          meters.uncounted(name);
          throw error;
        }
      },
    };
  };
