import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const SECRET_BYTES = 32;

const getSecretPath = (dataDir: string): string => join(dataDir, 'registry-secret');

export const readSecretFile = async (dataDir: string): Promise<string | null> => {
  try {
    return (await readFile(getSecretPath(dataDir), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Created once with mode 0600. Concurrent first starts agree on one; an interrupted one leaves none. */
export const loadOrCreateSecret = async (dataDir: string): Promise<string> => {
  await mkdir(dataDir, { recursive: true });
  const existing = await readSecretFile(dataDir);
  if (existing !== null) return existing;
  const path = getSecretPath(dataDir);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(randomBytes(SECRET_BYTES).toString('base64url'));
    await file.sync();
  } finally {
    await file.close();
  }
  // A hard link is atomic and does not replace the file of a parallel start.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await readFile(path, 'utf8')).trim();
};

/** Renames a secret that no longer unwraps anything. We keep it because older logs may need it. */
export const archiveSecretFile = async (dataDir: string, at: Date): Promise<void> => {
  const path = getSecretPath(dataDir);
  await rename(path, `${path}.before-${at.toISOString().replace(/[-:]|\.\d+/g, '')}`);
};

/** The secret does not unwrap a key: it belongs to another registry or was changed. */
export class WrongRegistrySecret extends Error {
  override readonly name = 'WrongRegistrySecret';
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Purpose of a wrapped key. Each has its own wrapping key. The identity key makes ids of people and records. */
export type WrappingPurpose = 'identity-key' | 'fingerprint-key' | 'checkpoint-key' | 'queue-key';

export const createKey = (): Buffer => randomBytes(KEY_BYTES);

/** AES-256-GCM, key by HKDF-SHA-256 (RFC 5869). Returns base64url of nonce, ciphertext, and tag. */
export const wrapKey = (key: Buffer, secret: string, purpose: WrappingPurpose): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveWrappingKey(secret, purpose), nonce);
  cipher.setAAD(Buffer.from(purpose));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
};

/** Reverses {@link wrapKey}. @throws WrongRegistrySecret */
export const unwrapKey = (wrapped: string, secret: string, purpose: WrappingPurpose): Buffer => {
  const bytes = Buffer.from(wrapped, 'base64url');
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      deriveWrappingKey(secret, purpose),
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

const deriveWrappingKey = (secret: string, purpose: WrappingPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'birth-registry', `wrap:${purpose}`, KEY_BYTES));

export const deriveBackupSeed = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'birth-registry', 'sign:backup', KEY_BYTES));

// PKCS #8 encoding of an Ed25519 key, up to its seed. RFC 8410 section 7
const BEFORE_SEED = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Ed25519 key of a 32-byte seed. @see RFC 8032 section 5.1.5 */
export const toSigningKey = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([BEFORE_SEED, seed]), format: 'der', type: 'pkcs8' });

export const toPublicKey = (key: KeyObject): Buffer =>
  Buffer.from(String(createPublicKey(key).export({ format: 'jwk' }).x), 'base64url');
