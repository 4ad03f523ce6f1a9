import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { bodyEndedEarly, bodyNotGzip, bodyTooLong, encodingNotSupported } from './problems.ts';

const MEBIBYTE = 1024 * 1024;

/** Largest body, after inflation. Our choice: 20 MiB. */
export const MAX_BODY_BYTES = 20 * MEBIBYTE;

/** From so many bytes on a body is read in pieces: to map 256 KiB at once takes 1.2 ms. */
const IN_PIECES_FROM = 256 * 1024;

/** A request body: a short one as a whole, a long one as it comes. */
export type Body = Buffer | AsyncIterable<Buffer>;

/**
 * Reads a request body, inflating gzip. One over the limit is read to its end and dropped, so that
 * the caller gets to see the answer.
 * @throws RequestProblem 413 over 20 MiB, 400 for a broken or unknown Content-Encoding; of a body
 *   in pieces with the piece after which it shows
 */
export const readBody = async (req: IncomingMessage): Promise<Body> => {
  const stream = decoded(req);
  const announced = Number(req.headers['content-length'] ?? Number.NaN);
  if (stream !== req || Number.isNaN(announced)) return wholeIfShort(piecesOf(stream, req));
  return announced < IN_PIECES_FROM ? wholeOf(req, announced) : piecesOf(req, req);
};

const wholeIfShort = async (pieces: AsyncGenerator<Buffer>): Promise<Body> => {
  const begun: Buffer[] = [];
  let bytes = 0;
  while (bytes < IN_PIECES_FROM) {
    const { done, value } = await pieces.next();
    if (done === true) return Buffer.concat(begun);
    begun.push(value);
    bytes += value.length;
  }
  return withRest(begun, pieces);
};

async function* withRest(
  begun: readonly Buffer[],
  rest: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield* begun;
  yield* rest;
}

async function* piecesOf(stream: Readable, req: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes <= MAX_BODY_BYTES) yield piece;
      // What gzip inflates beyond the limit is not worth reading.
      else if (stream !== req) break;
    }
  } catch {
    req.resume();
    throw stream === req ? bodyEndedEarly() : bodyNotGzip();
  }
  if (bytes <= MAX_BODY_BYTES) return;
  // The end of inflating, still to be told, would stop the request for good.
  req.unpipe();
  req.resume();
  throw bodyTooLong();
}

// Events, not an async iteration, which costs a turn of the microtask queue and more per chunk.
const wholeOf = (req: IncomingMessage, announced: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let whole: Buffer | null = null;
    let bytes = 0;
    const endEarly = (): void => {
      if (req.readableEnded) return;
      req.resume();
      reject(bodyEndedEarly());
    };
    req.on('error', endEarly);
    req.once('close', endEarly);
    if (req.destroyed) endEarly();
    req.on('data', (chunk: Buffer) => {
      // Most bodies are one chunk, which then is the body.
      if (chunk.length === announced) whole = chunk;
      else {
        // Memory that was announced and is not sent is reserved, never touched.
        whole ??= Buffer.allocUnsafeSlow(announced);
        chunk.copy(whole, bytes);
      }
      bytes += chunk.length;
    });
    req.once('end', () => resolve(whole ?? Buffer.alloc(0)));
  });

const decoded = (req: IncomingMessage): Readable => {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return req;
  if (encoding === 'gzip' || encoding === 'x-gzip') {
    if (req.destroyed) throw bodyEndedEarly();
    const inflate = createGunzip();
    // A caller that goes away ends the pipe without an error: the reader would wait forever.
    req.once('error', (error) => inflate.destroy(error));
    req.once('close', () => req.complete || inflate.destroy(new Error('The upload broke off.')));
    return req.pipe(inflate);
  }
  req.resume();
  throw encodingNotSupported();
};
