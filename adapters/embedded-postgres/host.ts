import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, prepareCluster } from './cluster.ts';
import { EmbeddedPostgresFailed } from './embedded-postgres-failed.ts';
import {
  findFreePort,
  findPostmaster,
  startPostmaster,
  stopPostmaster,
  trimLog,
} from './postmaster.ts';
import { acquireServer, buildUrl, type ServerRef } from './shared-server.ts';

/** Postgres that runs at least until `stop()`. We restart it if it dies. */
export interface HostedPostgres {
  /** `postgres://user:password@127.0.0.1:PORT/registry`. A new port only if this one gets occupied. */
  readonly url: string;
  /** Releases the server; the last process to release it stops it. Safe to call twice. */
  stop(): Promise<void>;
}

type OnLog = (line: object) => void;

/** Maximum time for a start, including crash recovery. */
const startMs = 120_000;
/** A postmaster that does not respond for this long counts as hung. */
const hungAfterMs = 15_000;
/** Time that a restart insists on its old port, which the service's connection pools use. */
const samePortMs = 5_000;
const retryMs = 50;
const restartMs = 250;
const longestBackoffMs = 5_000;
const trimLogEveryMs = 60_000;

/** Joins a Postgres that another process runs or a killed one left. @throws EmbeddedPostgresFailed */
export const hostPostgres = async (options: {
  dataDir: string;
  onLog?: OnLog;
  onNotice?: (sentence: string) => void;
  signal?: AbortSignal | undefined;
}): Promise<HostedPostgres> => {
  const onLog = options.onLog ?? (() => undefined);
  const cluster = await prepareCluster(options.dataDir, options.signal);
  if (cluster.binaries.isCopy) {
    options.onNotice?.(
      `Postgres runs from a copy in ${dirname(dirname(cluster.binaries.postgres))}: its user cannot reach the one in node_modules. Its data stay in ${cluster.dir}.`,
    );
  }
  await trimLog(cluster);
  const stopping = new AbortController();
  let serverRef = await obtainServer(cluster, null, onLog, stopping.signal);
  let port = serverRef.port;

  const supervise = async (): Promise<void> => {
    let backoffMs = 0;
    for (;;) {
      await Promise.race([serverRef.lost, waitForAbort(stopping.signal)]);
      if (stopping.signal.aborted) return;
      onLog({ msg: 'embedded Postgres is gone, starting it again', port });
      const lostAt = Date.now();
      for (;;) {
        await sleep(backoffMs, undefined, { signal: stopping.signal }).catch(() => undefined);
        if (stopping.signal.aborted) return;
        backoffMs = Math.min(Math.max(backoffMs * 2, 100), longestBackoffMs);
        try {
          serverRef = await obtainServer(cluster, port, onLog, stopping.signal);
          break;
        } catch (error) {
          if (stopping.signal.aborted) return;
          onLog({ msg: 'embedded Postgres does not come back, trying again', err: error });
        }
      }
      if (serverRef.port !== port) {
        onLog({
          msg: 'embedded Postgres had to change its port',
          from: port,
          port: serverRef.port,
        });
        port = serverRef.port;
      }
      onLog({ msg: 'embedded Postgres is back', port, elapsedMs: Date.now() - lostAt });
      // A server that ran for a while resets the backoff.
      const backSince = Date.now();
      void serverRef.lost.then(() => {
        if (Date.now() - backSince > 60_000) backoffMs = 0;
      });
    }
  };
  const supervision = supervise();
  const trimming = setInterval(
    () => void trimLog(cluster).catch((err) => onLog({ msg: 'cannot trim the log', err })),
    trimLogEveryMs,
  ).unref();

  const stop = async (): Promise<void> => {
    stopping.abort();
    clearInterval(trimming);
    await supervision;
    let result = await serverRef.release(() => stopRunning(cluster));
    if (result === 'lost') {
      // Maybe only our connection died, or a restart was in progress. Only we would stop it now.
      const running = await findPostmaster(cluster);
      const again = running === null ? null : await acquireServer(cluster, running.port);
      if (typeof again === 'object' && again !== null) {
        result = await again.release(() => stopRunning(cluster));
      }
    }
    onLog({ msg: 'embedded Postgres given up', result });
  };
  let stopped: Promise<void> | undefined;

  return {
    get url() {
      return buildUrl(cluster, port);
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const stopRunning = async (cluster: Cluster): Promise<void> => {
  const running = await findPostmaster(cluster);
  if (running !== null) await stopPostmaster(cluster, running.pid);
};

/** In a loop: other processes may be starting or stopping the server right now. */
const obtainServer = async (
  cluster: Cluster,
  knownPort: number | null,
  onLog: OnLog,
  signal: AbortSignal,
): Promise<ServerRef> => {
  const begun = Date.now();
  const deadline = begun + startMs;
  const preferredPort = knownPort ?? (await readPort(cluster));
  let port = preferredPort ?? (await findFreePort());
  let quietSince = { pid: 0, at: begun };
  let isStartedByUs = false;
  while (Date.now() < deadline && !signal.aborted) {
    const running = await findPostmaster(cluster);
    if (running === null) {
      const startedAt = Date.now();
      const outcome = await startPostmaster(cluster, port, deadline);
      if (outcome === 'started') {
        isStartedByUs = true;
        await keepPort(cluster, port);
        onLog({ msg: 'embedded Postgres started', port, elapsedMs: Date.now() - startedAt });
        continue;
      }
      if (outcome === 'port-taken' && (preferredPort === null || Date.now() - begun > samePortMs)) {
        const taken = port;
        port = await findFreePort();
        onLog({ msg: 'the port of the embedded Postgres is taken, choosing another', taken, port });
        continue;
      }
      await sleep(restartMs);
      continue;
    }
    const requestedAt = Date.now();
    const serverRef = await acquireServer(cluster, running.port).catch(async (error: unknown) => {
      if (isStartedByUs) await stopRunning(cluster); // of no use to any process
      throw error;
    });
    if (typeof serverRef === 'object') {
      onLog({ msg: 'using embedded Postgres', pid: running.pid, port: running.port });
      return serverRef;
    }
    const isSilent = serverRef === 'silent' && running.status !== 'stopping';
    if (!isSilent || quietSince.pid !== running.pid) {
      quietSince = { pid: running.pid, at: isSilent ? requestedAt : Date.now() };
    }
    if (isSilent && Date.now() - quietSince.at >= hungAfterMs) {
      onLog({ msg: 'stopping an embedded Postgres that does not answer', pid: running.pid });
      await stopPostmaster(cluster, running.pid, { force: true });
    }
    await sleep(retryMs);
  }
  throw new EmbeddedPostgresFailed(
    `The Postgres in ${cluster.dir} accepted no connection for ${startMs / 1000} s (starting, stopping, or all of its connections in use). See ${cluster.logFile}, then start again.`,
  );
};

const getPortFile = (cluster: Cluster): string => join(dirname(cluster.dir), 'postgres-port');

/** `null` if unknown. A restart reuses it because other processes connect to this port. */
const readPort = async (cluster: Cluster): Promise<number | null> => {
  const content = await readFile(getPortFile(cluster), 'utf8').catch(() => '');
  const port = Number(content);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
};

/** Saves the port for the next start. A full disk must not prevent this start. */
const keepPort = async (cluster: Cluster, port: number): Promise<void> => {
  await writeFile(getPortFile(cluster), String(port), { mode: 0o600 }).catch(() => undefined);
};
