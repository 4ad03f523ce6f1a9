import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import Negotiator from 'negotiator';

/** Smaller bodies are not compressed, because they fit into one packet anyway. */
const COMPRESSED_FROM_BYTES = 1_024;

type Compress = (content: Buffer) => Promise<Buffer>;

/** About as fast as gzip, and smaller; the default is too slow for a large script. */
const BROTLI_QUALITY = 5;
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** In order of preference. */
const COMPRESSIONS: ReadonlyMap<string, Compress> = new Map<string, Compress>([
  [
    'br',
    (content) =>
      compressBrotli(content, {
        params: {
          [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [zlib.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
  ],
  ['gzip', (content) => compressGzip(content)],
]);

/** Caches compressed versions of content that is sent repeatedly. */
const compressed = new WeakMap<Buffer, Map<string, Promise<Buffer>>>();

const compressedAs = (encoding: string, compress: Compress, content: Buffer): Promise<Buffer> => {
  const held = compressed.get(content) ?? new Map<string, Promise<Buffer>>();
  compressed.set(content, held);
  const found = held.get(encoding) ?? compress(content);
  held.set(encoding, found);
  return found;
};

/**
 * Ends a response with a body, compressed if it is large and the client accepts that. Must not be
 * used for content that mixes a secret with input of others, because the compressed size reveals
 * whether the two match (BREACH). That excludes all pages of a session, which contain the token of
 * its forms.
 * @param content same buffer on every call, if it is sent repeatedly
 * @see docs/decisions/2026-11-27-compressed-answers.md
 */
export const sendCompressible = async (
  req: IncomingMessage,
  res: ServerResponse,
  contentType: string,
  content: Buffer,
): Promise<void> => {
  res.setHeader('Content-Type', contentType);
  res.setHeader('Vary', 'Accept-Encoding');
  let body = content;
  if (content.length >= COMPRESSED_FROM_BYTES) {
    const accepted = new Negotiator(req).encodings([...COMPRESSIONS.keys()]);
    for (const [encoding, compress] of COMPRESSIONS) {
      if (!accepted.includes(encoding)) continue;
      res.setHeader('Content-Encoding', encoding);
      body = await compressedAs(encoding, compress, content);
      break;
    }
  }
  res.setHeader('Content-Length', body.length);
  res.end(body);
};
