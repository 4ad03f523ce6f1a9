import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import Negotiator from 'negotiator';

/** Shorter bodies fit into one packet anyway. */
const COMPRESSED_FROM_BYTES = 1_024;

type Compress = (content: Buffer) => Promise<Buffer>;

/** About as fast as gzip, and smaller; the default is too slow for a large script. */
const BROTLI_QUALITY = 5;
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The first one that the client accepts is used. */
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

/** Content that is sent repeatedly is compressed once. */
const compressed = new WeakMap<Buffer, Map<string, Promise<Buffer>>>();

const compressOnce = (encoding: string, compress: Compress, content: Buffer): Promise<Buffer> => {
  const byEncoding = compressed.get(content) ?? new Map<string, Promise<Buffer>>();
  compressed.set(content, byEncoding);
  const result = byEncoding.get(encoding) ?? compress(content);
  byEncoding.set(encoding, result);
  return result;
};

/**
 * Only for content without a secret beside text that others can choose, so never for a page of a
 * session: the compressed size reveals if the two are alike (BREACH).
 * @param content kept by the caller, if it is sent more than once
 * @see docs/design/requests.md#compression
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
      body = await compressOnce(encoding, compress, content);
      break;
    }
  }
  res.setHeader('Content-Length', body.length);
  res.end(body);
};
