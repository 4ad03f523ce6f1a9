import { decodeStrictBase64, encodeBase64 } from './base64.ts';
import type { LogTree } from './log-tree.ts';
import { HASH_LENGTH, isSame, type TreeHead } from './merkle-tree.ts';
import { isSignedBy, parseNote, type VerifierKey } from './signed-note.ts';
import { hashRange } from './tiles.ts';

/** Name of a log, with the size and root of its tree. @see C2SP tlog-checkpoint */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
}

export interface StoredCheckpoint extends Checkpoint {
  /** The signed note, as published. */
  readonly note: string;
  readonly signedAt: Date;
  /** Number of its origin: 1, and one more each time that the end of the log was lost. */
  readonly originNumber: number;
}

/** A checkpoint read from storage, which can differ from the one that was signed. */
export interface SignedSize {
  readonly size: number;
  readonly signedAt: Date;
  readonly note: string;
  /** Null if the stored note does not match its signature. */
  readonly root: Uint8Array | null;
}

export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${encodeBase64(root)}\n`;

const SIZE = /^(?:0|[1-9]\d*)$/;

/** Returns `null` if the text is not a valid checkpoint. Ignores extension lines. */
export const parseCheckpoint = (text: string): Checkpoint | null => {
  const [origin = '', sizeText = '', rootText = ''] = text.split('\n');
  const root = decodeStrictBase64(rootText);
  const size = Number(sizeText);
  if (origin === '' || !SIZE.test(sizeText) || !Number.isSafeInteger(size)) return null;
  return root?.length === HASH_LENGTH ? { origin, size, root } : null;
};

/** Returns `null` if the note is not a valid checkpoint, or is not signed with the key. */
export const openCheckpoint = (text: string, key: VerifierKey): Checkpoint | null => {
  const note = parseNote(text);
  if (note === null || !isSignedBy(note, key)) return null;
  const checkpoint = parseCheckpoint(note.text);
  return checkpoint?.origin === key.name ? checkpoint : null;
};

export type NextCheckpoint =
  | { readonly kind: 'sign'; readonly head: TreeHead }
  | { readonly kind: 'nothing-new' }
  /** The tree does not extend the last checkpoint: it is shorter, or its earlier part differs. */
  | { readonly kind: 'refused'; readonly why: 'shorter' | 'rewritten' };

/** Never signs one size with two roots. @see C2SP tlog-checkpoint */
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
