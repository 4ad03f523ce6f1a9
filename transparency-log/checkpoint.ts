import type { LogTree } from './log-tree.ts';
import { HASH_LENGTH, isSame, type TreeHead } from './merkle-tree.ts';
import { decodeStrictBase64, isSignedBy, parseNote, type VerifierKey } from './signed-note.ts';
import { hashRange } from './tiles.ts';

/** What a log says of itself: its name, and how far it has come. @see C2SP tlog-checkpoint */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
}

/** A checkpoint that the service has signed. */
export interface StoredCheckpoint extends Checkpoint {
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
export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;

const SIZE = /^(?:0|[1-9]\d*)$/;

/** Reads the text of a checkpoint; null: it is none. Lines of extensions are passed over. */
export const parseCheckpoint = (text: string): Checkpoint | null => {
  const [origin = '', sizeText = '', rootText = ''] = text.split('\n');
  const root = decodeStrictBase64(rootText);
  const size = Number(sizeText);
  if (origin === '' || !SIZE.test(sizeText) || !Number.isSafeInteger(size)) return null;
  return root?.length === HASH_LENGTH ? { origin, size, root } : null;
};

/** The checkpoint of a note that the log has signed; null: it is none, or the signature is not the key's. */
export const openCheckpoint = (text: string, key: VerifierKey): Checkpoint | null => {
  const note = parseNote(text);
  if (note === null || !isSignedBy(note, key)) return null;
  const checkpoint = parseCheckpoint(note.text);
  return checkpoint?.origin === key.name ? checkpoint : null;
};

/** What there is to sign after the last checkpoint. */
export type NextCheckpoint =
  | { readonly kind: 'sign'; readonly head: TreeHead }
  | { readonly kind: 'nothing-new' }
  /** The tree does not extend what was signed: it ends before it, or has other events below it. */
  | { readonly kind: 'refused'; readonly why: 'shorter' | 'rewritten' };

/**
 * Decides on the next checkpoint of a log: no size is ever signed with two roots, and none that does not
 * extend the one before.
 * @param last signed before; null: none was
 * @see C2SP tlog-checkpoint
 */
export const buildNextCheckpoint = async (
  last: TreeHead | null,
  { size, root, readTile }: LogTree,
): Promise<NextCheckpoint> => {
  if (size < (last?.size ?? 0)) return { kind: 'refused', why: 'shorter' };
  if (last !== null && !isSame(await hashRange({ from: 0, to: last.size }, readTile), last.root))
    return { kind: 'refused', why: 'rewritten' };
  return size === (last?.size ?? 0)
    ? { kind: 'nothing-new' }
    : { kind: 'sign', head: { size, root } };
};
