import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { bodyEndedEarly, bodyNotGzip, bodyTooLong, encodingNotSupported } from './problems.ts';

const MEBIBYTE = 1024 * 1024;

/** Largest body, after inflation. Our choice: 20 MiB. */
export const MOST_BODY_BYTES = 20 * MEBIBYTE;

/**
 * Reads a request body, inflating gzip. A body over the limit is read to its end and dropped, so
 * that the caller gets to see the answer.
 * @throws RequestProblem 413 over 20 MiB, 400 for a broken or unknown Content-Encoding
 */
export const readBody = async (req: IncomingMessage): Promise<Buffer> => {
  const stream = decoded(req);
  const body = await (stream === req ? plain(req) : inflated(stream)).catch(() => {
    req.resume();
    throw stream === req ? bodyEndedEarly() : bodyNotGzip();
  });
  if (body === null) {
    req.resume();
    throw bodyTooLong();
  }
  return body;
};

/** Null when it is too long, after all of it has been read. */
const plain = (req: IncomingMessage): Promise<Buffer | null> => {
  const announced = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  return collected(
    req,
    announced <= MOST_BODY_BYTES ? oneBuffer(announced) : inChunks(),
    () => undefined,
  );
};

/** Null when it is too long: what gzip inflates beyond the limit is not worth reading. */
const inflated = (inflate: Readable): Promise<Buffer | null> =>
  collected(inflate, inChunks(), (tooLong) => {
    inflate.destroy();
    tooLong(null);
  });

// Events, not an async iteration, which costs a turn of the microtask queue and more per chunk.
const collected = (
  stream: Readable,
  collector: Collector,
  onTooLong: (end: (body: null) => void) => void,
): Promise<Buffer | null> =>
  new Promise((resolve, reject) => {
    let bytes = 0;
    let held: Collector | null = collector;
    stream.on('error', reject);
    stream.once('close', () => reject(new Error('The body ended early.')));
    if (stream.destroyed) reject(new Error('The caller is gone.'));
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MOST_BODY_BYTES) held?.add(chunk);
      else if (held !== null) {
        held = null;
        onTooLong(resolve);
      }
    });
    stream.once('end', () => resolve(held === null ? null : held.whole()));
  });

/** Takes the chunks of a body and makes one buffer of them. */
interface Collector {
  add(chunk: Buffer): void;
  whole(): Buffer;
}

const inChunks = (): Collector => {
  const chunks: Buffer[] = [];
  return {
    add: (chunk) => chunks.push(chunk),
    whole: () => Buffer.concat(chunks),
  };
};

/** Holds nothing twice; memory that was announced and is not sent is reserved, never touched. */
const oneBuffer = (announced: number): Collector => {
  let whole: Buffer | null = null;
  let bytes = 0;
  return {
    add: (chunk) => {
      // Most bodies are one chunk, which then is the body.
      if (chunk.length === announced) whole = chunk;
      else {
        whole ??= Buffer.allocUnsafeSlow(announced);
        chunk.copy(whole, bytes);
      }
      bytes += chunk.length;
    },
    whole: () => whole ?? Buffer.alloc(0),
  };
};

const decoded = (req: IncomingMessage): Readable => {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return req;
  if (encoding === 'gzip' || encoding === 'x-gzip') {
    if (req.destroyed) throw bodyEndedEarly();
    const inflate = createGunzip();
    // A caller that goes away ends the pipe without a word: whoever reads would wait for ever.
    req.once('error', (error) => inflate.destroy(error));
    req.once('close', () => req.complete || inflate.destroy(new Error('The upload broke off.')));
    return req.pipe(inflate);
  }
  req.resume();
  throw encodingNotSupported();
};
