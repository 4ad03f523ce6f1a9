import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a server that stops goes on, each from the beginning. Milliseconds. */
export interface DrainTimes {
  /** New connections are taken: readiness says no to whoever distributes the requests. */
  readonly openMs: number;
  /** What is under way gets its answer; what is not done by then is cut off. */
  readonly answerMs: number;
}

const LOOK_EVERY_MS = 25;

/**
 * Stops a server: every answer from now on ends its connection, connections without a request are
 * ended at once, and those with one when it is answered. While there are any, new connections are
 * taken, so that readiness can be seen to say no. Ends as soon as nobody is connected.
 */
export const drain = async (server: Server, { openMs, answerMs }: DrainTimes): Promise<void> => {
  const began = performance.now();
  const elapsedMs = () => performance.now() - began;
  server.prependListener('request', endConnectionWith);
  const closed = new Promise<void>((resolve) => {
    server.once('close', () => resolve());
  });
  while ((await connectionsOf(server)) > 0 && elapsedMs() < answerMs) {
    // Those that were answered meanwhile are idle until their next request.
    server.closeIdleConnections();
    if (elapsedMs() > openMs && server.listening) server.close();
    await sleep(LOOK_EVERY_MS);
  }
  server.closeAllConnections();
  if (server.listening) server.close();
  await closed;
};

const endConnectionWith = (_req: IncomingMessage, res: ServerResponse): void => {
  res.setHeader('Connection', 'close');
};

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    // A server that cannot say is closed.
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
