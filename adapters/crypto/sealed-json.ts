import type { RowBinding, RowCipher } from './row-cipher.ts';

/** Seals a value that JSON can hold. */
export const sealJson = (cipher: RowCipher, value: unknown, binding: RowBinding): Buffer =>
  cipher.seal(Buffer.from(JSON.stringify(value)), binding);

/**
 * Opens what {@link sealJson} has sealed; bound to its place, it is what was put there.
 * @throws SealedRowUnreadable
 */
export const openJson = <T>(cipher: RowCipher, sealed: Buffer, binding: RowBinding): T =>
  JSON.parse(cipher.open(sealed, binding).toString('utf8')) as T;
