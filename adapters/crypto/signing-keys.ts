import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

// PKCS #8 encoding of an Ed25519 key, up to its seed. RFC 8410 section 7
const BEFORE_SEED = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Ed25519 key of a 32-byte seed. @see RFC 8032 section 5.1.5 */
export const toSigningKey = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([BEFORE_SEED, seed]), format: 'der', type: 'pkcs8' });

/** 32-byte public key of an Ed25519 key. */
export const toPublicKey = (key: KeyObject): Buffer =>
  Buffer.from(String(createPublicKey(key).export({ format: 'jwk' }).x), 'base64url');
