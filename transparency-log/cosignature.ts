import {
  isValidSignature,
  listSignatures,
  type NoteSignature,
  type SignedNote,
  type VerifierKey,
} from './signed-note.ts';

/** Number of timestamp bytes before the signature. */
const TIME_LENGTH = 8;

const MS_PER_SECOND = 1_000;

/** Message that a witness signs: a timestamp and the checkpoint. @see C2SP tlog-cosignature */
export const buildCosignedMessage = (checkpoint: string, seconds: bigint): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${seconds}\n${checkpoint}`);

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
    if (
      isValidSignature(
        witness,
        buildCosignedMessage(note.text, seconds),
        bytes.subarray(TIME_LENGTH),
      )
    )
      return { ...one, seenAt: new Date(Number(seconds) * MS_PER_SECOND) };
  }
  return null;
};
