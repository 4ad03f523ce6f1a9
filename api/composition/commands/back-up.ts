import { randomUUID } from 'node:crypto';
import { heldSecret } from '../../../adapters/crypto/keys.ts';
import { storedEventsIn } from '../../../adapters/embedded-eventstore/stored-events.ts';
import { type Backup, backUpEmbedded } from '../../../adapters/embedded-postgres/backup.ts';
import { hostPostgres } from '../../../adapters/embedded-postgres/host.ts';
import { isIdentityKeyOpenedBy } from '../../../adapters/eventstore/registry-identity.ts';
import { takesNotes } from '../../../adapters/postgres/access/noted-access.ts';
import { type Db, openDatabase } from '../../../adapters/postgres/connection/database.ts';
import { isQueueKeyOpenedBy } from '../../../adapters/postgres/queue/queue-key.ts';
import type { ReportProgress } from '../../../domain/progress.ts';
import { UNNAMED_OPERATOR } from '../../commands/command-context.ts';
import { CommandRefused } from '../../commands/command-refused.ts';
import { noteAccessIn } from '../../registry/note-access.ts';
import type { Settings } from '../settings.ts';
import { requireRegistry } from './require-registry.ts';

/** A backup, and whether it can be opened by itself. */
export interface BackedUp extends Backup {
  /** False: a restored service also needs the `REGISTRY_SECRET` of this one. */
  readonly holdsSecret: boolean;
}

/**
 * Copies everything that the service keeps in its data directory, log and tables at one moment,
 * whether it runs or not.
 * @param to a directory that does not exist yet, or is empty
 * @throws CommandRefused when log or database are not in the data directory, or nothing is
 */
export const backUp = async (
  settings: Settings,
  to: string,
  progress: ReportProgress = () => undefined,
): Promise<BackedUp> => {
  const { databaseUrl, eventstoreUrl, dataDir } = settings;
  if (databaseUrl !== null || eventstoreUrl !== null)
    throw new CommandRefused(
      'The log or the database is not in DATA_DIR. Back both up with their own tools, the log last: docs/backup.md says how.',
    );
  await requireRegistry(settings);
  const hosted = await hostPostgres({ dataDir });
  const db = openDatabase(hosted.url, 1);
  try {
    await noteBackup(db, settings.operator);
    const backup = await backUpEmbedded(hosted.url, dataDir, to, (done, total) =>
      progress({ work: 'Copying', done, total, unit: 'bytes', isEstimate: true }),
    );
    // One that a rotation has left behind is there too, and opens nothing.
    const secret = await heldSecret(backup.directory);
    const holdsSecret =
      secret !== null &&
      (await isIdentityKeyOpenedBy(storedEventsIn(hosted.url), secret)) &&
      (await isQueueKeyOpenedBy(db, secret));
    return { ...backup, holdsSecret };
  } finally {
    await db.destroy();
    await hosted.stop();
  }
};

/** Noted before it is made: a copy that is not on record would be worse than one that failed. */
const noteBackup = async (db: Db, operator: string | null): Promise<void> => {
  // A backup before an upgrade changes nothing in the database of the older build.
  if (!(await takesNotes(db))) return;
  const at = new Date().toISOString();
  await noteAccessIn(db)([
    {
      noteId: randomUUID(),
      event: {
        type: 'DataExported',
        data: { at, practiceId: null, what: 'backup', rows: null, filters: [] },
      },
      actor: { kind: 'operator', id: operator ?? UNNAMED_OPERATOR },
      correlationId: randomUUID(),
    },
  ]);
};
