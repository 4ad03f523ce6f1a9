import { isCommonPassword } from '../../adapters/crypto/common-passwords.ts';
import {
  digestOfOneTimePassword,
  hashApiToken,
  hashPassword,
  isPassword,
  keyIdOf,
  lastFourOf,
  looksLikeApiToken,
  newApiToken,
  newOneTimePassword,
  type PasswordCosts,
  signInPlaceWith,
} from '../../adapters/crypto/credentials.ts';
import { digestOfFile, type Identity, idOf, newReadableId } from '../../adapters/crypto/ids.ts';
import {
  createdPasskey,
  passkeyCreation,
  passkeyRequest,
  shownPasskey,
} from '../../adapters/crypto/passkeys.ts';
import { rowCipherOf, sealedTextsOf } from '../../adapters/crypto/sealing.ts';
import {
  digestOfRecoveryCode,
  newRecoveryCodes,
  newTimeCodeSecret,
  stepOfTimeCode,
  timeCodeAddress,
} from '../../adapters/crypto/time-codes.ts';
import { writeCsv } from '../../adapters/csv/write-csv.ts';
import { checkpointVerifiers } from '../../adapters/event-log/checkpoint-keys.ts';
import type { EventLog } from '../../adapters/event-log/event-log.ts';
import { announceAccessChange } from '../../adapters/postgres/access/access-version.ts';
import { endSessionsIn } from '../../adapters/postgres/access/end-sessions.ts';
import { invitationsIn } from '../../adapters/postgres/access/invitations.ts';
import { countReplayIn } from '../../adapters/postgres/access/key-use.ts';
import { knownPlacesIn } from '../../adapters/postgres/access/known-sign-in-locations.ts';
import { passkeysIn } from '../../adapters/postgres/access/passkeys.ts';
import { passwordsOf } from '../../adapters/postgres/access/passwords.ts';
import {
  type RateLimitStore,
  rateLimitStoreOf,
} from '../../adapters/postgres/access/rate-limit-store.ts';
import { holdSeatsIn } from '../../adapters/postgres/access/seats.ts';
import {
  dropSecondFactorsIn,
  secondFactorsOf,
} from '../../adapters/postgres/access/second-factors.ts';
import { singleSignOnIn } from '../../adapters/postgres/access/single-sign-on.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { usedFormsIn } from '../../adapters/postgres/ephemeral/consumed-form-tokens.ts';
import { draftsOf, dropExpiredDraftsIn } from '../../adapters/postgres/ephemeral/drafts.ts';
import {
  dropExpiredLaunchesIn,
  pendingLaunchesOf,
} from '../../adapters/postgres/ephemeral/ehr-launches.ts';
import {
  dropExpiredHandedOverIn,
  handedOverOf,
} from '../../adapters/postgres/ephemeral/handoffs.ts';
import { prefillReviewsOf } from '../../adapters/postgres/ephemeral/prefill-reviews.ts';
import { keptPrefillsOf } from '../../adapters/postgres/ephemeral/prefills.ts';
import { stagedImportsOf } from '../../adapters/postgres/ephemeral/staged-imports.ts';
import { ingestionQueueOf } from '../../adapters/postgres/intake-queue/ingestion-queue.ts';
import { queueOfBeforeIn } from '../../adapters/postgres/intake-queue/legacy-queue.ts';
import { dropUnusedQueueKeys } from '../../adapters/postgres/keys/queue-keys.ts';
import { resealLastingRows } from '../../adapters/postgres/keys/reseal-rows.ts';
import { leasesOf } from '../../adapters/postgres/leases/leases.ts';
import type { Presence } from '../../adapters/postgres/leases/liveness-lock.ts';
import { projectionProgressOf } from '../../adapters/postgres/projector/projection-progress.ts';
import { readBirthsFile } from '../../adapters/xlsx/read-xlsx.ts';
import type { ReadStream } from '../../domain/event-log.ts';
import type { DoorFirst } from '../intake/intake-priority.ts';
import { queueLoadOf } from '../intake/queue-load.ts';
import { newQueuedSignal } from '../intake/queued-signal.ts';
import type { LimiterName, Meters } from '../process/counts.ts';
import type { AfterStep } from '../process/failpoint.ts';
import { datedStatisticsOf, rememberStatistics } from '../statistics/practice-statistics.ts';
import { timedLog } from './instrumented-log.ts';
import { LEASE_MS } from './lease-length.ts';
import { noteAccessIn } from './note-access.ts';
import { readsOf } from './reads.ts';
import { openRegistryKeys } from './registry-keys.ts';

/** The open log and database that a registry is bound to. */
export interface RegistryStores {
  readonly db: Db;
  /** The same database, for what every request or batch asks. */
  readonly hotDb: Db;
  readonly log: EventLog;
  /** Reads the log, and while it is away what was kept of it: for taking submissions alone. */
  readonly readLogOrKept: ReadStream;
  readonly identity: Identity;
  /** Sign of life for leases; null on a database of the operator's. */
  readonly presence: Presence | null;
  readonly secret: string;
}

/** What the process that opens a registry tells it. */
export interface RegistryOptions {
  readonly meters: Meters;
  readonly doorFirst: DoorFirst;
  /** Called after each step of the write path; for tests that end the process there. */
  readonly afterStep: AfterStep;
  readonly now: () => Date;
  /** Reports a fault that the service recovers from by itself. */
  readonly onFault: (what: string) => (error: unknown) => void;
  /** Address that people and partners use. */
  readonly baseUrl: string;
  /** Life of what waits in the queue, and of an import that waits for its confirmation. */
  readonly bufferTtlSeconds: number;
  /** Records that may wait in the queue before nothing more is taken, and their sealed bytes in MiB. */
  readonly queueLimitRecords: number;
  readonly queueLimitMib: number;
  /** Whether what is queued is for workers of other processes to see. */
  readonly announcesQueued: boolean;
  /** Costs of the hash of a password; undefined: those of production. */
  readonly passwordCosts?: PasswordCosts | undefined;
}

/** What needs no key of the queue: all that commands of an operator work with. */
export const bindRegistry = (
  stores: RegistryStores,
  {
    meters,
    doorFirst,
    afterStep,
    now,
    onFault,
    passwordCosts,
  }: Pick<
    RegistryOptions,
    'meters' | 'doorFirst' | 'afterStep' | 'now' | 'onFault' | 'passwordCosts'
  >,
) => {
  const { db, hotDb, identity, presence } = stores;
  return {
    log: timedLog(stores.log, meters),
    readLogOrKept: stores.readLogOrKept,
    reads: readsOf(db),
    /** The same queries on the connections that requests and batches use. */
    hotReads: readsOf(hotDb),
    /** What checkpoints of the log are checked with, the newest key last. */
    checkpointKeys: () => checkpointVerifiers(stores.log.readStream),
    leases: leasesOf(hotDb, LEASE_MS, presence),
    progress: projectionProgressOf(hotDb),
    identity,
    idOf,
    newReadableId,
    now,
    onFault,
    meters,
    doorFirst,
    afterStep,
    tokens: { newApiToken, hashApiToken, keyIdOf, lastFourOf, looksLikeApiToken },
    passwords: {
      ...passwordsOf(db),
      isPassword,
      hashPassword: (password: string) => hashPassword(password, passwordCosts),
      isCommonPassword,
      newOneTimePassword,
      digestOfOneTimePassword,
    },
    invitations: invitationsIn(db),
    endSessions: endSessionsIn(db),
    dropSecondFactors: dropSecondFactorsIn(db),
    holdSeats: holdSeatsIn(db),
    announceAccessChange: () => announceAccessChange(db),
    noteAccess: noteAccessIn(db),
  };
};

/** @see bindRegistry */
export type BoundRegistry = ReturnType<typeof bindRegistry>;

const BYTES_PER_MIB = 1024 * 1024;

/**
 * The registry as the service works with it: what can be asked and done, bound to log and database.
 * @throws WrongRegistrySecret when the secret does not open the keys
 */
export const openRegistry = async (stores: RegistryStores, options: RegistryOptions) => {
  const { db, hotDb, secret } = stores;
  const { meters, now, baseUrl, bufferTtlSeconds, announcesQueued } = options;
  const keys = await openRegistryKeys(
    { db, log: { readStream: stores.readLogOrKept }, secret },
    options.onFault('Could not check whether the keys of the registry were rotated; trying again.'),
  );
  const cipher = rowCipherOf(keys);
  const bound = bindRegistry(stores, options);
  const { passwords } = bound;
  const places = knownPlacesIn(db);
  const nameOf = signInPlaceWith(secret);
  const queue = ingestionQueueOf({ db, hotDb }, cipher, {
    ttlSeconds: bufferTtlSeconds,
    announces: announcesQueued,
  });
  const placeOf = async (accountId: string, address: string) =>
    nameOf(accountId, address, (await passwords.find(accountId))?.hash ?? null);
  return {
    ...bound,
    baseUrl,
    pushBase: `${baseUrl}/api/registry/fhir`,
    signInAt: `${baseUrl}/sign-in`,
    findStatistics: rememberStatistics(
      (practice, filter, thisMonth) => datedStatisticsOf(bound.reads, practice, filter, thisMonth),
      bound.reads.readVersion,
    ),
    queue,
    queueLoad: queueLoadOf(queue.countQueued, {
      courses: options.queueLimitRecords,
      bytes: options.queueLimitMib * BYTES_PER_MIB,
    }),
    /** Told what this process has queued, or has heard that another one has. */
    queued: newQueuedSignal(),
    queueOfBefore: queueOfBeforeIn(db),
    countReplay: countReplayIn(hotDb, now),
    /** The keys that new fingerprints are made under. */
    fingerprintKeysAt: keys.fingerprintKeysAt,
    /** Deletes what a rotation has left of the queue's key, as soon as nothing is sealed with it. */
    dropUnusedKeys: async () => {
      if (!keys.holdsOlder()) return;
      await resealLastingRows(db, cipher);
      await dropUnusedQueueKeys(db);
    },
    /** Ends the look-out for keys that other processes make. */
    stopWatchingKeys: keys.stop,
    sealedTexts: sealedTextsOf(cipher),
    secondFactors: secondFactorsOf(db, cipher),
    singleSignOn: singleSignOnIn(db, cipher),
    passkeys: { ...passkeysIn(db), passkeyCreation, passkeyRequest, createdPasskey, shownPasskey },
    timeCodes: {
      newTimeCodeSecret,
      timeCodeAddress,
      stepOfTimeCode,
      newRecoveryCodes,
      digestOfRecoveryCode,
    },
    stagedImports: stagedImportsOf(db, cipher, bufferTtlSeconds),
    csv: { read: readBirthsFile, write: writeCsv, digestOf: digestOfFile },
    drafts: draftsOf(db, cipher),
    dropExpiredDrafts: dropExpiredDraftsIn(db),
    handedOver: handedOverOf(db, cipher),
    dropExpiredHandedOver: dropExpiredHandedOverIn(db),
    launches: pendingLaunchesOf(db, cipher),
    dropExpiredLaunches: dropExpiredLaunchesIn(db),
    prefills: keptPrefillsOf(db, cipher),
    prefillReviews: prefillReviewsOf(db, cipher),
    usedForms: usedFormsIn(db),
    /** From where accounts have signed in. */
    signInPlaces: {
      isKnown: async (accountId: string, address: string) =>
        places.isKnown(await placeOf(accountId, address)),
      remember: async (accountId: string, address: string) =>
        places.remember(await placeOf(accountId, address)),
    },
    limiterStore: limiterStoreWith(hotDb, meters),
  };
};

/** @see openRegistry */
export type Registry = Awaited<ReturnType<typeof openRegistry>>;

/** The store of a limiter; requests that it cannot count are counted in the metrics. */
const limiterStoreWith =
  (hotDb: Db, meters: Meters) =>
  (name: LimiterName, windowMs: number): RateLimitStore => {
    const store = rateLimitStoreOf(hotDb, name, windowMs);
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
