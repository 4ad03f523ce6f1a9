import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type Backup, backUpEmbedded } from '../../adapters/embedded-postgres/backup.ts';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import type { Settings } from './settings.ts';

/** A backup, and whether it can be opened by itself. */
export interface BackedUp extends Backup {
  /** False: a restored service also needs the `REGISTRY_SECRET` of this one. */
  readonly holdsSecret: boolean;
}

/**
 * Copies everything that the service keeps in its data directory, log and tables at one moment,
 * whether it runs or not.
 * @param to a directory that does not exist yet, or is empty
 * @throws CommandRefused when log or database are not in the data directory
 */
export const backUp = async (settings: Settings, to: string): Promise<BackedUp> => {
  const { databaseUrl, eventstoreUrl, dataDir } = settings;
  if (databaseUrl !== null || eventstoreUrl !== null)
    throw new CommandRefused(
      'Log or database are not in DATA_DIR: back them up with their own tools, the log last. See docs/backup.md.',
    );
  const hosted = await hostPostgres({ dataDir });
  try {
    const backup = await backUpEmbedded(hosted.url, dataDir, to);
    const holdsSecret = await access(join(backup.directory, 'registry-secret')).then(
      () => true,
      () => false,
    );
    return { ...backup, holdsSecret };
  } finally {
    await hosted.stop();
  }
};
