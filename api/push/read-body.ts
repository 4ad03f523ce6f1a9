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
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_BODY_BYTES) chunks.length = 0;
      else chunks.push(chunk);
      // What gzip inflates beyond the limit is not worth reading: only the wire is drained.
      if (bytes > MOST_BODY_BYTES && stream !== req) break;
    }
  } catch {
    req.resume();
    throw stream === req ? bodyEndedEarly() : bodyNotGzip();
  }
  if (bytes > MOST_BODY_BYTES) {
    req.resume();
    throw bodyTooLong();
  }
  return Buffer.concat(chunks, bytes);
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
