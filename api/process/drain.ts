import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a server that stops goes on, each from the beginning. Milliseconds. */
export interface DrainTimes {
  /** Connections are taken and kept: readiness says no to the load balancer. */
  readonly openMs: number;
  /** What is under way gets its answer; what is not done by then is cut off. */
  readonly answerMs: number;
}

const LOOK_EVERY_MS = 25;

/**
 * Stops a server: every answer from now on ends its connection. While it is open, connections are
 * taken, and one without a request is kept: its next request may be on the way. Then those are ended,
 * and the others when they are answered.
 */
export const drain = async (server: Server, { openMs, answerMs }: DrainTimes): Promise<void> => {
  const began = performance.now();
  const elapsedMs = () => performance.now() - began;
  server.prependListener('request', endConnectionWith);
  const closed = new Promise<void>((resolve) => {
    server.once('close', () => resolve());
  });
  await sleep(openMs);
  server.close();
  while ((await connectionsOf(server)) > 0 && elapsedMs() < answerMs) {
    // Those that were answered meanwhile are idle until their next request.
    server.closeIdleConnections();
    await sleep(LOOK_EVERY_MS);
  }
  server.closeAllConnections();
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
