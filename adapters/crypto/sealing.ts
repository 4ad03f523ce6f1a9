import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** What a row holds could not be opened: it was altered, belongs to another row, or its key is gone. */
export class SealedRowUnreadable extends Error {
  override readonly name = 'SealedRowUnreadable';
}

/** What a sealed value is bound to: moved to another row, it does not open. */
export interface AssociatedData {
  /** The row, or what it is for, among all that are sealed with the same key. */
  readonly row: string;
  /** Place among the values of the row, from 0. */
  readonly part: number;
  /** Empty for what no practice has taken yet. */
  readonly practiceId: string;
  /** The lane that it came by; null for what no key has sent. */
  readonly keyKind: 'native' | 'partner' | null;
}

/**
 * Binds what stands alone in a row that a person keeps for a while, not a key.
 * @param practiceId without it no practice has taken it yet
 */
export const associatedDataFor = (row: string, practiceId = ''): AssociatedData => ({
  row,
  part: 0,
  practiceId,
  keyKind: null,
});

/** A version of the key that seals rows. */
export interface SealingKey {
  /** From 1. */
  readonly version: number;
  readonly key: Buffer;
}

/** The versions of the key that seals rows. */
export interface SealingKeys {
  /** The one that seals. */
  newest(): SealingKey;
  /** The key of a version, which another process may just have made; null: there is none. */
  find(version: number): Promise<Buffer | null>;
}

/** Seals and opens what rows of the schema `app` hold of patients. */
export interface RowCipher {
  seal(plain: Buffer, binding: AssociatedData): Buffer;
  /** @throws SealedRowUnreadable */
  open(sealed: Buffer, binding: AssociatedData): Promise<Buffer>;
  /** Whether the newest version of the key has sealed it. */
  isOfNewestKey(sealed: Buffer): boolean;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Begins what a later version than the first has sealed. */
const MARK = Buffer.from('key\0');
/** Bytes that tell the version of the key: the mark, and its number. */
export const KEY_MARK_BYTES = MARK.length + 4;

/**
 * What a value begins with that a version of the key has sealed. The first version sealed without a
 * mark: its values begin with a random nonce.
 */
export const encodeKeyMark = (version: number): Buffer => {
  if (version === 1) return Buffer.alloc(0);
  const mark = Buffer.alloc(KEY_MARK_BYTES);
  MARK.copy(mark);
  mark.writeUInt32BE(version, MARK.length);
  return mark;
};

const markedVersionOf = (sealed: Buffer): number =>
  sealed.length > KEY_MARK_BYTES && sealed.subarray(0, MARK.length).equals(MARK)
    ? sealed.readUInt32BE(MARK.length)
    : 1;

const associatedData = ({ row, part, practiceId, keyKind }: AssociatedData): Buffer =>
  Buffer.from(JSON.stringify([row, part, practiceId, keyKind]));

/** AES-256-GCM with a random nonce for each value: the mark of the key, nonce, ciphertext and tag. */
export const createRowCipher = (keys: SealingKeys): RowCipher => ({
  seal(plain, binding) {
    const { version, key } = keys.newest();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(associatedData(binding));
    const sealed = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat([encodeKeyMark(version), ...sealed]);
  },
  async open(sealed, binding) {
    const version = markedVersionOf(sealed);
    const key = version === 1 ? null : await keys.find(version);
    if (key !== null) return opened(key, sealed.subarray(KEY_MARK_BYTES), binding);
    // One nonce in 4 billion looks like a mark, but of a version that does not exist.
    const first = await keys.find(1);
    if (first === null) throw new SealedRowUnreadable('The key that sealed a row is gone.');
    return opened(first, sealed, binding);
  },
  isOfNewestKey: (sealed) => markedVersionOf(sealed) === keys.newest().version,
});

const opened = (key: Buffer, sealed: Buffer, binding: AssociatedData): Buffer => {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
    decipher.setAAD(associatedData(binding));
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    const body = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch (cause) {
    throw new SealedRowUnreadable('What a row holds does not open.', { cause });
  }
};

/** Seals a value that JSON can hold. */
export const sealJson = (cipher: RowCipher, value: unknown, binding: AssociatedData): Buffer =>
  cipher.seal(Buffer.from(JSON.stringify(value)), binding);

/**
 * Opens what {@link sealJson} has sealed; bound to its place, it is what was put there.
 * @throws SealedRowUnreadable
 */
export const openJson = async <T>(
  cipher: RowCipher,
  sealed: Buffer,
  binding: AssociatedData,
): Promise<T> => JSON.parse((await cipher.open(sealed, binding)).toString('utf8')) as T;

/** Makes a text out of a value that is good for an address, and reads it again. */
export interface SealedTexts {
  /** @param of what it is for: elsewhere it does not open */
  seal(text: string, of: string): string;
  /** Null: it is none, or one of something else. */
  open(sealed: string, of: string): Promise<string | null>;
}

/** Seals what a person has typed, so that it can stand in an address and be read by nobody there. */
export const createSealedTexts = (cipher: RowCipher): SealedTexts => ({
  seal: (text, of) => cipher.seal(Buffer.from(text), associatedDataFor(of)).toString('base64url'),
  async open(sealed, of) {
    try {
      const plain = await cipher.open(Buffer.from(sealed, 'base64url'), associatedDataFor(of));
      return plain.toString('utf8');
    } catch (error) {
      if (error instanceof SealedRowUnreadable) return null;
      throw error;
    }
  },
});
