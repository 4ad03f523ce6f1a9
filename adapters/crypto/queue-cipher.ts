import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A queued chunk could not be opened: it was altered, or belongs to another row. */
export class QueuedChunkUnreadable extends Error {
  override readonly name = 'QueuedChunkUnreadable';
}

/** What a queued chunk is bound to: moved to another row, it does not open. */
export interface ChunkBinding {
  readonly attempt: string;
  readonly chunk: number;
  readonly practiceId: string;
  /** Null for the courses of an import. */
  readonly keyKind: 'native' | 'partner' | null;
}

/** Seals and opens chunks of the queue. */
export interface QueueCipher {
  seal(plain: Buffer, binding: ChunkBinding): Buffer;
  /** @throws QueuedChunkUnreadable */
  open(sealed: Buffer, binding: ChunkBinding): Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const associatedData = ({ attempt, chunk, practiceId, keyKind }: ChunkBinding): Buffer =>
  Buffer.from(JSON.stringify([attempt, chunk, practiceId, keyKind]));

/** AES-256-GCM with a random nonce for each chunk: nonce, ciphertext and tag. */
export const queueCipherOf = (key: Buffer): QueueCipher => ({
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
      throw new QueuedChunkUnreadable('A queued chunk does not open.', { cause });
    }
  },
});
