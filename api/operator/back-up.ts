import { randomUUID } from 'node:crypto';
import { createBackupKey } from '../../adapters/crypto/backup-key.ts';
import { readSecretFile } from '../../adapters/crypto/keys.ts';
import { readStoredEvents } from '../../adapters/embedded-eventstore/store/stored-events.ts';
import {
  type ArchivedBackup,
  backUpEncrypted,
  createEncrypter,
  type Recipients,
} from '../../adapters/embedded-postgres/archive.ts';
import { type Backup, backUpEmbedded } from '../../adapters/embedded-postgres/backup.ts';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { isIdentityKeyOpenedBy } from '../../adapters/event-log/registry-identity.ts';
import {
  COMMAND_TIMEOUTS,
  type Db,
  openDatabase,
} from '../../adapters/postgres/connection/database.ts';
import { createWakeups, notifyOthers } from '../../adapters/postgres/connection/wakeups.ts';
import { areQueueKeysOpenedBy } from '../../adapters/postgres/keys/queue-keys.ts';
import { acceptsEntries } from '../../adapters/postgres/outbox/access-log-outbox.ts';
import type { Export } from '../../domain/access-log/events.ts';
import type { ReportProgress } from '../../domain/progress.ts';
import { UNNAMED_OPERATOR } from '../commands/command-context.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import { createNoteAccess } from '../ports/note-access.ts';
import type { Settings } from '../settings/settings.ts';
import { requireRegistry } from '../stores/require-registry.ts';

export type BackedUp = (Backup | ArchivedBackup) & {
  /** False if a restored service also needs the `REGISTRY_SECRET` of this one. */
  readonly holdsSecret: boolean;
};

/** The setting applies if the command line names no recipients. */
const NOT_TYPED: Recipients = { listed: [], file: null };

/**
 * As of one moment, even while the service runs; encrypted into one file if there are recipients.
 * @param to directory that does not exist or is empty; with recipients, a file that does not exist,
 * or a directory for it
 * @param typed recipients that override the setting
 * @throws CommandRefused if the log or the database is outside the data directory, or there is no
 * registry
 */
export const backUp = async (
  settings: Settings,
  to: string,
  progress: ReportProgress = () => undefined,
  typed: Recipients = NOT_TYPED,
): Promise<BackedUp> => {
  const { databaseUrl, eventstoreUrl, dataDir, backupRecipients } = settings;
  if (databaseUrl !== null || eventstoreUrl !== null)
    throw new CommandRefused(
      'kept-elsewhere',
      'The log or the database is not in DATA_DIR. Back up both with their own tools, the log last: docs/operate/back-up.md says how.',
    );
  await requireRegistry(settings);
  const encrypter =
    (await createEncrypter(typed)) ??
    (await createEncrypter({ listed: backupRecipients, file: null }));
  const hosted = await hostPostgres({ dataDir });
  const db = openDatabase(hosted.url, 1, COMMAND_TIMEOUTS);
  try {
    await noteBackup(db, settings.operator, encrypter === null ? 'backup' : 'encrypted-backup');
    const onCopied = (done: number, total: number) =>
      progress({ work: 'Copying', done, total, unit: 'bytes', isEstimate: true });
    const isSecret = async (secret: string | null): Promise<boolean> =>
      secret !== null &&
      (await isIdentityKeyOpenedBy(readStoredEvents(hosted.url), secret)) &&
      (await areQueueKeysOpenedBy(db, secret));
    const secretInUse = async (): Promise<string | null> => {
      const known = settings.registrySecret ?? (await readSecretFile(dataDir));
      return (await isSecret(known)) ? known : null;
    };
    let backup: Backup | ArchivedBackup;
    if (encrypter === null) backup = await backUpEmbedded(hosted.url, dataDir, to, onCopied);
    else {
      const secret = await secretInUse();
      const key = secret === null ? null : createBackupKey(secret);
      backup = await backUpEncrypted(hosted.url, dataDir, to, encrypter, key, onCopied);
    }
    // A rotation can leave an old secret file behind that opens nothing.
    const holdsSecret = await isSecret(await readSecretFile(dataDir));
    return { ...backup, holdsSecret };
  } finally {
    await db.destroy();
    await hosted.stop();
  }
};

/** Recorded first: a backup without an entry would be worse than a failed one. */
const noteBackup = async (db: Db, operator: string | null, what: Export): Promise<void> => {
  // A backup before an upgrade must not change the database of the older build.
  if (!(await acceptsEntries(db))) return;
  const at = new Date().toISOString();
  const wakeups = createWakeups();
  notifyOthers(db, wakeups);
  await createNoteAccess(db, () => wakeups.emit('noted'))([
    {
      noteId: randomUUID(),
      event: {
        type: 'DataExported',
        data: { at, practiceId: null, what, rows: null, filters: [] },
      },
      actor: { kind: 'operator', id: operator ?? UNNAMED_OPERATOR },
      correlationId: randomUUID(),
    },
  ]);
};
