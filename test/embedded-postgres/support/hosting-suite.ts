import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type Test } from 'uvu';
import { type HostedPostgres, hostPostgres } from '../../../adapters/embedded-postgres/host.ts';
import { copyFreshCluster } from '../../harness/postgres.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../harness/temporary-directory.ts';
import { isRunning, postmasterPid, query } from './processes.ts';

/** What each test gets: a data directory, hosts on it that are stopped afterwards, their log. */
export interface HostingContext {
  directory: TemporaryDirectory;
  dataDir: string;
  logged: Record<string, unknown>[];
  host(): Promise<HostedPostgres>;
}

/**
 * A suite in which each test has a data directory of its own.
 * @param dataDir whether it is missing, or holds a cluster that was never started
 */
export const hostingSuite = (name: string, dataDir: 'missing' | 'fresh'): Test<HostingContext> => {
  const test = suite<HostingContext>(name);
  const hosts: HostedPostgres[] = [];

  test.before.each(async (context) => {
    context.directory = temporaryDirectory('hosting');
    context.dataDir = join(context.directory.path, 'data');
    if (dataDir === 'fresh') {
      mkdirSync(context.dataDir);
      await copyFreshCluster(context.dataDir);
    }
    context.logged = [];
    context.host = async () => {
      const hosted = await hostPostgres({
        dataDir: context.dataDir,
        onLog: (line) => context.logged.push({ ...line }),
      });
      hosts.push(hosted);
      return hosted;
    };
  });

  test.after.each(async (context) => {
    await Promise.all(hosts.splice(0).map((hosted) => hosted.stop()));
    const left = postmasterPid(context.dataDir);
    if (left !== null && isRunning(left)) process.kill(left, 'SIGKILL');
    context.directory.remove();
  });
  return test;
};

/** The port in the address. */
export const portOf = (hosted: HostedPostgres): number => Number(new URL(hosted.url).port);

/** The pid of the postmaster, which is expected to run. */
export const pidOf = (dataDir: string): number => {
  const pid = postmasterPid(dataDir);
  if (pid === null) throw new Error('Postgres does not run');
  return pid;
};

/** True when the server takes a statement. */
export const answers = (hosted: HostedPostgres): Promise<boolean> =>
  query(hosted.url, 'select 1').then(
    () => true,
    () => false,
  );
