import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { MAX_BODY_BYTES } from '../http/limits.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import type { Receive } from '../reading/receiving.ts';
import { estimateMemory } from '../reading/shares.ts';

/** Keeps other requests from waiting. */
const IN_PIECES_FROM = 256 * 1024;

export interface LongBody {
  readonly pieces: readonly Uint8Array[];
}

export type Body = Buffer | LongBody;

/**
 * Reads an oversized body to its end, so that the client can receive the response.
 * @param receive claims the memory of a long body
 * @throws RequestProblem 413 if it is too long, 400 for a broken or unknown Content-Encoding, 503 without
 * memory
 */
export const readBody = async (req: IncomingMessage, receive: Receive): Promise<Body> => {
  const stream = decodeBody(req);
  const announced = Number(req.headers['content-length'] ?? Number.NaN);
  if (stream === req && announced < IN_PIECES_FROM) return readWhole(req, announced);
  const pieces = readPieces(stream, req);
  const begun: Buffer[] = [];
  let bytes = 0;
  while (bytes < IN_PIECES_FROM) {
    const { done, value } = await pieces.next();
    if (done === true) return Buffer.concat(begun);
    begun.push(value);
    bytes += value.length;
  }
  return readLong(begun, pieces, stream === req ? announced : 0, receive);
};

/** @param announced size in bytes; 0 or NaN if unknown */
const readLong = async (
  begun: readonly Buffer[],
  rest: AsyncIterable<Buffer>,
  announced: number,
  receive: Receive,
): Promise<LongBody> => {
  const pieces: Uint8Array[] = [];
  // Of unknown size, it may become as long as any.
  const expected = Math.min(MAX_BODY_BYTES, announced || MAX_BODY_BYTES);
  const arrival = await receive(estimateMemory(expected), () => {
    pieces.length = 0;
  });
  let bytes = 0;
  const keep = async (piece: Buffer): Promise<void> => {
    bytes += piece.length;
    // A copy, because pieces may share their memory, and these move to another thread.
    if (await arrival.add(estimateMemory(piece.length))) pieces.push(new Uint8Array(piece));
  };
  for (const piece of begun) await keep(piece);
  for await (const piece of rest) await keep(piece);
  const loss = await arrival.end(estimateMemory(bytes));
  if (loss === null) return { pieces };
  throw new RequestProblem(REQUEST_PROBLEMS[loss === 'too-slow' ? 'body-too-slow' : 'body-waits']);
};

async function* readPieces(stream: Readable, req: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes <= MAX_BODY_BYTES) yield piece;
      // Decompressing beyond the limit would be wasted work.
      else if (stream !== req) break;
    }
  } catch {
    req.resume();
    throw new RequestProblem(REQUEST_PROBLEMS[stream === req ? 'body-ended-early' : 'not-gzip']);
  }
  if (bytes <= MAX_BODY_BYTES) return;
  // Otherwise the pending end of decompression would block the request forever.
  req.unpipe();
  req.resume();
  throw new RequestProblem(REQUEST_PROBLEMS['body-too-long']);
}

// Events are cheaper here than async iteration, which costs microtasks for every chunk.
const readWhole = (req: IncomingMessage, announced: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let whole: Buffer | null = null;
    let bytes = 0;
    const endEarly = (): void => {
      if (req.readableEnded) return;
      req.resume();
      reject(new RequestProblem(REQUEST_PROBLEMS['body-ended-early']));
    };
    req.on('error', endEarly);
    req.once('close', endEarly);
    if (req.destroyed) endEarly();
    req.on('data', (chunk: Buffer) => {
      // Most bodies arrive as one chunk, which needs no copy.
      if (chunk.length === announced) whole = chunk;
      else {
        // Memory that the client announced but never fills is reserved, not touched.
        whole ??= Buffer.allocUnsafeSlow(announced);
        chunk.copy(whole, bytes);
      }
      bytes += chunk.length;
    });
    req.once('end', () => resolve(whole ?? Buffer.alloc(0)));
  });

const decodeBody = (req: IncomingMessage): Readable => {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return req;
  if (encoding === 'gzip' || encoding === 'x-gzip') {
    if (req.destroyed) throw new RequestProblem(REQUEST_PROBLEMS['body-ended-early']);
    const inflate = createGunzip();
    // A client disconnect ends the pipe without an error: the reader would wait forever.
    req.once('error', (error) => inflate.destroy(error));
    req.once('close', () => req.complete || inflate.destroy(new Error('The upload broke off.')));
    return req.pipe(inflate);
  }
  req.resume();
  throw new RequestProblem(REQUEST_PROBLEMS['encoding-not-supported']);
};
