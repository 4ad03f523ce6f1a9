import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { HostMessage, NodeMessage } from './node-messages.ts';
import { readOrCreateNodePassword } from './password.ts';
import { buildAuthorization } from './protocol/authorization.ts';
import { findLockHolder, type HostKind, type LockHolder, withClient } from './store/connections.ts';
import { describeError } from './store/errors.ts';

const WAIT_MS = 30_000;
const POLL_MS = 100;
const MAX_PROBE_INTERVAL_MS = 500;
const STOP_MS = 6_000;
const RESTART_MIN_MS = 50;
const RESTART_MAX_MS = 5_000;
const PROBE_MS = 1_000;

interface HostOptions {
  readonly databaseUrl: string;
  /** Loopback port without authentication. If omitted: a password, and the last port or any free one. */
  readonly port?: number;
  /** Directory where `eventstore.json` stores the port. */
  readonly dataDir: string;
  /** A command uses the node of a running service. A command's node is never shared; others wait. */
  readonly hostKind: HostKind;
  readonly onLog?: (line: object) => void;
}

export interface EmbeddedEventStore {
  /** `esdb://127.0.0.1:PORT?tls=false` */
  readonly connectionString: string;
  /** Header `authorization` for every call. A secret. */
  readonly authorization: string;
  readonly port: number;
  /** Stops the node if this process hosts it. Always finishes, with SIGKILL if necessary. */
  stop(): Promise<void>;
}

export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536;

const getAddressFile = (dataDir: string): string => join(dataDir, 'eventstore.json');

const readPort = async (dataDir: string): Promise<number> => {
  try {
    const content: unknown = JSON.parse(await readFile(getAddressFile(dataDir), 'utf8'));
    const port = typeof content === 'object' && content !== null && 'port' in content;
    return port && isPort(content.port) ? content.port : 0;
  } catch {
    return 0; // The first start or a damaged file: use any port.
  }
};

const rememberAddress = async (
  dataDir: string,
  address: { pid: number; port: number; holder: HostKind },
): Promise<void> => {
  await mkdir(dataDir, { recursive: true });
  const temporary = `${getAddressFile(dataDir)}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(address)}\n`);
  await rename(temporary, getAddressFile(dataDir));
};

const probe = (databaseUrl: string): Promise<LockHolder | null> =>
  withClient(databaseUrl, findLockHolder);

/** @throws EventStoreUnavailable if the database does not respond */
const queryDatabase = async <T>(
  { databaseUrl, onLog }: HostOptions,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  try {
    return await withClient(databaseUrl, ask);
  } catch (cause) {
    onLog?.({ level: 'warn', event: 'probe-failed', ...describeError(cause) });
    throw new EventStoreUnavailable(
      'The database of the embedded event log does not answer. Check DATABASE_URL, and that Postgres runs.',
      { cause },
    );
  }
};

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_MS, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });

// Inherits loaders (tsx), but no options that run or debug the parent's own program.
const buildChildArguments = (): string[] => {
  const options: string[] = [];
  const inherited = [...process.execArgv];
  for (let argument = inherited.shift(); argument !== undefined; argument = inherited.shift()) {
    if (/^(?:-e|-p|-pe|--eval|--print|--input-type)$/u.test(argument)) inherited.shift();
    else if (!/^(?:--inspect|--eval=|--print=|--input-type=|--watch|--test)/u.test(argument)) {
      options.push(argument);
    }
  }
  return options;
};

// The node needs the settings of Node and Postgres, but none of the service's secrets.
const buildChildEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(?:PATH|HOME|USER|TZ|LANG|LC_.*|TMPDIR|MALLOC_ARENA_MAX|TEMP|TMP|SystemRoot|PG.*|NODE_.*|TSX_.*)$/u.test(
        name,
      ),
    ),
  ),
  // The node itself reports what gRPC would print to stderr.
  GRPC_VERBOSITY: 'NONE',
});

const forkNode = (): ChildProcess =>
  fork(fileURLToPath(new URL(`./node-process${extname(import.meta.url)}`, import.meta.url)), [], {
    execArgv: buildChildArguments(),
    env: buildChildEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

/** @throws EventStoreUnavailable if the system refuses a new process and Node throws right away */
const startProcess = (): ChildProcess => {
  try {
    return forkNode();
  } catch (cause) {
    throw createStartError(cause);
  }
};

const createStartError = (cause: unknown): EventStoreUnavailable =>
  new EventStoreUnavailable(
    'The embedded event log cannot be started. Check the memory and the processes that the system allows, then start again.',
    { cause },
  );

const sendToNode = (child: ChildProcess, message: HostMessage): void => {
  if (child.connected) child.send(message, () => undefined);
};

type FirstWord = { readonly kind: 'listening'; readonly port: number } | { readonly kind: 'busy' };

class HostedNode {
  readonly #options: HostOptions;
  readonly #authorization: string;
  #child: ChildProcess | null = null;
  #isStopping = false;
  #restartMs = RESTART_MIN_MS;
  #timer: NodeJS.Timeout | null = null;
  #port: number;

  /** @param port of another service's node that this one is to replace */
  constructor(options: HostOptions, authorization: string, port = 0) {
    this.#options = options;
    this.#authorization = authorization;
    this.#port = port;
  }

  get port(): number {
    return this.#port;
  }

  /** Starts the node. Returns false if another node has the lock. */
  async start(port: number, isPortFixed: boolean): Promise<boolean> {
    const { databaseUrl, hostKind, dataDir } = this.#options;
    const child = startProcess();
    this.#child = child;
    const word = await new Promise<FirstWord>((resolve, reject) => {
      child.on('message', (message: NodeMessage) => {
        if (message.kind === 'listening' || message.kind === 'busy') resolve(message);
        else if (message.kind === 'log') this.#log(message.line);
        else {
          const { error, code } = message;
          const reason = code === undefined ? error : `${error} ${code}`;
          this.#log({ level: 'error', event: 'node-failed', error, code });
          reject(
            new EventStoreUnavailable(
              `The embedded event log does not start: ${reason}. Check the database that it is kept in, then start again.`,
            ),
          );
        }
      });
      child.on('error', (cause) => {
        // Without a pid there is no process, and no exit event either.
        if (child.pid === undefined) this.#child = null;
        reject(createStartError(cause));
      });
      child.once('exit', (code, signal) => {
        if (this.#child === child) this.#child = null;
        reject(
          new EventStoreUnavailable('The embedded event log ended while it started. Start again.'),
        );
        if (this.#port === 0 || this.#isStopping) return;
        this.#log({
          level: 'warn',
          event: 'node-died',
          code,
          signal,
          restartInMs: this.#restartMs,
        });
        this.startLater();
      });
      // Sent over IPC, because all accounts can read a process's arguments.
      const authorization = this.#options.port === undefined ? this.#authorization : null;
      sendToNode(child, { kind: 'start', databaseUrl, hostKind, authorization, port, isPortFixed });
    });
    if (word.kind === 'busy') return false;
    this.#port = word.port;
    this.#restartMs = RESTART_MIN_MS;
    await rememberAddress(dataDir, { pid: child.pid ?? 0, port: word.port, holder: hostKind });
    this.#log({ level: 'info', event: 'node-listening', port: word.port, pid: child.pid });
    return true;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      child.once('exit', () => {
        clearTimeout(killer);
        resolve();
      });
      sendToNode(child, { kind: 'stop' });
    });
  }

  /** Starts the node on the same port once no other has the lock. */
  startLater(maxDelayMs = RESTART_MAX_MS): void {
    const delayMs = Math.min(this.#restartMs, maxDelayMs);
    this.#restartMs = Math.min(delayMs * 2, RESTART_MAX_MS);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#startWhenFree();
    }, delayMs);
  }

  async #startWhenFree(): Promise<void> {
    // A query is cheaper than a process that finds the lock taken or the database unavailable.
    const isFree = await probe(this.#options.databaseUrl).then(
      (found) => found === null,
      () => false,
    );
    if (this.#isStopping) return;
    if (!isFree) this.startLater(MAX_PROBE_INTERVAL_MS);
    else await this.start(this.#port, true).catch(() => this.#startLaterWithoutChild());
  }

  /** Schedules a restart unless a process exists, whose exit schedules it. */
  #startLaterWithoutChild(): void {
    if (this.#child !== null || this.#timer !== null || this.#isStopping) return;
    this.#log({ level: 'warn', event: 'node-not-started', restartInMs: this.#restartMs });
    this.startLater();
  }

  #log(line: object): void {
    this.#options.onLog?.(line);
  }
}

const asStore = (
  port: number,
  authorization: string,
  stop: () => Promise<void>,
): EmbeddedEventStore => ({
  connectionString: `esdb://127.0.0.1:${port}?tls=false`,
  authorization,
  port,
  stop,
});

/** The advisory lock in Postgres decides if one is running. @throws EventStoreUnavailable after 30 s */
export const hostEventStore = async (options: HostOptions): Promise<EmbeddedEventStore> => {
  const { dataDir, hostKind } = options;
  const deadline = Date.now() + WAIT_MS;
  let isWaiting = false;
  for (;;) {
    const { authorization, found } = await queryDatabase(options, async (client) => ({
      authorization: buildAuthorization(await readOrCreateNodePassword(client)),
      found: await findLockHolder(client),
    }));
    if (found === null) {
      const node = new HostedNode(options, authorization);
      const port = options.port ?? (await readPort(dataDir));
      try {
        if (await node.start(port, options.port !== undefined)) {
          return asStore(node.port, authorization, () => node.stop());
        }
      } catch (cause) {
        await node.stop();
        throw cause;
      }
    } else if (found.address?.hostKind === 'service' && (await isListening(found.address.port))) {
      const { port } = found.address;
      if (hostKind === 'command') return asStore(port, authorization, async () => undefined);
      const node = new HostedNode(options, authorization, port);
      node.startLater();
      return asStore(port, authorization, () => node.stop());
    }
    if (Date.now() >= deadline) {
      throw new EventStoreUnavailable(
        'Another process has held the embedded event log for 30 s. Stop it, or wait until it is ready, then start again.',
      );
    }
    if (!isWaiting) options.onLog?.({ level: 'info', event: 'waiting-for-node' });
    isWaiting = true;
    await delay(POLL_MS);
  }
};
