import { randomUUID } from 'node:crypto';
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
import { areQueueKeysOpenedBy } from '../../adapters/postgres/keys/queue-keys.ts';
import { acceptsEntries } from '../../adapters/postgres/outbox/access-log-outbox.ts';
import type { Export } from '../../domain/access-log/events.ts';
import type { ReportProgress } from '../../domain/progress.ts';
import { UNNAMED_OPERATOR } from '../commands/command-context.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import { createNoteAccess } from '../ports/note-access.ts';
import type { Settings } from '../settings/settings.ts';
import { requireRegistry } from '../stores/require-registry.ts';

/** A backup, in a directory or in an encrypted file, and whether it can be opened by itself. */
export type BackedUp = (Backup | ArchivedBackup) & {
  /** False: a restored service also needs the `REGISTRY_SECRET` of this one. */
  readonly holdsSecret: boolean;
};

/** No recipients given: the setting decides. */
const NOT_TYPED: Recipients = { listed: [], file: null };

/**
 * Copies everything that the service keeps in its data directory, log and tables at one moment,
 * whether it runs or not: encrypted into one file if there are recipients.
 * @param to a directory that does not exist yet, or is empty; a file that does not exist yet, or a
 *   directory for it, if there are recipients
 * @param typed recipients of the command line, which go before those of the setting
 * @throws CommandRefused when log or database are not in the data directory, or nothing is
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
      'The log or the database is not in DATA_DIR. Back both up with their own tools, the log last: docs/backup.md says how.',
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
    const backup =
      encrypter === null
        ? await backUpEmbedded(hosted.url, dataDir, to, onCopied)
        : await backUpEncrypted(hosted.url, dataDir, to, encrypter, onCopied);
    // One left behind by a rotation is there too, but opens nothing.
    const secret = await readSecretFile(dataDir);
    const holdsSecret =
      secret !== null &&
      (await isIdentityKeyOpenedBy(readStoredEvents(hosted.url), secret)) &&
      (await areQueueKeysOpenedBy(db, secret));
    return { ...backup, holdsSecret };
  } finally {
    await db.destroy();
    await hosted.stop();
  }
};

/** Noted before it is made: a copy that is not on record would be worse than one that failed. */
const noteBackup = async (db: Db, operator: string | null, what: Export): Promise<void> => {
  // A backup before an upgrade changes nothing in the database of the older build.
  if (!(await acceptsEntries(db))) return;
  const at = new Date().toISOString();
  await createNoteAccess(db)([
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
