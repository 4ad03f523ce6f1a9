import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ended } from '../throw-away/built-service.ts';

/** A script of the yardsticks in a process of its own; its first line is what it prints. */
export const startYardstick = (
  script: string,
  args: readonly string[],
): Promise<{ readonly line: string; stop(): Promise<void> }> =>
  new Promise((resolve, reject) => {
    const path = fileURLToPath(new URL(`./yardsticks/${script}`, import.meta.url));
    const child = spawn(process.execPath, [path, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}.`)));
    child.stdout.once('data', (line: Buffer) =>
      resolve({ line: line.toString().trim(), stop: () => ended(child) }),
    );
  });
