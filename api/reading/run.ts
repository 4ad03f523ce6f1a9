import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { RequestProblem } from '../http/request-problem.ts';
import type { FromReading, ToReading } from './messages.ts';
import { ReadingTooCostly } from './read-pieces.ts';
import { runReadingTask } from './tasks.ts';

/** Lower than the threads that answer requests and write records. */
const NICE = 5;

const SLICE = 20;

/** One input at a time. @see createReader */
export const runReading = (): void => {
  const port = parentPort;
  if (port === null) throw new TypeError('Long inputs are read in a thread of their own.');
  // On Linux this concerns the calling thread only; elsewhere, the whole process.
  if (process.platform === 'linux') setPriority(NICE);
  const send = (message: FromReading): void => port.postMessage(message);
  let takeMore: () => void = () => undefined;
  /** Settles when the slice was taken: Node would hand over all waiting ones without a pause. */
  const sendSlice = (elements: readonly unknown[]): Promise<void> =>
    new Promise((resolve) => {
      takeMore = resolve;
      send({ kind: 'slice', elements });
    });
  port.on('message', async (task: ToReading) => {
    if (task.kind === 'more') {
      takeMore();
      return;
    }
    try {
      send(await sliceResult(await runReadingTask(task), sendSlice));
    } catch (error) {
      if (error instanceof RequestProblem) {
        const { status, code, diagnostics, expression, headers } = error;
        send({ kind: 'problem', problem: { status, code, diagnostics, expression, headers } });
      } else if (error instanceof ReadingTooCostly) {
        send({ kind: 'too-costly' });
      } else {
        const { name, stack = '' } = error instanceof Error ? error : { name: typeof error };
        send({ kind: 'fault', name, stack });
      }
    }
  });
};

/** @returns the message that ends the task */
const sliceResult = async (
  result: object,
  sendSlice: (elements: readonly unknown[]) => Promise<void>,
): Promise<FromReading> => {
  const [longest] = Object.entries(result)
    .filter((entry): entry is [string, readonly unknown[]] => Array.isArray(entry[1]))
    .sort(([, one], [, other]) => other.length - one.length);
  if (longest === undefined) return { kind: 'end', result, list: null };
  const [list, elements] = longest;
  for (let from = 0; from < elements.length; from += SLICE)
    await sendSlice(elements.slice(from, from + SLICE));
  return { kind: 'end', result: { ...result, [list]: [] }, list };
};
