import type { ChunkBinding, QueueCipher } from './queue-cipher.ts';

/** Seals a value that JSON can hold. */
export const sealJson = (cipher: QueueCipher, value: unknown, binding: ChunkBinding): Buffer =>
  cipher.seal(Buffer.from(JSON.stringify(value)), binding);

/**
 * Opens what {@link sealJson} has sealed; bound to its place, it is what was put there.
 * @throws QueuedChunkUnreadable
 */
export const openJson = <T>(cipher: QueueCipher, sealed: Buffer, binding: ChunkBinding): T =>
  JSON.parse(cipher.open(sealed, binding).toString('utf8')) as T;
