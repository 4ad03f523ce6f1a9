import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import { COMMAND_FLAGS } from '../../scripts/node-flags.ts';
import { runPush } from '../../scripts/push/run-push.ts';
import { type CapturedRun, captureRun } from './captured-run.ts';
import type { TestService } from './service.ts';

/** A process of `birth-registry push`. */
export interface PushRun {
  readonly child: ChildProcess;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

const REGISTRY = fileURLToPath(new URL('../../scripts/registry.mjs', import.meta.url));

/** Starts `birth-registry push`, as npx does. @param cwd where the outbox of standard input is kept */
export const startPush = (args: readonly string[], standardInput = '', cwd?: string): PushRun => {
  const child = spawn(process.execPath, [...COMMAND_FLAGS, REGISTRY, 'push', ...args], { cwd });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString();
  });
  child.stdin.end(standardInput);
  return {
    child,
    ended: new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    }),
  };
};

/** Runs `birth-registry push` in this process, where no signal stops it. */
export const pushHere = (args: readonly string[], standardInput = ''): Promise<CapturedRun> =>
  captureRun((streams) =>
    runPush({
      args,
      environment: process.env,
      stdin: Readable.from([Buffer.from(standardInput)]),
      createStopSignal: () => new AbortController().signal,
      ...streams,
    }),
  );

/** What a front does with a request instead of passing it on: `lose` drops the answer. */
export type FrontFault = 200 | 404 | 429 | 503 | 'cut' | 'lose' | null;

/** A server before a registry. */
export interface Front {
  readonly url: string;
  /** Requests that came, by method. */
  readonly seen: { POST: number; GET: number };
  close(): void;
}

/** Starts a server that passes requests on to a registry, but for those that `faultOf` picks. */
export const startFront = async (
  target: string,
  faultOf: (number: number, method: string) => FrontFault,
): Promise<Front> => {
  const seen = { POST: 0, GET: 0 };
  let number = 0;
  const server: Server = createServer((req, res) => {
    number += 1;
    const method = req.method === 'POST' ? 'POST' : 'GET';
    seen[method] += 1;
    const fault = faultOf(number, method);
    if (fault === 'cut') {
      req.socket.destroy();
      return;
    }
    if (typeof fault === 'number') {
      req.resume();
      // 0 s: a registry says 1 at least.
      res.writeHead(fault, fault === 429 ? { 'Retry-After': '0' } : {}).end('<h1>Later</h1>');
      return;
    }
    const onward = request(
      `${target}${req.url ?? ''}`,
      { method: req.method, headers: req.headers },
      (answer) => {
        if (fault === 'lose') {
          answer.resume();
          res.destroy();
          return;
        }
        res.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(res);
      },
    );
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** How many ingestions and records a practice has. */
export const countPushed = async (
  { settings }: TestService,
  practiceId: string,
): Promise<{ readonly ingestions: number; readonly records: number }> => {
  const stores = await openStores(settings, 'command', openServiceLog('silent'));
  const { rows } = await sql<{ ingestions: number; records: number }>`
    select
      (select count(*)::integer from read.ingestion where practice_id = ${practiceId}) as ingestions,
      (select count(*)::integer from read.birth_record where practice_id = ${practiceId}) as records`.execute(
    stores.db,
  );
  await stores.close();
  return rows[0] ?? { ingestions: 0, records: 0 };
};
