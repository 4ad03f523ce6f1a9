import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import { addCheckpointKey, openCheckpointKey } from '../../adapters/event-log/checkpoint-keys.ts';
import {
  addFingerprintKey,
  openFingerprintKeys,
} from '../../adapters/event-log/registry-identity.ts';
import { IMPORT_TTL_HOURS } from '../../adapters/postgres/ephemeral/staged-imports.ts';
import {
  beginRotation,
  databaseTime,
  dropUnusedQueueKeys,
  settleRotation,
  whileRotating,
} from '../../adapters/postgres/keys/queue-keys.ts';
import { resealLastingRows } from '../../adapters/postgres/keys/reseal-rows.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { ReportProgress } from '../../domain/progress.ts';
import { formatVerifierKey } from '../../transparency-log/signed-note.ts';
import { UNNAMED_OPERATOR } from '../commands/command-context.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import { openRegistryKeys } from '../ports/registry-keys.ts';
import type { ServiceLog } from '../process/logging.ts';
import type { Settings } from '../settings/settings.ts';
import { type OpenStores, openLogAndDatabase } from '../stores/stores.ts';

/** The versions of the keys that are in force. */
export interface KeysRotated {
  /** It seals what is queued and kept for a while. */
  readonly queueKey: number;
  /** Fingerprints are hashed under it. */
  readonly hashKey: number;
  /** Checkpoints of the log are signed with it from now on. */
  readonly checkpointKey: string;
  /** Until then new records hold their fingerprints under the version before it too, ISO 8601. */
  readonly hashKeyAloneFrom: string;
  /** Older versions of the queue's key: something is, or may still be, sealed with each. */
  readonly olderQueueKeys: readonly number[];
}

const MS_IN_SECOND = 1_000;
const SECONDS_IN_HOUR = 3_600;
/** Longer than a process takes to pick up a new key and to finish hashing with the old one. */
const MARGIN_SECONDS = SECONDS_IN_HOUR;
/** That of the queue, that of the fingerprints, and that of the checkpoints. */
const KEYS = 3;

/**
 * Makes a new queue key, a new fingerprint key and a new key for checkpoints, whether services are
 * running or not. They pick them up within seconds, the last one with the next checkpoint. After an interruption the same command finishes the work; if two run at
 * once, the second finds it done.
 * @throws CommandRefused, WrongRegistrySecret
 */
export const rotateKeys = async (
  settings: Settings,
  serviceLog: ServiceLog,
  progress: ReportProgress = () => undefined,
): Promise<KeysRotated> => {
  const given = performance.now();
  const stores = await openLogAndDatabase(settings, 'command', serviceLog);
  try {
    // If two commands run at once, the second counts what was done since it started.
    const now = await databaseTime(stores.db);
    const since = new Date(now.getTime() - (performance.now() - given));
    return await whileRotating(stores.db, () => rotate(stores, settings, since, progress));
  } finally {
    await stores.close();
  }
};

const rotate = async (
  { db, log, secret: secretOf }: OpenStores,
  { bufferTtlSeconds, operator }: Settings,
  since: Date,
  progress: ReportProgress,
): Promise<KeysRotated> => {
  const made = (done: number) =>
    progress({ work: 'Making keys', done, total: KEYS, unit: 'keys', isEstimate: false });
  made(0);
  const secret = await secretOf();
  const newestInLog = async () => (await openFingerprintKeys(log.readStream, secret)).at(-1);
  const newest = await newestInLog();
  if (newest === undefined)
    throw new CommandRefused(
      'no-registry-in-log',
      'The log holds no registry yet. Start the service first.',
    );
  const keys = await openRegistryKeys({ db, log, secret }, () => undefined);
  keys.stop();
  const rotation = await beginRotation(db, secret, newest.version, since);
  made(1);
  const waitsSeconds = IMPORT_TTL_HOURS * SECONDS_IN_HOUR + bufferTtlSeconds + MARGIN_SECONDS;
  const aloneFrom = new Date(Date.now() + waitsSeconds * MS_IN_SECOND).toISOString();
  const actor: Actor = { kind: 'operator', id: operator ?? UNNAMED_OPERATOR };
  await addFingerprintKey(log, secret, { version: rotation.fingerprintKey, aloneFrom }, actor);
  made(2);
  await addCheckpointKey(log, secret, rotation.fingerprintKey, actor);
  made(KEYS);
  await keys.look();
  await resealLastingRows(db, createRowCipher(keys), (done, total) =>
    progress({
      work: 'Sealing lasting secrets again',
      done,
      total,
      unit: 'rows',
      isEstimate: false,
    }),
  );
  const olderQueueKeys = await dropUnusedQueueKeys(db);
  if (!rotation.isDone) await settleRotation(db, rotation);
  return {
    queueKey: rotation.queueKey,
    hashKey: rotation.fingerprintKey,
    checkpointKey: formatVerifierKey((await openCheckpointKey(log, secret)).verifier),
    hashKeyAloneFrom: (await newestInLog())?.aloneFrom ?? aloneFrom,
    olderQueueKeys,
  };
};
