/** Encodes without copying the bytes. */
export const encodeBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** Decodes base64. Returns `null` unless the text is the canonical encoding of its bytes. */
export const decodeStrictBase64 = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && encodeBase64(bytes) === text ? bytes : null;
};
