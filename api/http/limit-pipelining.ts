import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeWithoutParsing } from '../../adapters/package-internals/node/http.ts';

/** Requests of one connection that are handled at once. Our choice: browsers send one. */
export const MAX_CONCURRENT_REQUESTS = 8;

/** Maximum per connection; one more closes it. */
export const MAX_WAITING_REQUESTS = 64;

/**
 * Maximum, over all connections, of requests sent before the previous one was answered; one more
 * closes its connection. A client that waits for each response is never affected.
 */
export const MAX_PIPELINED = 1_024;

interface Line {
  underWay: number;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

const countRequests = ({ underWay, waiting }: Line): number => underWay + waiting.length;
const countSentAhead = (line: Line): number => Math.max(0, countRequests(line) - 1);

/**
 * Handles a few requests of a connection at once. Node creates every request in what it has just
 * read, a thousand in 64 KiB, and keeps their answers for as long as the client reads none.
 */
export const limitPipelining = (listener: RequestListener): RequestListener => {
  const lines = new WeakMap<Socket, Line>();
  let sentAhead = 0;

  const newLine = (socket: Socket): Line => {
    const line: Line = { underWay: 0, waiting: [] };
    lines.set(socket, line);
    // Not every response notices that its connection is closed.
    socket.once('close', () => {
      sentAhead -= countSentAhead(line);
      line.underWay = 0;
      line.waiting.length = 0;
    });
    return line;
  };

  const beginWaiting = (line: Line): void => {
    while (line.underWay < MAX_CONCURRENT_REQUESTS) {
      const [req, res] = line.waiting[0] ?? [];
      if (req === undefined || res === undefined || req.socket.destroyed) return;
      line.waiting.shift();
      line.underWay += 1;
      res.once('close', () => {
        if (req.socket.destroyed) return;
        if (countRequests(line) > 1) sentAhead -= 1;
        line.underWay -= 1;
        beginWaiting(line);
      });
      listener(req, res);
    }
  };

  return (req, res) => {
    const { socket } = req;
    if (socket.destroyed) return;
    const line = lines.get(socket) ?? newLine(socket);
    const isSentAhead = countRequests(line) > 0;
    if (
      countRequests(line) === MAX_CONCURRENT_REQUESTS + MAX_WAITING_REQUESTS ||
      (isSentAhead && sentAhead === MAX_PIPELINED)
    ) {
      closeWithoutParsing(socket);
      return;
    }
    if (isSentAhead) sentAhead += 1;
    line.waiting.push([req, res]);
    // Counts a whole chunk first, so a connection that is closed causes no work.
    process.nextTick(beginWaiting, line);
  };
};
