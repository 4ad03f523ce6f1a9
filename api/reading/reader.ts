import { Worker } from 'node:worker_threads';
import { RequestProblem } from '../http/request-problem.ts';
import type { FromReading, ToReading } from './messages.ts';
import { ReadingTooCostly, TOO_MUCH_MEMORY } from './read-pieces.ts';
import { type ReadingResults, type ReadingTask, runReadingTask } from './tasks.ts';

export interface Reader {
  /**
   * Owners take turns. @param owner practice or EHR
   * @throws RequestProblem for a refused body; ReadingTooCostly, ReaderBusy
   */
  readonly read: <Task extends ReadingTask>(
    owner: string,
    task: Task,
  ) => Promise<ReadingResults[Task['kind']]>;
  readonly stop: () => Promise<void>;
}

/** Other inputs are read first, and the sender should not wait for all of them. */
export class ReaderBusy extends Error {
  override readonly name = 'ReaderBusy';
}

export class ReadingFailed extends Error {
  override readonly name = 'ReadingFailed';
}

/** For tests, and for processes without other requests. */
export const createReaderInThisThread = (): Reader => ({
  read: <Task extends ReadingTask>(_owner: string, task: Task) =>
    runReadingTask(task) as Promise<ReadingResults[Task['kind']]>,
  stop: async () => undefined,
});

const LIMITS = {
  /** Beyond its heap V8 ends the thread, and not the process. */
  heapMib: 512,
  /** Real inputs of the largest size take a fraction of this, on a busy machine too. */
  readingMs: 15_000,
  /** Together with the wait for memory (see shares.ts), shorter than the timeouts of senders. */
  waitingMs: 5_000,
};

/** An idle thread would keep its memory. */
const IDLE_MS = 60_000;

interface Queued {
  readonly task: ReadingTask;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly tooLate: NodeJS.Timeout;
}

/**
 * The thread starts with the first input and ends when idle. It reads one input at a time, to limit
 * its memory.
 * @param script runs `runReading`
 */
export const createReader = (
  script: URL,
  { heapMib, readingMs, waitingMs }: Readonly<typeof LIMITS> = LIMITS,
): Reader => {
  const queues = new Map<string, Queued[]>();
  let thread: Worker | null = null;
  let isReading = false;
  let isStopped = false;
  let idle: NodeJS.Timeout | undefined;

  const startThread = (): Worker => {
    const started = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: heapMib } });
    started.unref();
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (thread === started) thread = null;
    });
    return started;
  };

  const endThread = async (): Promise<void> => {
    const ending = thread;
    thread = null;
    await ending?.terminate();
  };

  // The first in line of the owner whose turn it is; the owner then waits behind the others. A
  // clinician is waiting for a chart; the user of a file sees a progress page.
  const takeNext = (): Queued | null =>
    takeFirst(({ task }) => task.kind === 'chart') ??
    takeFirst(({ task }) => task.kind !== 'file') ??
    takeFirst(() => true);

  const takeFirst = (predicate: (queued: Queued) => boolean): Queued | null => {
    for (const [owner, queue] of queues) {
      const at = queue.findIndex(predicate);
      if (at === -1) continue;
      const [next] = queue.splice(at, 1);
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      return next ?? null;
    }
    return null;
  };

  const readAll = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    clearTimeout(idle);
    for (let next = takeNext(); next !== null && !isStopped; next = takeNext()) {
      clearTimeout(next.tooLate);
      try {
        thread ??= startThread();
        next.resolve((await readInThread(thread, next.task, readingMs)) as never);
      } catch (error) {
        // The thread may still be busy with the task, or be gone.
        if (!(error instanceof RequestProblem)) await endThread();
        next.reject(error as Error);
      }
    }
    isReading = false;
    idle = setTimeout(endThread, IDLE_MS).unref();
  };

  return {
    read: (owner, task) =>
      new Promise((resolve, reject) => {
        if (isStopped) return reject(new ReadingFailed('The reader has stopped.'));
        const queue = queues.get(owner) ?? [];
        queues.set(owner, queue);
        const tooLate = setTimeout(() => {
          queue.splice(queue.indexOf(queued), 1);
          reject(new ReaderBusy('Other inputs are read first.'));
        }, waitingMs);
        const queued: Queued = { task, resolve, reject, tooLate };
        queue.push(queued);
        void readAll();
      }),
    async stop() {
      isStopped = true;
      clearTimeout(idle);
      await endThread();
    },
  };
};

const MORE: ToReading = { kind: 'more' };

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

const readInThread = (thread: Worker, task: ReadingTask, readingMs: number): Promise<object> =>
  new Promise((resolve, reject) => {
    const elements: unknown[] = [];
    const end = (): void => {
      clearTimeout(timer);
      thread.off('message', receive).off('error', fail).off('exit', exit);
    };
    const receive = (message: FromReading): void => {
      if (message.kind === 'slice') {
        for (const element of message.elements) elements.push(element);
        setImmediate(() => thread.postMessage(MORE));
        return;
      }
      end();
      switch (message.kind) {
        case 'end':
          resolve(
            message.list === null
              ? message.result
              : { ...message.result, [message.list]: elements },
          );
          break;
        case 'problem':
          reject(new RequestProblem(message.problem));
          break;
        case 'fault':
          reject(toFault(message));
          break;
        case 'too-costly':
          reject(new ReadingTooCostly(TOO_MUCH_MEMORY));
          break;
      }
    };
    const fail = (cause: Error & { readonly code?: string }): void => {
      end();
      reject(
        cause.code === OUT_OF_MEMORY
          ? new ReadingTooCostly(TOO_MUCH_MEMORY)
          : new ReadingFailed('The reading thread ended in a fault.', { cause }),
      );
    };
    const exit = (): void => {
      end();
      reject(new ReadingFailed('The reading thread ended.'));
    };
    const timer = setTimeout(() => {
      end();
      reject(new ReadingTooCostly('An input needed too much time.'));
    }, readingMs);
    thread.on('message', receive).once('error', fail).once('exit', exit);
    // The pieces move to the thread: nothing is copied.
    thread.postMessage(
      task,
      task.pieces.map(({ buffer }) => buffer as ArrayBuffer),
    );
  });

const toFault = ({ name, stack }: Extract<FromReading, { kind: 'fault' }>): ReadingFailed => {
  // The log gets the frames only, because the message may quote the input.
  const cause = Object.assign(new Error(), { name, stack });
  return new ReadingFailed('The reading thread met a fault.', { cause });
};
