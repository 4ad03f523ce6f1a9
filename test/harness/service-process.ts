import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { WritePathStep } from '../../api/process/failpoint.ts';
import { processScript } from './built-service.ts';
import { testEnvironment } from './service.ts';

/** The step after which a service dies, and how many times that step goes well before. */
export interface DiesAfter {
  readonly step: WritePathStep | 'never';
  readonly after: number;
}

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the process has ended, however. */
  readonly ended: Promise<void>;
  /** Has it die later on; the steps until then do not count. */
  diesAfter(dies: DiesAfter): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a service and waits until it is ready. */
export const startServiceProcess = async (
  dataDir: string,
  port: number,
  dies: DiesAfter = { step: 'never', after: 0 },
  changes: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> => {
  const script = processScript('test/harness/dying-process.ts');
  const environment = testEnvironment(dataDir, { PORT: String(port), ...changes });
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(
      process.execPath,
      [script, JSON.stringify(environment), dies.step, String(dies.after)],
      { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
    );
    const ended = new Promise<void>((done) => {
      child.once('exit', () => done());
    });
    const running = {
      pid: child.pid ?? 0,
      ended,
      kill: (signal: NodeJS.Signals) => void child.kill(signal),
      async diesAfter(later: DiesAfter) {
        const told = once(child, 'message');
        child.send(later);
        await told;
      },
    };
    child.once('error', reject);
    // It may die at a step of its start: then there is nothing to wait for.
    void ended.then(() => resolve({ ...running, url: '' }));
    child.stdout?.once('data', (line: Buffer) =>
      resolve({ ...running, url: line.toString().trim() }),
    );
  });
};
