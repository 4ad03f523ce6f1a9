import { HASH_LENGTH, type TreeHead } from './merkle-tree.ts';
import { isSignedBy, readNote, strictBase64, type VerifierKey } from './signed-note.ts';

/** What a log says of itself: its name, and how far it has come. @see C2SP tlog-checkpoint */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
}

/** A checkpoint that the service has signed. */
export interface KeptCheckpoint extends Checkpoint {
  /** As it is handed out. */
  readonly note: string;
  readonly signedAt: Date;
}

/** A checkpoint as it is kept, which may not be as it was signed. */
export interface SignedSize {
  readonly size: number;
  readonly signedAt: Date;
  readonly note: string;
  /** Null: what is kept of it is not what was signed. */
  readonly root: Uint8Array | null;
}

/** The text of a checkpoint, to be signed. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;

const SIZE = /^(?:0|[1-9]\d*)$/;

/** Reads the text of a checkpoint; null: it is none. Lines of extensions are passed over. */
export const readCheckpoint = (text: string): Checkpoint | null => {
  const [origin = '', sizeText = '', rootText = ''] = text.split('\n');
  const root = strictBase64(rootText);
  const size = Number(sizeText);
  if (origin === '' || !SIZE.test(sizeText) || !Number.isSafeInteger(size)) return null;
  return root?.length === HASH_LENGTH ? { origin, size, root } : null;
};

/** The checkpoint of a note that the log has signed; null: it is none, or the signature is not the key's. */
export const openCheckpoint = (text: string, key: VerifierKey): Checkpoint | null => {
  const note = readNote(text);
  if (note === null || !isSignedBy(note, key)) return null;
  const checkpoint = readCheckpoint(note.text);
  return checkpoint?.origin === key.name ? checkpoint : null;
};
