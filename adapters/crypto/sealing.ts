import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A row could not be decrypted: it was altered or moved, or its key was deleted. */
export class SealedRowUnreadable extends Error {
  override readonly name = 'SealedRowUnreadable';
}

/** Context of a sealed value. A value does not open in another row. */
export interface AssociatedData {
  /** The row, or its purpose, unique among all values sealed with the same key. */
  readonly row: string;
  /** Index among the values of the row, from 0. */
  readonly part: number;
  /** Empty if no practice is assigned yet. */
  readonly practiceId: string;
  /** Kind of the key that sent it, or `null` if no key sent it. */
  readonly keyKind: 'native' | 'partner' | null;
}

export const buildAssociatedData = (row: string, practiceId = ''): AssociatedData => ({
  row,
  part: 0,
  practiceId,
  keyKind: null,
});

export interface SealingKey {
  /** From 1. */
  readonly version: number;
  readonly key: Buffer;
}

export interface SealingKeys {
  getNewest(): SealingKey;
  /** Finds the key of a version, even one that another process just created, or `null`. */
  find(version: number): Promise<Buffer | null>;
}

export interface RowCipher {
  seal(plain: Buffer, associatedData: AssociatedData): Buffer;
  /** @throws SealedRowUnreadable */
  open(sealed: Buffer, associatedData: AssociatedData): Promise<Buffer>;
  isSealedWithNewestKey(sealed: Buffer): boolean;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Prefix of values that a later version than the first has sealed. */
const MARK = Buffer.from('key\0');
export const KEY_MARK_BYTES = MARK.length + 4;

/** The first version has none: its values start with a random nonce. */
export const encodeKeyMark = (version: number): Buffer => {
  if (version === 1) return Buffer.alloc(0);
  const mark = Buffer.alloc(KEY_MARK_BYTES);
  MARK.copy(mark);
  mark.writeUInt32BE(version, MARK.length);
  return mark;
};

const readMarkedVersion = (sealed: Buffer): number =>
  sealed.length > KEY_MARK_BYTES && sealed.subarray(0, MARK.length).equals(MARK)
    ? sealed.readUInt32BE(MARK.length)
    : 1;

const encodeAssociatedData = ({ row, part, practiceId, keyKind }: AssociatedData): Buffer =>
  Buffer.from(JSON.stringify([row, part, practiceId, keyKind]));

/** AES-256-GCM with a random nonce per value: key mark, nonce, ciphertext, and tag. */
export const createRowCipher = (keys: SealingKeys): RowCipher => ({
  seal(plain, associatedData) {
    const { version, key } = keys.getNewest();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(encodeAssociatedData(associatedData));
    const sealed = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat([encodeKeyMark(version), ...sealed]);
  },
  async open(sealed, associatedData) {
    const version = readMarkedVersion(sealed);
    const key = version === 1 ? null : await keys.find(version);
    if (key !== null) return decrypt(key, sealed.subarray(KEY_MARK_BYTES), associatedData);
    // One nonce in 4 billion looks like a mark, but of a version that does not exist.
    const first = await keys.find(1);
    if (first === null)
      throw new SealedRowUnreadable('The key of a sealed value no longer exists.');
    return decrypt(first, sealed, associatedData);
  },
  isSealedWithNewestKey: (sealed) => readMarkedVersion(sealed) === keys.getNewest().version,
});

const decrypt = (key: Buffer, sealed: Buffer, associatedData: AssociatedData): Buffer => {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
    decipher.setAAD(encodeAssociatedData(associatedData));
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    const body = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch (cause) {
    throw new SealedRowUnreadable('A sealed value could not be decrypted.', { cause });
  }
};

export const sealJson = (
  cipher: RowCipher,
  value: unknown,
  associatedData: AssociatedData,
): Buffer => cipher.seal(Buffer.from(JSON.stringify(value)), associatedData);

/** @throws SealedRowUnreadable */
export const openJson = async <T>(
  cipher: RowCipher,
  sealed: Buffer,
  associatedData: AssociatedData,
): Promise<T> => JSON.parse((await cipher.open(sealed, associatedData)).toString('utf8')) as T;

export interface TextCipher {
  /** @param purpose the text does not open for another one */
  seal(text: string, purpose: string): string;
  /** Returns `null` for a text that we did not seal or that has another purpose. */
  open(sealed: string, purpose: string): Promise<string | null>;
}

/** Seals user input so that it can be part of a URL without being readable there. */
export const createTextCipher = (cipher: RowCipher): TextCipher => ({
  seal: (text, purpose) =>
    cipher.seal(Buffer.from(text), buildAssociatedData(purpose)).toString('base64url'),
  async open(sealed, purpose) {
    try {
      const plain = await cipher.open(
        Buffer.from(sealed, 'base64url'),
        buildAssociatedData(purpose),
      );
      return plain.toString('utf8');
    } catch (error) {
      if (error instanceof SealedRowUnreadable) return null;
      throw error;
    }
  },
});
