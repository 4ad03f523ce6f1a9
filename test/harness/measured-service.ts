import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OperatorCommands, openCommands } from '../../api/composition/commands.ts';
import { readSettings, type Settings } from '../../api/composition/settings.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import {
  ended,
  type Operator,
  operatorWith,
  ready,
  spawnService,
  UNLIMITED,
} from './built-service.ts';
import { copyFreshCluster } from './cluster-template.ts';
import { freePort } from './ports.ts';
import { rssOf } from './process-usage.ts';

const PASS_THROUGH = 0o711; // the database's user must be able to enter

/** A directory that is gone afterwards. */
export const throwAwayDirectory = async (): Promise<{
  readonly path: string;
  remove(): Promise<void>;
}> => {
  const path = await mkdtemp(join(tmpdir(), 'birth-registry-bench-'));
  await chmod(path, PASS_THROUGH);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
};

/** The same, with a cluster as a first start leaves it. */
export const throwAwayCluster: typeof throwAwayDirectory = async () => {
  const directory = await throwAwayDirectory();
  await copyFreshCluster(directory.path);
  return directory;
};

/** The built service in a process of its own, as `npm start` runs it. */
export interface MeasuredService {
  readonly url: string;
  readonly settings: Settings;
  readonly commands: OperatorCommands;
  /** Seconds from the start of the process to the first `/health/ready` that says yes. */
  readonly readyAfter: number;
  /** The API's process. */
  readonly pid: number;
  /** Memory of the API's process that is in RAM, bytes. */
  rss(): number;
  /** Runs an operator command beside it. */
  readonly operator: Operator;
  stop(): Promise<void>;
}

/**
 * Starts the service on a data directory and waits until it is ready.
 * @param onLog takes what it logs and what goes to standard error; without, the log is dropped
 */
export const startService = async (
  dataDir: string,
  changes: Readonly<Record<string, string>> = {},
  onLog: ((text: string) => void) | null = null,
): Promise<MeasuredService> => {
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    RATE_LIMIT_PER_MINUTE: UNLIMITED,
    STAFF_SECOND_FACTOR: 'optional',
    LOG_LEVEL: 'warn',
    ...changes,
  };
  const settings = readSettings(env);
  const url = `http://127.0.0.1:${settings.port}`;
  const began = performance.now();
  const child = spawnService(
    env,
    onLog === null ? ['ignore', 'ignore', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  );
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => onLog?.(text.toString()));
  // Not left behind when this process ends early.
  const end = () => child.kill('SIGINT');
  process.once('exit', end);
  await ready(url, child);
  const readyAfter = (performance.now() - began) / 1_000;
  const commands = await openCommands(settings, openServiceLog('warn'));
  const pid = child.pid ?? 0;
  return {
    url,
    settings,
    commands,
    readyAfter,
    pid,
    rss: () => rssOf(pid),
    operator: operatorWith(env),
    async stop() {
      await commands.close();
      await ended(child);
      process.off('exit', end);
    },
  };
};
