import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that are worked on at once. Our choice: browsers send one. */
export const MOST_AT_ONCE = 8;

/** The requests of one connection. */
interface Line {
  underWay: number;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Works on a few requests of a connection at once; the others wait until an answer has gone out.
 * Node begins all that are in what it has just read, a thousand in 64 KiB, and keeps the answers of
 * those whose turn to be sent has not come: if nobody reads the first one, all of them for as long.
 */
export const inTurns = (listener: RequestListener): RequestListener => {
  const lines = new WeakMap<Socket, Line>();
  const begin = (line: Line, req: IncomingMessage, res: ServerResponse): void => {
    line.underWay += 1;
    res.once('close', () => {
      line.underWay -= 1;
      // Nobody is there any more to be answered.
      if (req.socket.destroyed) line.waiting.length = 0;
      const next = line.waiting.shift();
      if (next !== undefined) begin(line, ...next);
    });
    listener(req, res);
  };
  return (req, res) => {
    const line = lines.get(req.socket) ?? { underWay: 0, waiting: [] };
    if (line.underWay === 0) lines.set(req.socket, line);
    if (line.underWay < MOST_AT_ONCE) begin(line, req, res);
    else line.waiting.push([req, res]);
  };
};
