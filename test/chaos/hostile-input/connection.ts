import { connect, type Socket } from 'node:net';
import { type Answer, readAnswer } from './answers.ts';

/** @see openConnection */
export type Connection = ReturnType<typeof connectionOver>;

/** Opens a connection on the loopback that sends bytes as they are. */
export const openConnection = (port: number): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(connectionOver(socket));
    });
  });

const connectionOver = (socket: Socket) => {
  let received: Buffer = Buffer.alloc(0);
  let hasEnded = false;
  let isFinished = false;
  let awaken = () => {};
  let isDropping = false;
  socket.on('data', (chunk: Buffer) => {
    if (isDropping) return;
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    awaken();
  });
  const end = () => {
    hasEnded = true;
    awaken();
  };
  // A reset is one way to end a connection; what came before it still counts.
  socket.on('error', end);
  socket.on('close', end);
  socket.on('end', end);

  /** Waits until something has changed. @returns whether it did in time */
  const change = (untilMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), Math.max(0, untilMs - performance.now()));
      awaken = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });

  return {
    /** Sends bytes without waiting for an answer. */
    write(bytes: Buffer | string): void {
      if (!hasEnded) socket.write(bytes);
    },
    /**
     * Waits for the next answer.
     * @param isToHead it answers a HEAD request
     * @returns `closed`: the service has ended the connection, `silent`: nothing came in time
     */
    async next(withinMs: number, isToHead = false): Promise<Answer | 'closed' | 'silent'> {
      const until = performance.now() + withinMs;
      for (;;) {
        const read = readAnswer(received, isToHead, hasEnded);
        if (read !== null) {
          received = received.subarray(read.bytes);
          if (read.answer.isLast) isFinished = true;
          return read.answer;
        }
        if (hasEnded) return 'closed';
        if (!(await change(until))) return 'silent';
      }
    },
    /** Waits until the service ends the connection. @returns whether it did */
    async ended(withinMs: number): Promise<boolean> {
      const until = performance.now() + withinMs;
      while (!hasEnded) if (!(await change(until))) return false;
      return true;
    },
    /** Says that nothing more will be sent; answers may still come. */
    finish(): void {
      isFinished = true;
      socket.end();
    },
    /** Stops reading. */
    pause: (): void => void socket.pause(),
    /** Reads and drops all that is sent: without reading, the end would not be seen. */
    drop(): void {
      isDropping = true;
      socket.resume();
    },
    /** Whether another request may be sent. */
    isOpen: (): boolean => !hasEnded && !isFinished && received.length === 0,
    close: (): void => void socket.destroy(),
  };
};
