import { createHmac, createSecretKey, hash, subtle } from 'node:crypto';
import { customAlphabet } from 'nanoid';

/** Keyed hashes under the registry's identity key, 256 bits in base64url unless noted. */
export interface Identity {
  /** Stream name for a chart number of a practice. */
  recordHash(practiceId: string, chartNumber: string): string;
  submissionHash(submissionUuid: string): string;
  /** Id of the ingestion for an Idempotency-Key of a practice. 128 bits. */
  idempotentIngestionId(practiceId: string, idempotencyKey: string): string;
  /** Keyed hash of a fingerprint text within a practice. @see spec "Duplicate fingerprint" */
  fingerprint(practiceId: string, text: string): string;
  /** Id of a partner's own provider at a practice: 128 bits in hex, easy to type in a shell. */
  providerId(practiceId: string, partnerId: string, identity: string): string;
  mergesHash(practiceId: string, partnerId: string): string;
  keySlotHash(partnerId: string, practiceId: string): string;
  /** Id of the account of a normalized email: 128 bits in hex, easy to type in a shell. */
  accountId(email: string): string;
  /** Id of a member's seat at a practice for web pages, not reversible. 128 bits. */
  seatId(practiceId: string, memberId: string): string;
  fileHash(practiceId: string, digest: string): string;
  workHash(practiceId: string, kind: string, key: string): string;
  readonly checkValue: string;
}

const SHORT_LENGTH = 22; // base64url characters of 128 bits
const READABLE_BYTES = 16;

const readable = (hash: string): string =>
  Buffer.from(hash, 'base64url').subarray(0, READABLE_BYTES).toString('hex');

/** Keyed hashes (HMAC-SHA-256, RFC 2104), with a separate domain for each kind. */
export const createIdentity = (key: Buffer): Identity => {
  const secret = createSecretKey(key);
  const hash = (kind: string, ...parts: readonly string[]): string => {
    // The length prefix distinguishes ("a", "bc") from ("ab", "c").
    const text = parts.reduce((joined, part) => `${joined}\0${part.length}\0${part}`, kind);
    return createHmac('sha256', secret).update(text).digest('base64url');
  };
  return {
    recordHash: (practiceId, chartNumber) => hash('record', practiceId, chartNumber),
    submissionHash: (submissionUuid) => hash('submission', submissionUuid),
    idempotentIngestionId: (practiceId, idempotencyKey) =>
      hash('ingestion', practiceId, idempotencyKey).slice(0, SHORT_LENGTH),
    fingerprint: (practiceId, text) => hash('fingerprint', practiceId, text),
    keySlotHash: (partnerId, practiceId) => hash('partner-place', partnerId, practiceId),
    providerId: (practiceId, partnerId, identity) =>
      readable(hash('provider', practiceId, partnerId, identity)),
    mergesHash: (practiceId, partnerId) => hash('merges', practiceId, partnerId),
    accountId: (email) => readable(hash('account', email)),
    seatId: (practiceId, memberId) => hash('seat', practiceId, memberId).slice(0, SHORT_LENGTH),
    fileHash: (practiceId, digest) => hash('file', practiceId, digest),
    workHash: (practiceId, kind, key) => hash('work', practiceId, kind, key),
    checkValue: hash('check'),
  };
};

const NAMESPACE = Buffer.from('b0f6a3fe6d0c4d4e9a552f6f5d3a7c11', 'hex');

/** Name-based UUID (RFC 9562, version 5). One hash call is faster than the uuid package. */
export const deriveId = (...parts: readonly (string | number)[]): string => {
  const name = Buffer.concat([NAMESPACE, Buffer.from(JSON.stringify(parts))]);
  const digits = hash('sha1', name, 'hex');
  // The variant 10 is in the two upper bits of the ninth byte.
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0b0011) | 0b1000).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `5${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
};

// Only letters and digits: an id with a leading dash would look like an option in a shell.
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 21; // 125 bits

export const createReadableId: () => string = customAlphabet(ALPHABET, LENGTH);

/** SHA-256 of a file's bytes in hex, computed off the event loop. */
export const hashFile = async (bytes: Buffer): Promise<string> =>
  Buffer.from(await subtle.digest('SHA-256', bytes)).toString('hex');
