import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** What a row holds could not be opened: it was altered, or belongs to another row. */
export class SealedRowUnreadable extends Error {
  override readonly name = 'SealedRowUnreadable';
}

/** What a sealed value is bound to: moved to another row, it does not open. */
export interface RowBinding {
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
export const boundToRow = (row: string, practiceId = ''): RowBinding => ({
  row,
  part: 0,
  practiceId,
  keyKind: null,
});

/** Seals and opens what rows of the schema `app` hold of patients. */
export interface RowCipher {
  seal(plain: Buffer, binding: RowBinding): Buffer;
  /** @throws SealedRowUnreadable */
  open(sealed: Buffer, binding: RowBinding): Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const associatedData = ({ row, part, practiceId, keyKind }: RowBinding): Buffer =>
  Buffer.from(JSON.stringify([row, part, practiceId, keyKind]));

/** AES-256-GCM with a random nonce for each value: nonce, ciphertext and tag. */
export const rowCipherOf = (key: Buffer): RowCipher => ({
  seal(plain, binding) {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(associatedData(binding));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  },
  open(sealed, binding) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
      decipher.setAAD(associatedData(binding));
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
      const body = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]);
    } catch (cause) {
      throw new SealedRowUnreadable('What a row holds does not open.', { cause });
    }
  },
});

/** Seals a value that JSON can hold. */
export const sealJson = (cipher: RowCipher, value: unknown, binding: RowBinding): Buffer =>
  cipher.seal(Buffer.from(JSON.stringify(value)), binding);

/**
 * Opens what {@link sealJson} has sealed; bound to its place, it is what was put there.
 * @throws SealedRowUnreadable
 */
export const openJson = <T>(cipher: RowCipher, sealed: Buffer, binding: RowBinding): T =>
  JSON.parse(cipher.open(sealed, binding).toString('utf8')) as T;

/** Makes a text out of a value that is good for an address, and reads it again. */
export interface SealedTexts {
  /** @param of what it is for: elsewhere it does not open */
  seal(text: string, of: string): string;
  /** Null: it is none, or one of something else. */
  open(sealed: string, of: string): string | null;
}

/** Seals what a person has typed, so that it can stand in an address and be read by nobody there. */
export const sealedTextsOf = (cipher: RowCipher): SealedTexts => ({
  seal: (text, of) => cipher.seal(Buffer.from(text), boundToRow(of)).toString('base64url'),
  open(sealed, of) {
    try {
      return cipher.open(Buffer.from(sealed, 'base64url'), boundToRow(of)).toString('utf8');
    } catch (error) {
      if (error instanceof SealedRowUnreadable) return null;
      throw error;
    }
  },
});
