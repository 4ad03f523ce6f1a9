import { type ChildProcess, spawn } from 'node:child_process';
import { processScript } from './process-scripts.ts';
import { testEnvironment } from './service.ts';

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the process has ended, however. */
  readonly ended: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts a service and waits until it is ready.
 * @param dies the step after which it kills itself, and how many times that step goes well before
 */
export const startServiceProcess = async (
  dataDir: string,
  port: number,
  dies: { readonly step: string; readonly after: number } = { step: 'never', after: 0 },
): Promise<ServiceProcess> => {
  const script = processScript('test/support/dying-service.ts');
  const environment = testEnvironment(dataDir, { PORT: String(port) });
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(
      process.execPath,
      [script, JSON.stringify(environment), dies.step, String(dies.after)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const ended = new Promise<void>((done) => {
      child.once('exit', () => done());
    });
    const kill = (signal: NodeJS.Signals) => void child.kill(signal);
    child.once('error', reject);
    // It may die at a step of its start: then there is nothing to wait for.
    void ended.then(() => resolve({ url: '', pid: child.pid ?? 0, ended, kill }));
    child.stdout?.once('data', (line: Buffer) =>
      resolve({ url: line.toString().trim(), pid: child.pid ?? 0, ended, kill }),
    );
  });
};
