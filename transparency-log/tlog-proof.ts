import { decodeStrictBase64, encodeBase64 } from './base64.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import { findCosignature } from './cosignature.ts';
import {
  computeRootFromInclusion,
  HASH_LENGTH,
  isSame,
  listInclusionRanges,
} from './merkle-tree.ts';
import { parseNote, type VerifierKey } from './signed-note.ts';
import { hashRange, type ReadTile } from './tiles.ts';

/** Proof that a leaf is in a log: index, path to the root, and the checkpoint with that root. */
export interface TlogProof {
  /** Zero-based. */
  readonly index: number;
  /** Hashes from the leaf's sibling upward. */
  readonly path: readonly Uint8Array[];
  /** The signed note, verbatim. */
  readonly checkpoint: string;
}

const HEADER = 'c2sp.org/tlog-proof@v1';

/** @see C2SP tlog-proof */
export const formatTlogProof = ({ index, path, checkpoint }: TlogProof): string =>
  [HEADER, `index ${index}`, ...formatPath(path), '', checkpoint].join('\n');

export const formatPath = (path: readonly Uint8Array[]): readonly string[] =>
  path.map(encodeBase64);

/** Enough for a tree of 2^63 leaves. */
const MAX_HASHES = 63;

/** Returns `null` if a line is not a hash, or there are too many. */
const parsePath = (lines: readonly string[]): readonly Uint8Array[] | null => {
  const path = lines.flatMap((line) => decodeStrictBase64(line) ?? []);
  const isWhole =
    path.length === lines.length &&
    path.length <= MAX_HASHES &&
    path.every((hash) => hash.length === HASH_LENGTH);
  return isWhole ? path : null;
};

/** @param index below the size of the checkpoint @param checkpoint the signed note, and its size */
export const proveLeaf = async (
  index: number,
  { note, size }: { readonly note: string; readonly size: number },
  readTile: ReadTile,
): Promise<TlogProof> => {
  const path: Uint8Array[] = [];
  for (const range of listInclusionRanges(index, size)) path.push(await hashRange(range, readTile));
  return { index, path, checkpoint: note };
};

const EXTRA = 'extra ';
const INDEX = /^index (0|[1-9]\d*)$/;

/** Returns `null` if the text is not a proof. Does not verify it. */
export const parseTlogProof = (text: string): TlogProof | null => {
  const end = text.indexOf('\n\n');
  if (end < 0) return null;
  const [header, ...lines] = text.slice(0, end).split('\n');
  // Unused, but validated, because other readers reject a proof with invalid base64 here.
  const extra = lines[0]?.startsWith(EXTRA) === true ? lines.shift()?.slice(EXTRA.length) : null;
  if (typeof extra === 'string' && decodeStrictBase64(extra) === null) return null;
  const [, index] = INDEX.exec(lines.shift() ?? '') ?? [];
  const path = parsePath(lines);
  if (header !== HEADER || !Number.isSafeInteger(Number(index)) || path === null) return null;
  return { index: Number(index), path, checkpoint: text.slice(end + 2) };
};

export type ProofReading =
  | { readonly kind: 'proved'; readonly index: number; readonly checkpoint: Checkpoint }
  | {
      readonly kind: 'not-proved';
      readonly why: 'no-proof' | 'not-signed' | 'not-witnessed' | 'leaf-mismatch';
    };

/** @param witnesses must all have signed the checkpoint */
export const checkTlogProof = (
  text: string,
  leaf: Uint8Array,
  key: VerifierKey,
  witnesses: readonly VerifierKey[] = [],
): ProofReading => {
  const proof = parseTlogProof(text);
  if (proof === null) return { kind: 'not-proved', why: 'no-proof' };
  const checkpoint = openCheckpoint(proof.checkpoint, key);
  const note = parseNote(proof.checkpoint);
  if (checkpoint === null || note === null) return { kind: 'not-proved', why: 'not-signed' };
  if (witnesses.some((witness) => findCosignature(note, witness) === null))
    return { kind: 'not-proved', why: 'not-witnessed' };
  const root = computeRootFromInclusion(leaf, proof.index, checkpoint.size, proof.path);
  return root !== null && isSame(root, checkpoint.root)
    ? { kind: 'proved', index: proof.index, checkpoint }
    : { kind: 'not-proved', why: 'leaf-mismatch' };
};
