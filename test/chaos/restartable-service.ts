import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ended, startBuiltService } from '../harness/built-service.ts';
import { freePort } from '../harness/ports.ts';
import { childrenOf } from '../harness/process-usage.ts';

/** What a process of the service does. */
export type Role = 'all' | 'api' | 'worker' | 'projector';

/** What can be killed. */
export type Victim = 'service' | 'postgres' | 'node';

/** @see startRestartableService */
export type RestartableService = Awaited<ReturnType<typeof startRestartableService>>;

const LAST_LINES = 60;
const EMBEDDED_NODE = 'node-process';

const JUMPING_CLOCK = new URL('./jumping-clock.mjs', import.meta.url);

/**
 * Starts the built service in a process of its own on a data directory, waits until it is ready,
 * and brings it back whatever of it is killed.
 * @param stores addresses of its stores, as settings; its own embedded ones if there are none
 * @param tree directory of the project that is built; this one without
 */
export const startRestartableService = async (
  dataDir: string,
  role: Role = 'all',
  stores: Readonly<Record<string, string>> = {},
  tree?: string,
) => {
  const port = await freePort();
  const clockFile = join(dataDir, `clock-${port}`);
  const clock = new URL(JUMPING_CLOCK);
  clock.searchParams.set('file', clockFile);
  const logFile = join(dataDir, `${role}-${port}.log`);
  const log = openSync(logFile, 'a');
  const service = await startBuiltService(
    dataDir,
    {
      ...stores,
      NODE_OPTIONS: `--import=${clock}`,
      PORT: String(port),
      ROLE: role,
      LOG_LEVEL: 'info',
    },
    log,
    tree,
  );

  const pidsOf = (victim: Victim): readonly number[] => {
    // One that could not be spawned has no number, and 0 would be this process and all beside it.
    const { pid } = service.child();
    const own = pid === undefined ? [] : [pid];
    switch (victim) {
      case 'service':
        return own;
      case 'node':
        return own.flatMap((pid) => childrenOf(pid, EMBEDDED_NODE));
      case 'postgres':
        return postmasterOf(dataDir);
    }
  };

  return {
    url: service.url,
    role,
    /** Ends one of its processes with SIGKILL; the service itself is started again at once. */
    kill(victim: Victim): void {
      for (const pid of pidsOf(victim)) signal(pid, 'SIGKILL');
      if (victim === 'service') service.restart();
    },
    /** Ends it with SIGKILL. @returns how to start it again */
    killUntilRestarted(): () => void {
      service.child().kill('SIGKILL');
      return service.restart;
    },
    /** Stops it or a part of it where it stands, and lets it go on. */
    freeze(victim: Victim = 'service') {
      const frozen = pidsOf(victim).flatMap((pid) =>
        victim === 'postgres' ? [pid, ...childrenOf(pid, '')] : [pid],
      );
      for (const pid of frozen) signal(pid, 'SIGSTOP');
      return {
        thaw() {
          for (const pid of frozen) signal(pid, 'SIGCONT');
        },
      };
    },
    /** Lets Postgres end its connections and stop, as an administrator would. */
    stopPostgres(): void {
      for (const pid of pidsOf('postgres')) signal(pid, 'SIGINT');
    },
    /** Puts the clocks of the service and its event log wrong until the next call. */
    setClocksWrong: (byMs: number): void => writeFileSync(clockFile, String(byMs)),
    /**
     * Stops it as an orchestrator does, and starts it again.
     * @param tree of another version; the same as before without
     * @returns how long it took to stop, ms
     */
    async roll(tree?: string): Promise<number> {
      const began = performance.now();
      await ended(service.child(), 'SIGTERM');
      const tookMs = performance.now() - began;
      service.restart(tree);
      return tookMs;
    },
    /** Waits until it is ready. @throws Error when it does not come back */
    ready: (): Promise<void> =>
      service.ready().catch((cause: unknown) => {
        const logs = [logFile, join(dataDir, 'postgres.log')].map(endOf).join('\n\n');
        throw new Error(`It did not come back.\n${logs}`, { cause });
      }),
    /** Runs an operator command beside it. */
    operator: service.operator,
    async stop(): Promise<void> {
      // A frozen one would not take the signal to end.
      service.child().kill('SIGCONT');
      await service.stop();
      closeSync(log);
    },
  };
};

/** Sends a signal to a process that may have ended meanwhile. */
const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** The last lines of a log that say more than that requests were refused. */
const endOf = (file: string): string =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => !line.includes('A request ended in a fault.'))
    .slice(-LAST_LINES)
    .join('\n');

/** The postmaster that the pid file of our own data directory names; none while it starts. */
const postmasterOf = (dataDir: string): readonly number[] => {
  try {
    const [pid] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return commandLine.includes(dataDir) ? [Number(pid)] : [];
  } catch {
    return [];
  }
};
