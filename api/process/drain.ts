import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Deadlines of a stopping server, each in milliseconds from the beginning. */
export interface DrainTimes {
  /**
   * Accepts and keeps connections until then, so the load balancer can notice that the service is
   * not ready.
   */
  readonly openMs: number;
  /** Answers pending requests until then; later ones are cut off. */
  readonly answerMs: number;
}

const POLL_INTERVAL_MS = 25;

/**
 * Stops a server: every response from now on closes its connection. While the server is open, it
 * accepts connections and keeps idle ones, because their next request may be on the way. Then it
 * closes idle connections, and the others after their response.
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
