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

export interface KeysRotated {
  readonly queueKey: number;
  readonly hashKey: number;
  readonly checkpointKey: string;
  /** ISO 8601. Until then, new records also contain fingerprints under the previous key. */
  readonly hashKeyAloneFrom: string;
  /** Data is, or may be, sealed with these. */
  readonly olderQueueKeys: readonly number[];
}

const MS_IN_SECOND = 1_000;
const SECONDS_IN_HOUR = 3_600;
/** Longer than a process needs to load a new key and finish hashing with the old one. */
const MARGIN_SECONDS = SECONDS_IN_HOUR;
const KEYS = 3;

/**
 * Services load the keys within half a minute, the checkpoint key with the next checkpoint. Run
 * again, it finishes an interrupted rotation; a concurrent command finds the work done.
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
    // A rotation since this moment came from a concurrent command and counts as this one.
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
