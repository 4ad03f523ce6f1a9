import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { RequestProblem } from '../http/request-problem.ts';
import type { FromReading } from './messages.ts';
import { type ReadingTask, runReadingTask } from './tasks.ts';

/** Lower than the threads that answer requests and write records. */
const PRIORITY = 5;

/** Number of list elements in one message. */
const SLICE = 20;

/** Reads long inputs in the calling thread, one at a time. @see createReader */
export const runReading = (): void => {
  const port = parentPort;
  if (port === null) throw new TypeError('Long inputs are read in a thread of their own.');
  // On Linux this concerns the calling thread only; elsewhere, the whole process.
  if (process.platform === 'linux') setPriority(PRIORITY);
  const send = (message: FromReading): void => port.postMessage(message);
  port.on('message', async (task: ReadingTask) => {
    try {
      sendResult(send, await runReadingTask(task));
    } catch (error) {
      if (error instanceof RequestProblem) {
        const { status, code, diagnostics, expression, headers } = error;
        send({ kind: 'problem', problem: { status, code, diagnostics, expression, headers } });
      } else {
        const { name, stack = '' } = error instanceof Error ? error : { name: typeof error };
        send({ kind: 'fault', name, stack });
      }
    }
  });
};

const sendResult = (send: (message: FromReading) => void, result: object): void => {
  const [longest] = Object.entries(result)
    .filter((entry): entry is [string, readonly unknown[]] => Array.isArray(entry[1]))
    .sort(([, one], [, other]) => other.length - one.length);
  if (longest === undefined) {
    send({ kind: 'end', result, list: null });
    return;
  }
  const [list, elements] = longest;
  for (let from = 0; from < elements.length; from += SLICE)
    send({ kind: 'slice', elements: elements.slice(from, from + SLICE) });
  send({ kind: 'end', result: { ...result, [list]: [] }, list });
};
