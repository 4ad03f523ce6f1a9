import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';

/** A Postgres of its own in a temporary directory. */
export interface ThrowAwayPostgres {
  readonly databaseUrl: string;
  /** A directory that is removed with it. */
  readonly directory: string;
  stop(): Promise<void>;
}

/**
 * Starts a Postgres that is removed when it is stopped.
 * @param name what its directory's name begins with
 */
export const startPostgres = async (name: string): Promise<ThrowAwayPostgres> => {
  const directory = await mkdtemp(join(tmpdir(), `${name}-`));
  // Postgres runs as a user of its own when this runs as root.
  await chmod(directory, 0o755);
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const { url, stop } = await hostPostgres({ dataDir: directory });
    return {
      databaseUrl: url,
      directory,
      async stop() {
        await stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
};
