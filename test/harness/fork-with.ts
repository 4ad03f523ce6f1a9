import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a script in a process of its own and sends it a task.
 * @returns the process, and the one message that it answers with
 */
export const forkWith = <Answer>(
  script: URL,
  task: object,
): { readonly child: ChildProcess; readonly answer: Promise<Answer> } => {
  // A bundle runs without the loader that reads TypeScript.
  const child = fork(fileURLToPath(script), [], {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    child.once('message', (message) => {
      child.disconnect();
      resolve(message as Answer);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script.pathname} ended with ${code}.`)));
  });
  child.send(task);
  return { child, answer };
};
