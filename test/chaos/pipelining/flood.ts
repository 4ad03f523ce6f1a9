import { connect } from 'node:net';

// A client in a process of its own, so that sending does not slow the callers who are measured.

/** What a flooding client does. */
export interface FloodTask {
  readonly port: number;
  /** One request, sent again and again without waiting for an answer. */
  readonly request: string;
  /** Connects again whenever it is closed. */
  readonly connectsAgain: boolean;
  /** Most bytes that it sends on one connection. */
  readonly mostBytes: number;
  /** Milliseconds after which it stops. */
  readonly withinMs: number;
}

/** What came of it. */
export interface Flooded {
  readonly connections: number;
  /** Connections that the service closed. */
  readonly closed: number;
  readonly bytes: number;
}

const PIECE_BYTES = 65_536;

interface Connection {
  readonly bytes: number;
  readonly isClosed: boolean;
}

/** Sends requests on one connection for as long as the service takes them, and reads nothing. */
const floodOnce = (task: FloodTask, untilMs: number): Promise<Connection> =>
  new Promise((resolve) => {
    const piece = Buffer.from(
      task.request.repeat(Math.ceil(PIECE_BYTES / task.request.length)),
      'latin1',
    );
    const socket = connect(task.port, '127.0.0.1');
    let bytes = 0;
    let isClosed = true;
    const giveUp = setTimeout(
      () => {
        isClosed = false;
        socket.destroy();
      },
      Math.max(0, untilMs - performance.now()),
    );
    const send = (): void => {
      while (bytes < task.mostBytes && !socket.destroyed) {
        bytes += piece.length;
        if (!socket.write(piece)) return;
      }
    };
    socket.on('connect', send);
    socket.on('drain', send);
    // Only a socket that is read sees that the other side has closed it.
    socket.on('data', () => undefined);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(giveUp);
      resolve({ bytes, isClosed });
    });
  });

const flood = async (task: FloodTask): Promise<Flooded> => {
  const untilMs = performance.now() + task.withinMs;
  let [connections, closed, bytes] = [0, 0, 0];
  do {
    const sent = await floodOnce(task, untilMs);
    connections += 1;
    closed += sent.isClosed ? 1 : 0;
    bytes += sent.bytes;
  } while (task.connectsAgain && performance.now() < untilMs);
  return { connections, closed, bytes };
};

process.once('message', async (task: FloodTask) => {
  process.send?.(await flood(task));
});
process.on('disconnect', () => process.exit());
