import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { suite, type Test } from 'uvu';
import { type HostedPostgres, hostPostgres } from '../../../adapters/embedded-postgres/host.ts';
import { processScript } from '../../harness/built-service.ts';
import { eventually } from '../../harness/eventually.ts';
import { copyFreshCluster } from '../../harness/postgres.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../harness/temporary-directory.ts';

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

/** A child process that hosts Postgres, with every line it reported. */
export interface HostingProcess {
  readonly child: ChildProcess;
  readonly lines: Record<string, unknown>[];
  /** Waits for a line with the key. */
  reported(key: string, value?: unknown): Promise<Record<string, unknown>>;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a process that hosts Postgres on the directory.
 * @param environment variables beside those of this process
 * @param script the bundle that it runs
 */
export const startHostingProcess = (
  dataDir: string,
  environment: Record<string, string> = {},
  script = processScript('test/embedded-postgres/support/hosting-process.ts'),
): HostingProcess => {
  const child = spawn(process.execPath, [script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  running.add(child);
  const exited = once(child, 'exit').then(() => running.delete(child));
  const lines: Record<string, unknown>[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  const find = (key: string, value?: unknown) =>
    lines.find((line) => key in line && (value === undefined || line[key] === value));
  return {
    child,
    lines,
    reported: async (key, value) => {
      await eventually(
        `the process reports ${key} ${value ?? ''}`,
        () => find(key, value) !== undefined,
      );
      return find(key, value) ?? {};
    },
    end: async (signal) => {
      child.kill(signal);
      await exited;
    },
  };
};

/** The pid in the cluster's pid file, or null. */
export const postmasterPid = (dataDir: string): number | null => {
  try {
    const content = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    return Number(content.split('\n')[0]);
  } catch {
    return null;
  }
};

/** True while the process runs; one that has ended but was not reaped does not count. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    // Without /proc the signal alone has to do.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
};

/** Runs one statement on a connection of its own. */
export const query = async (
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** The names in the data directory. */
export const filesIn = (dataDir: string): string[] => readdirSync(dataDir).sort();
