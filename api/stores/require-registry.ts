import { holdsCluster } from '../../adapters/embedded-postgres/cluster.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * Otherwise, on a newly created Postgres, a backup or verification would succeed without checking
 * anything. Changes nothing on disk. @throws CommandRefused, EmbeddedPostgresFailed
 */
export const requireRegistry = async ({
  databaseUrl,
  dataDir,
}: Pick<Settings, 'databaseUrl' | 'dataDir'>): Promise<void> => {
  if (databaseUrl !== null || (await holdsCluster(dataDir))) return;
  throw new CommandRefused(
    'no-registry-in-directory',
    `DATA_DIR ${dataDir} holds no registry. Set DATA_DIR as the service has it; a new registry begins with \`npm start\`, \`practice create\`, \`partner create\` or \`staff add\`.`,
  );
};
