import { subtle } from 'node:crypto';

/** SHA-256 of a file's bytes in hex, computed off the event loop. */
export const digestOfFile = async (bytes: Buffer): Promise<string> =>
  Buffer.from(await subtle.digest('SHA-256', Uint8Array.from(bytes))).toString('hex');
