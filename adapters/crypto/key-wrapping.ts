import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The secret does not open what was wrapped: it is another registry's, or was changed. */
export class WrongRegistrySecret extends Error {
  override readonly name = 'WrongRegistrySecret';
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a wrapped key is for; each purpose has a wrapping key of its own. */
export type WrappingPurpose = 'identity-key' | 'queue-key';

/** A new random 256-bit key. */
export const newKey = (): Buffer => randomBytes(KEY_BYTES);

/**
 * Wraps a key with AES-256-GCM under a key derived (HKDF-SHA-256, RFC 5869) from the secret.
 * @returns base64url of nonce, ciphertext and tag
 */
export const wrapKey = (key: Buffer, secret: string, purpose: WrappingPurpose): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', wrappingKey(secret, purpose), nonce);
  cipher.setAAD(Buffer.from(purpose));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
};

/** Opens what {@link wrapKey} made. @throws WrongRegistrySecret */
export const unwrapKey = (wrapped: string, secret: string, purpose: WrappingPurpose): Buffer => {
  const bytes = Buffer.from(wrapped, 'base64url');
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      wrappingKey(secret, purpose),
      bytes.subarray(0, NONCE_BYTES),
    );
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const sealed = bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES);
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  } catch (cause) {
    throw new WrongRegistrySecret(
      'REGISTRY_SECRET does not open the keys of this registry. Set the secret it was started with.',
      { cause },
    );
  }
};

const wrappingKey = (secret: string, purpose: WrappingPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'birth-registry', `wrap:${purpose}`, KEY_BYTES));
