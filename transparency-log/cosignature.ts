import type { KeyObject } from 'node:crypto';
import { sign } from 'node:crypto';
import {
  isValidSignature,
  listSignatures,
  type NoteSignature,
  type SignedNote,
  type VerifierKey,
} from './signed-note.ts';

/** Bytes of the timestamp before the signature. */
const TIME_LENGTH = 8;

const MS_PER_SECOND = 1_000;

/** Message that a witness signs: a timestamp and the checkpoint. @see C2SP tlog-cosignature */
const buildMessage = (checkpoint: string, seconds: bigint): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${seconds}\n${checkpoint}`);

/** Signs that a checkpoint was seen. @param checkpoint the text of its note @param key of type 4 */
export const cosign = (
  checkpoint: string,
  { name, keyId }: VerifierKey,
  signingKey: KeyObject,
  seenAt: Date,
): NoteSignature => {
  const seconds = BigInt(Math.floor(seenAt.getTime() / MS_PER_SECOND));
  const time = Buffer.alloc(TIME_LENGTH);
  time.writeBigUInt64BE(seconds);
  return {
    name,
    keyId,
    signature: Buffer.concat([time, sign(null, buildMessage(checkpoint, seconds), signingKey)]),
  };
};

/** Signature of a witness, with the time at which it saw the checkpoint. */
export interface Cosignature extends NoteSignature {
  readonly seenAt: Date;
}

/** Returns the first valid signature of a witness on a note, or `null` if there is none. */
export const findCosignature = (note: SignedNote, witness: VerifierKey): Cosignature | null => {
  for (const one of listSignatures(note, witness)) {
    if (one.signature.length <= TIME_LENGTH) continue;
    const bytes = Buffer.from(one.signature);
    const seconds = bytes.readBigUInt64BE(0);
    if (isValidSignature(witness, buildMessage(note.text, seconds), bytes.subarray(TIME_LENGTH)))
      return { ...one, seenAt: new Date(Number(seconds) * MS_PER_SECOND) };
  }
  return null;
};
