import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds from the beginning of the stop. */
export interface DrainTimes {
  /** The load balancer can notice until then that the service is not ready. */
  readonly openMs: number;
  /** Pending requests may be answered until then; the rest are cut off. */
  readonly answerMs: number;
}

const POLL_INTERVAL_MS = 25;

/**
 * Every response from now on closes its connection. While the server is open, it keeps idle
 * connections, because their next request may be on the way.
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
    // Connections answered since the last check are idle until their next request.
    server.closeIdleConnections();
    await sleep(POLL_INTERVAL_MS);
  }
  server.closeAllConnections();
  await closed;
};

const endConnectionWith = (_req: IncomingMessage, res: ServerResponse): void => {
  res.setHeader('Connection', 'close');
};

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    // A server that returns an error is closed.
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
