import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../../domain/stated-time.ts';

export interface TokenOwner {
  /** A visitor is a browser without a signed-in session. */
  readonly kind: 'account' | 'visitor';
  readonly id: string;
}

/** `expired`: the sender, too long ago; `visitor`: not the sender; `unknown`: not our token. */
export type TokenCheck = 'sender' | 'expired' | 'another' | 'visitor' | 'unknown';

/** A form stays open from Friday evening to Monday morning. */
export const MAX_TOKEN_AGE_MS = 72 * 60 * 60_000;

const NONCE_BYTES = 12;
const TIME_BYTES = 4;
const KIND_BYTES = 1;
const HASH_BYTES = 32;
const BODY_BYTES = NONCE_BYTES + TIME_BYTES + KIND_BYTES + HASH_BYTES;
const KINDS: readonly TokenOwner['kind'][] = ['account', 'visitor'];

/**
 * Nonce, time, and keyed hash of the owner, all signed. Needs no storage, names no one, and remains
 * valid after its owner signs in again. The nonce makes tokens differ, so compression does not
 * reveal one.
 * @param now stored in seconds
 * @see
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export const createFormToken = (secret: string, owner: TokenOwner, now: Date): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUInt32BE(Math.floor(now.getTime() / 1_000));
  const kind = Buffer.of(KINDS.indexOf(owner.kind));
  const body = Buffer.concat([nonce, time, kind, hashOwner(secret, nonce, owner)]);
  return Buffer.concat([body, sign(secret, body)]).toString('base64url');
};

/** @param sender `null` for a browser that no form was shown to */
export const verifyFormToken = (
  secret: string,
  token: string,
  sender: TokenOwner | null,
  now: Date,
): TokenCheck => {
  const bytes = Buffer.from(token, 'base64url');
  const body = bytes.subarray(0, BODY_BYTES);
  const signature = bytes.subarray(BODY_BYTES);
  if (signature.length !== HASH_BYTES || !timingSafeEqual(signature, sign(secret, body)))
    return 'unknown';
  const nonce = body.subarray(0, NONCE_BYTES);
  const issuedAt = body.readUInt32BE(NONCE_BYTES) * 1_000;
  const owner = body.subarray(BODY_BYTES - HASH_BYTES);
  if (sender !== null && timingSafeEqual(owner, hashOwner(secret, nonce, sender)))
    return isCurrent(now.getTime() - issuedAt) ? 'sender' : 'expired';
  const kind = KINDS[body.readUInt8(NONCE_BYTES + TIME_BYTES)];
  return kind === 'visitor' ? 'visitor' : 'another';
};

const isCurrent = (ageMs: number): boolean =>
  ageMs <= MAX_TOKEN_AGE_MS && ageMs >= -MAX_CLOCK_DIFFERENCE_MS;

const hashOwner = (secret: string, nonce: Buffer, { kind, id }: TokenOwner): Buffer =>
  createHmac('sha256', secret).update('form owner').update(nonce).update(`${kind} ${id}`).digest();

const sign = (secret: string, body: Buffer): Buffer =>
  createHmac('sha256', secret).update('form token').update(body).digest();
